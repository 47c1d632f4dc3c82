/**
 * Tests that visit pages and check what the answers contain.
 *
 * @module
 */

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

/** A path; a form with its fields; or a list for `/bulk`, and what is appended to the address of its result. */
type Visit =
  | string
  | { post: string; fields: Record<string, string> }
  | { pasted: string; columns?: string[]; result?: string }
  | { file: string; columns?: string[]; result?: string };

/** What each of some visits must return. */
interface Expected {
  visits: readonly Visit[];
  status?: number;
  /** Where it redirects to; with a status and without this, nowhere. */
  location?: string;
  headers?: Readonly<Record<string, string>>;
  /** In the HTML, or in the text of `main`, with white space folded. */
  has?: readonly string[];
  hasNot?: readonly string[];
}

const { visit: few } = siteOf(
  Object.entries(CARRIERS).map(([dot, members]) =>
    record(Number(dot), members as Partial<CarrierRecord>)
  ),
  { dockets: { MC: { 143229: [295017, 666], 295017: [295017] } } },
);

// A form with a mistake sends no email.
const mailer = { send: () => assert.fail("sent"), close: () => Promise.resolve() };

/** `few` has the carriers of carriers.json, `sample` the bundled sample, `lists` the carriers of bulk/uploads.ts. */
const SITES = {
  few: () => few,
  sample: async () => siteOver(openSource(await builtSample())).visit,
  lists: () => pagesWithLists({ mailer }).visit,
};

/** Defines a test of pages. Their HTML must be valid, too. */
export function pageTest(
  name: string,
  site: keyof typeof SITES,
  rows: readonly Expected[],
): void {
  Deno.test(name, async () => {
    const visitor = await SITES[site]();
    for (const row of rows) {
      for (const visit of row.visits) {
        await check(await answerTo(visit, visitor), row, JSON.stringify(visit));
      }
    }
  });
}

async function answerTo(visit: Visit, visitor: Visitor): Promise<Response> {
  if (typeof visit === "string") return await visitor(visit, { headers: { Accept: "text/html" } });
  const init = { method: "POST", headers: OURS };
  if ("post" in visit) {
    return await visitor(visit.post, { ...init, body: new URLSearchParams(visit.fields) });
  }
  const { columns = [], result: part = "" } = visit;
  const list = "file" in visit ? { file: visit.file } : { text: visit.pasted };
  const sent = await visitor("/bulk", { ...init, body: listForm({ ...list, columns }) });
  const result = sent.headers.get("location");
  if (result === null) return sent;
  // The first answer includes the progress.
  await (await visitor(result)).text();
  return await visitor(result + part);
}

async function check(
  { status, headers, body }: Response,
  expected: Expected,
  visit: string,
): Promise<void> {
  const html = (await new Response(body).text()).replaceAll(/\s+/g, " ");
  const isHtml = html.startsWith("<!DOCTYPE");
  if (isHtml) assert.deepEqual(problemsOf(html), [], visit);
  const text = isHtml ? parse(html).querySelector("main")!.textContent : "";
  const has = (part: string): boolean => html.includes(part) || text.includes(part);
  if (expected.status !== undefined) {
    const [at, to] = [headers.get("location") ?? "", expected.location ?? ""];
    assert.deepEqual([status, at], [expected.status, to], visit);
  }
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    assert.equal(headers.get(name), value, visit);
  }
  for (const part of expected.has ?? []) assert.ok(has(part), `${visit}: ${part}\n${text}`);
  for (const part of expected.hasNot ?? []) assert.ok(!has(part), `${visit}: not ${part}\n${text}`);
}
