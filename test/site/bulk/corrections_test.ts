/** Correcting rows in place: a new job with the corrections, and every other row unchanged. */

import { parse } from "csv-parse/sync";
import fc from "fast-check";
import assert from "node:assert/strict";
import { correctRows, LONGEST_CORRECTION, MOST_CORRECTED } from "../../../site/bulk/corrections.ts";
import { type ParsedUpload, parseUpload } from "../../../site/bulk/parse_upload.ts";
import type { SiteApp } from "../app.ts";
import { mainOf } from "../document.ts";
import { listForm, OURS, pagesWithLists, send } from "./uploads.ts";

function listOf(text: string): ParsedUpload {
  const list = parseUpload(text, { words: false });
  assert.ok("rows" in list);
  return list;
}

async function correct(
  app: SiteApp,
  path: string,
  rows: Record<string, string>,
  headers: Record<string, string> = OURS,
): Promise<Response> {
  return await app.visit(path, { method: "POST", headers, body: new URLSearchParams(rows) });
}

async function rowsOf(app: SiteApp, path: string): Promise<string[]> {
  const csv = await (await app.visit(`${path}.csv`)).text();
  const rows: Record<string, string>[] = parse(csv, { bom: true, columns: true });
  return rows.map(({ row, read_as, result }) => `${row} ${read_as} ${result}`);
}

Deno.test("correcting rows in place makes one result at a new address, with the rows that were read before", async () => {
  const app = pagesWithLists();
  const path = await send(app, { text: "USDOT 295017\nDOT 146B93\nMC 12 or MC 13\n\nnobody\n4" });
  const before = await rowsOf(app, path);
  assert.deepEqual(before.slice(1, 4).map((row) => row.replace(/^\d+ +/, "")), [
    "Needs fixing",
    "Needs fixing",
    "Needs fixing",
  ]);
  const main = await mainOf(await app.visit(path));
  assert.equal(main.querySelectorAll("h1").length, 1);
  assert.match(main.querySelector("h2")!.textContent, /^2 checked: .*\. 3 rows need fixing$/);
  const form = main.querySelector("form")!;
  assert.deepEqual([form.getAttribute("action"), form.getAttribute("method")], [path, "post"]);
  const fields = Array.from(form.querySelectorAll("input"), (input) => [
    input.getAttribute("name"),
    input.getAttribute("value"),
  ]);
  assert.deepEqual(fields, [
    ["row-2", "DOT 146B93"],
    ["row-3", "MC 12 or MC 13"],
    ["row-5", "nobody"],
  ]);
  const sent = { "row-2": "DOT 146793", "row-3": "FF 12", "row-5": "nobody" };
  const response = await correct(app, path, sent);
  assert.equal(response.status, 303);
  const corrected = response.headers.get("location")!;
  assert.notEqual(corrected, path);
  assert.deepEqual(await rowsOf(app, corrected), [
    before[0],
    "2 USDOT 146793 Problem",
    "3 FF 12 No issues",
    "5  Needs fixing",
    before[4],
  ]);
  assert.deepEqual(await rowsOf(app, path), before, "the first result stays as it was");
  assert.equal(
    (await correct(app, corrected, { "row-5": "nobody" })).headers.get("location"),
    corrected,
  );
  const last = await correct(app, corrected, { "row-5": "1896 111898" });
  const rows = await rowsOf(app, last.headers.get("location")!);
  assert.deepEqual(rows.slice(3, 5).map((row) => row.slice(0, 14)), [
    "5 USDOT 1896 N",
    "5 USDOT 111898",
  ]);
});

Deno.test("a corrected number without a prefix has the kind of the list, or needs a prefix", async () => {
  const app = pagesWithLists();
  const cases: [text: string, correction: string, reads: RegExp][] = [
    ["USDOT,Name\n295017,A\nx1,B", "146793", /^3 USDOT 146793 /],
    ["MC,Name\n1896,A\nx1,B", "143229", /^3 MC 143229 /],
    ["USDOT 295017\n4x\nx1", "146793", /^3 USDOT 146793 /],
    ["USDOT,MC\n295017,1896\nx1,", "143229", /^3 {2}Needs fixing/],
    ["USDOT,MC\n295017,1896\nx1,", "MC 143229", /^3 MC 143229 /],
    ["USDOT,Name\n295017,A\nx1,B", "the one of Bob 146793", /^3 {2}Needs fixing/],
    ["USDOT,Name\n295017,A\nx1,B", "146793 (MC 143229)", /^3 MC 143229 /],
  ];
  for (const [text, correction, reads] of cases) {
    app.clock.advance(60_000);
    const path = await send(app, { text });
    const { headers } = await correct(app, path, { "row-3": correction });
    assert.match((await rowsOf(app, headers.get("location")!)).at(-1)!, reads, correction);
  }
  const kept = correctRows(listOf("USDOT,Name\n295017,A\nx1,Bob"), new Map([[3, "146793"]]));
  assert.equal(kept!.rows[1]!.name, "Bob", "the row keeps its name");
});

