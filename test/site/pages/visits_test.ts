import assert from "node:assert/strict";
import { openSource } from "../../../pipeline/snapshot/open_source.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record.ts";
import { builtSample } from "../../pipeline/sample/built_sample.ts";
import { record } from "../../pipeline/snapshot/memory.ts";
import { siteOf, siteOver, type Visitor } from "../app.ts";
import { parse } from "../document.ts";
import { problemsOf } from "../html.ts";
import CARRIERS from "./carriers.json" with { type: "json" };
import VISITS from "./visits.txt" with { type: "text" };

const { visit: fewCarriers } = siteOf(
  Object.entries(CARRIERS).map(([dot, members]) =>
    record(Number(dot), members as Partial<CarrierRecord>)
  ),
  { dockets: { MC: { 143229: [295017, 666] } } },
);

const [, ...tests] = VISITS.split(/\n\n+(?=# )/);
for (const text of tests) {
  const [, title, sample] = /^# (.+?)( @sample)?\n/.exec(text)!;
  Deno.test(title!, async () => {
    const visit = sample ? siteOver(openSource(await builtSample())).visit : fewCarriers;
    for (const [, paths, expected] of text.matchAll(/((?:^\/.*\n)+)((?:^ {2}.*\n?)+)/gm)) {
      const expectations = expected!.trimEnd().split("\n").map((line) => line.slice(2));
      for (const path of paths!.trimEnd().split("\n")) await check(visit, path, expectations);
    }
  });
}

async function check(visit: Visitor, path: string, expectations: string[]): Promise<void> {
  const { status, headers, body } = await visit(path, { headers: { Accept: "text/html" } });
  const html = (await new Response(body).text()).replaceAll(/\s+/g, " ");
  const isHtml = html.startsWith("<!DOCTYPE");
  if (isHtml) assert.deepEqual(problemsOf(html), [], path);
  const text = !isHtml ? "" : parse(html).querySelector("main")!.textContent;
  const has = (part: string): boolean => html.includes(part) || text.includes(part);
  for (const expectation of expectations) {
    const [, kind, rest = ""] = /^(>|!|\d{3}(?!\d| [^/]))(?: (.+))?$/.exec(expectation) ?? [];
    const where = `${path}: ${expectation}\n${text}`;
    if (kind === undefined) assert.ok(has(expectation), where);
    else if (kind === "!") assert.ok(!has(rest), where);
    else if (kind === ">") {
      const [name, value] = rest.split(": ") as [string, string];
      assert.equal(headers.get(name), value, where);
    } else assert.deepEqual([status, headers.get("location") ?? ""], [Number(kind), rest], where);
  }
}
