import assert from "node:assert/strict";
import { openSource } from "../../../pipeline/snapshot/open_source.ts";
import { builtSample } from "../../pipeline/sample/built_sample.ts";
import { record } from "../../pipeline/snapshot/memory.ts";
import { siteOf, siteOver, type Visitor } from "../app.ts";
import { parse } from "../document.ts";
import { problemsOf } from "../html.ts";
import VISITS from "./visits.txt" with { type: "text" };

const DOCKET = [{ prefix: "MC", number: 143229, status: "A" as const }];
const { visit: fewCarriers } = siteOf([
  record(295017, { legal_name: "FIRST LLC", operation: "A", power_units: 4, dockets: DOCKET }),
  record(146793, { legal_name: "SECOND INC", operation: "C", power_units: 4, status: "I" }),
  record(666, { legal_name: "<b>THIRD</b>", operation: "A", dockets: DOCKET }),
  ...[1, 2, 3].map((dot) => record(dot)),
  record(4, { status: "I", legal_name: "" }),
  record(5, { status: "P", power_units: 0 }),
  record(6, { legal_name: "AKRON", dockets: [{ prefix: "FF", number: 77 }] }),
  record(90101, { status: "I", rating: "C" }),
  record(90102, { rating: "C" }),
  record(90103, { rating: "S" }),
  record(90104, {
    legal_name: "OVERDUE CARRIER",
    operation: "A",
    mcs150_date: "2020-01-02",
    rating: "C",
    dockets: [{ prefix: "MC", number: 186800, status: "I" }],
  }),
], { dockets: { MC: { 143229: [295017, 666] } } });

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
