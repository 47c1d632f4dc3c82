import assert from "node:assert/strict";
import { openSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";
import { builtSample } from "../../pipeline/sample/built_sample.ts";
import { record } from "../../pipeline/snapshot/memory.ts";
import { siteOf, siteOver, type Visitor } from "../app.ts";
import { listForm, OURS, pagesWithLists } from "../bulk/uploads.ts";
import { parse } from "../document.ts";
import { problemsOf } from "../html.ts";
import CARRIERS from "./carriers.json" with { type: "json" };
import VISITS from "./visits.txt" with { type: "text" };

const { visit: few } = siteOf(
  Object.entries(CARRIERS).map(([dot, members]) =>
    record(Number(dot), members as Partial<CarrierRecord>)
  ),
  { dockets: { MC: { 143229: [295017, 666], 295017: [295017] } } },
);

// A form with a mistake sends no email.
const mailer = { send: () => assert.fail("sent"), close: () => Promise.resolve() };

const SITES: Readonly<Record<string, () => Visitor | Promise<Visitor>>> = {
  few: () => few,
  sample: async () => siteOver(openSource(await builtSample())).visit,
  lists: () => pagesWithLists({ mailer }).visit,
};

const [, ...tests] = VISITS.split(/\n\n+(?=# )/);
for (const text of tests) {
  const [, title, site = "few"] = /^# (.+?)(?: @(\w+))?\n/.exec(text)!;
  Deno.test(title!, async () => {
    const visit = await SITES[site]!();
    const commentless = text.replaceAll(/^#.*\n/gm, "");
    const visits = /((?:^(?:\/|LIST|FILE|POST).*\n)+)((?:^ {2}.*\n?)+)/gm;
    for (const [, lines, expected] of commentless.matchAll(visits)) {
      const expectations = expected!.trimEnd().split("\n").map((line) => line.slice(2));
      for (const line of lines!.trimEnd().split("\n")) {
        await check(await answerTo(line, visit), { line, expectations });
      }
    }
  });
}

async function answerTo(line: string, visit: Visitor): Promise<Response> {
  const [, kind, rest] = /^(LIST|FILE|POST) (.*)/.exec(line) ?? [];
  if (kind === undefined) return await visit(line, { headers: { Accept: "text/html" } });
  const init = { method: "POST", headers: OURS };
  if (kind === "POST") {
    const [path, fields] = rest!.split(/ (.*)/) as [string, string];
    return await visit(path, { ...init, body: new URLSearchParams(JSON.parse(fields)) });
  }
  const [, text, columns, part = ""] = /^(".*")(?: \[(.*)\])?(?: (\S+))?$/.exec(rest!)!;
  const list = { [kind === "LIST" ? "text" : "file"]: JSON.parse(text!) };
  const body = listForm({ ...list, columns: columns?.split(" ") ?? [] });
  const sent = await visit("/bulk", { ...init, body });
  const result = sent.headers.get("location");
  if (result === null) return sent;
  // The first answer includes the progress.
  await (await visit(result)).text();
  return await visit(result + part);
}

async function check(
  { status, headers, body }: Response,
  { line, expectations }: { line: string; expectations: string[] },
): Promise<void> {
  const html = (await new Response(body).text()).replaceAll(/\s+/g, " ");
  const isHtml = html.startsWith("<!DOCTYPE");
  if (isHtml) assert.deepEqual(problemsOf(html), [], line);
  const text = !isHtml ? "" : parse(html).querySelector("main")!.textContent;
  const has = (part: string): boolean => html.includes(part) || text.includes(part);
  for (const expectation of expectations) {
    const [, kind, rest = ""] = /^(>|!|\d{3}(?!\d| [^/]))(?: (.+))?$/.exec(expectation) ?? [];
    const where = `${line}: ${expectation}\n${text}`;
    if (kind === undefined) assert.ok(has(expectation), where);
    else if (kind === "!") assert.ok(!has(rest), where);
    else if (kind === ">") {
      const [name, value] = rest.split(": ") as [string, string];
      assert.equal(headers.get(name), value, where);
    } else assert.deepEqual([status, headers.get("location") ?? ""], [Number(kind), rest], where);
  }
}