Deno.test("corrections change no other row, whatever is typed", () => {
  const line = fc.constantFrom(
    "USDOT 295017",
    "x",
    "MC 12",
    "DOT 1 or 2222",
    "4",
    "MC 2 LOGISTICS",
  );
  const typed = fc.oneof(line, fc.constantFrom("", " ", "4 5 6", "=1+1", "<b>"), fc.string());
  const corrections = fc.dictionary(fc.integer({ min: 1, max: 12 }).map(String), typed);
  let tried = 0;
  fc.assert(fc.property(fc.array(line, { maxLength: 10 }), corrections, (lines, typed) => {
    const list = listOf(["USDOT", "1", ...lines].join("\n"));
    const given = new Map(Object.entries(typed).map(([row, text]) => [Number(row), text.trim()]));
    const corrected = correctRows(list, given);
    if (corrected === null) return;
    tried++;
    const numbers = (parsed: ParsedUpload) => [...new Set(parsed.rows.map(({ row }) => row))];
    assert.deepEqual(numbers(corrected), numbers(list));
    for (const row of list.rows) {
      const text = given.get(row.row) ?? "";
      const after = corrected.rows.filter((one) => one.row === row.row);
      if (row.wanted !== null || text === "" || text === row.unread?.text) {
        assert.ok(after.includes(row), `row ${row.row}`);
      } else {
        const digits = text.normalize("NFKC").replaceAll(",", "");
        for (const { wanted } of after) assert.ok(digits.includes(String(wanted?.number ?? "")));
      }
    }
  }));
  // Otherwise the property says nothing.
  assert.ok(tried >= 20, `${tried} corrections were accepted`);
});

Deno.test("a corrections form must be small, from our own page, and for a list that exists", async () => {
  const app = pagesWithLists();
  const path = await send(app, { text: `USDOT 295017\n${"x\n".repeat(MOST_CORRECTED + 5)}` });
  const main = await mainOf(await app.visit(path));
  assert.equal(main.querySelectorAll("form.fix input").length, MOST_CORRECTED);
  assert.match(main.textContent, /These are the first 50; the others follow/);
  const long = await correct(app, path, { "row-2": `USDOT 4${" ".repeat(LONGEST_CORRECTION)}5` });
  assert.match((await rowsOf(app, long.headers.get("location")!))[1]!, /^2 USDOT 4 /);
  app.clock.advance(60_000);
  assert.equal((await correct(app, path, { "row-2": "4".repeat(200_000) })).status, 413);
  const foreign = { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" };
  assert.equal((await correct(app, path, { "row-2": "4" }, foreign)).status, 403);
  assert.equal((await correct(app, "/bulk/none", { "row-2": "4" })).status, 404);
  const names = { "row-0": "4", "row--1": "4", "row-1": "4", row: "4", "row-99": "4" };
  assert.equal(
    (await correct(app, path, names)).headers.get("location"),
    path,
    "nothing to correct",
  );
  app.clock.advance(60_000);
  const full = await send(app, { file: `${"USDOT 295017\n".repeat(4_999)}x` });
  const many = await correct(app, full, { "row-5000": "USDOT 4, USDOT 5" });
  assert.equal(many.status, 400);
  assert.match(await many.text(), /can&#39;t check a list of more than 5,000 numbers/);
  app.clock.advance(3_600_000);
  assert.equal((await correct(app, path, { "row-2": "4" })).status, 404);
});

Deno.test("rows with one number among other words lead to one question, with examples", async () => {
  const app = pagesWithLists();
  const text = [
    "USDOT 295017",
    ...Array.from({ length: 12 }, (_, i) => `CARRIER${"ABCDEFGHIJKL"[i]} 10669${i % 10}`),
  ]
    .join("\n");
  const ask = async (form: Record<string, string>) => {
    app.clock.advance(60_000);
    const body = listForm({ text });
    for (const [name, value] of Object.entries(form)) body.append(name, value);
    return await app.visit("/bulk", { method: "POST", headers: OURS, body });
  };
  const main = await mainOf(await ask({}));
  assert.match(
    main.querySelector("legend")!.textContent,
    /^Did you mean USDOT 106690 for “CARRIERA 106690”, and so on for 12 rows\?$/,
  );
  assert.equal(main.querySelectorAll("fieldset").length, 1);
  assert.equal(main.querySelectorAll("fieldset li").length, 3);
  assert.equal(main.querySelectorAll("select").length, 0);
  for (const [words, result] of [["yes", "Not found"], ["no", "Needs fixing"]] as const) {
    const path = (await ask({ words })).headers.get("location")!;
    const rows = await rowsOf(app, path);
    assert.equal(rows.filter((row) => row.endsWith(result)).length, 12, words);
  }
});

Deno.test("the question about numbers without a prefix shows only such numbers", async () => {
  const app = pagesWithLists();
  const body = listForm({ text: "MC 186800\n143229\nDOT 4\n1896" });
  const response = await app.visit("/bulk", { method: "POST", headers: OURS, body });
  const main = await mainOf(response);
  assert.match(
    main.querySelector(".lede")!.textContent,
    /^Are the numbers without a prefix USDOT or MC numbers\?/,
  );
  assert.equal(main.querySelector(".hint")!.textContent, "143229 · 1896");
});
