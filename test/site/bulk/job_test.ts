import { parse as parseCsv } from "csv-parse/sync";
import assert from "node:assert/strict";
import { record } from "../../pipeline/snapshot/memory.ts";
import { type SiteApp, siteOf } from "../app.ts";
import { parse } from "../document.ts";
import { checkSize } from "../html.ts";
import { pagesWithLists, send } from "./uploads.ts";

const FILE =
  "Name;USDOT\r\nSome Carrier LLC;295017\r\n=1+1;666\r\nB;x<b>y\r\nC;4\r\nD;146793\r\nE;0295017.0\r\n";

/** The main part of a page's HTML, without what was shown while it was looked up, which is hidden then. */
async function resultOf(app: SiteApp, target: string): Promise<string> {
  const response = await app.visit(target);
  assert.equal(response.status, 200, target);
  return (await response.text()).replace(/^.*<main/s, "<main")
    .replace(/<div class="reading">.*<div class="done">/s, "");
}

/** Sends 1,200 numbers of as many shards. */
async function sendMany(): Promise<{ app: ReturnType<typeof siteOf>; path: string }> {
  const dots = Array.from({ length: 1_200 }, (_, i) => 100 * i + 17);
  const app = siteOf(dots.map((dot) => record(dot)));
  return { app, path: await send(app, { file: dots.join("\n") }) };
}

Deno.test("a list is shown as it is looked up, without a script, and its result follows on the same page", async () => {
  const { app, path } = await sendMany();
  assert.match(path, /^\/bulk\/[0-9a-f-]{36}$/);
  const reads = app.source.gets.length;
  const response = await app.visit(path);
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal(response.headers.get("x-robots-tag"), "noindex");
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let html = (await reader.read()).value! + (await reader.read()).value!;
  assert.match(html, /<meta name="robots" content="noindex"/);
  assert.match(html, /<h1>Checking your list<\/h1>.*href="\/bulk">Cancel.*0 of 1,200 checked/);
  assert.equal(app.source.gets.length, reads, "before any lookup");
  html += (await reader.read()).value!;
  assert.match(
    html,
    /<li>USDOT 17 .*<progress max="1200" value="16"[^>]*><\/progress> 16 of 1,200/,
  );
  assert.ok(app.source.gets.length - reads < 200, "only what is shown is looked up");
  for (let part = await reader.read(); !part.done; part = await reader.read()) html += part.value;
  const [progress, result] = html.split('<div class="done">') as [string, string];
  assert.match(progress, /value="11\d\d"/);
  assert.equal(progress.match(/<li>USDOT /g)!.length, 50, "rows of the first page");
  assert.ok(progress.match(/<progress/g)!.length <= 25);
  checkSize(html, "a list of 1,200");
  assert.match(result, /<h1>1,200 numbers checked.*Page 1 of 24.*>Last</s);
  assert.equal(result.match(/href="\/carriers\//g)!.length, 50);
  assert.doesNotMatch(await (await app.visit(path)).text(), /Checking your list/, "kept");
});

Deno.test("leaving the page of a list ends its lookups, and lets its reader look at another", async () => {
  const { app, path } = await sendMany();
  const peer = "192.0.2.7";
  const left = (await app.visit(path, {}, peer)).body!.getReader();
  for (let parts = 0; parts < 3; parts++) await left.read();
  await left.cancel();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const reads = app.source.gets.length;
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(app.source.gets.length, reads);
  assert.ok(reads < 500);
  const file = await app.visit(`${path}.csv`, {}, peer);
  assert.equal((await file.text()).split("\r\n").length, 1_202);
});

Deno.test("a number that cannot be read says so, and the next visit tries it again", async () => {
  const app = siteOf();
  const path = await send(app, { text: "295017 4" });
  app.source.fault = (_, path) => path.includes("carriers/2950") ? "error" : null;
  assert.match(
    await resultOf(app, path),
    /<h1>2 numbers checked: 1 not found, 1 not available now</,
  );
  app.source.fault = () => null;
  app.clock.advance(60_000);
  assert.match(await resultOf(app, path), /<h1>2 numbers checked: 1 \D+, 1 not found</);
});

Deno.test("a list comes back in its order: a result for every row, names inert, links to the carriers", async () => {
  const app = pagesWithLists();
  const path = await send(app, { file: FILE });
  const html = await resultOf(app, path);
  assert.match(
    html,
    /<h1>5 numbers checked: 3 need review, 1 with no issues found, 1 not found. 1 row unreadable</,
  );
  assert.match(html, /FMCSA data: census of Oct 3, 2026 \(2 days old\)/);
  assert.match(html, /Kept until 1:00\sPM Eastern time on (?:5 October|Oct 5,) 2026/);
  assert.match(
    html,
    /Read: your names from column 1, “Name”; USDOT numbers from column 2, “USDOT”\. Row 1 was/,
  );
  assert.match(
    html,
    /We couldn&#39;t read 1 row:.*Row 4: <bdi>“x&lt;b&gt;y”: not a number<\/bdi>/s,
  );
  const cells = [...parse(html).querySelectorAll("tbody tr")].map((tr) =>
    [...tr.querySelectorAll("td")].filter((_, i) => [0, 1, 2, 4].includes(i)).map((
      { textContent },
    ) => textContent.replace(/[2-5] of 6/, "some"))
  );
  const clear = "No issues found; some checks have no data";
  assert.deepEqual(cells, [
    ["2", clear, "USDOT 295017 · SAFER", "Some Carrier LLCName matches"],
    ["3", "Your name differs from FMCSA's", "USDOT 666 · SAFER", "=1+1"],
    ["4", "“x<b>y”: not a number", "", "B"],
    ["5", "USDOT 4 is not in the data", "USDOT 4 · SAFER", "C"],
    ["6", "InactiveYour name differs from FMCSA's", "USDOT 146793 · SAFER", "D"],
    ["7", "Your name differs from FMCSA'sRepeats row 2", "USDOT 295017 · SAFER", "E"],
  ]);
  assert.match(
    html,
    /href="https:\/\/safer[^"]*query_string=295017" rel="noreferrer" aria-label="SAFER, USDOT 295017"/,
  );
  assert.match(html, /1 row repeats another/);
  assert.doesNotMatch(html, /class="state ok"/, "no green tick while checks have no data");
  assert.match(html, /<a href="\/carriers\/295017">USDOT 295017<\/a>/);
  assert.doesNotMatch(html, /<img|<script|<b>/);
  assert.match(html, /<bdi>&lt;img src=x/);
});

Deno.test("rows are filtered and put in order by the address, without a script", async () => {
  const app = pagesWithLists();
  const path = await send(app, { text: "295017 666 4 146793 295017" });
  const dots = async (query: string): Promise<string[]> => {
    const html = await resultOf(app, path + query);
    return [...html.matchAll(/<td data-by="(\d+)">(?:USDOT|<a)[^]*?<\/td>/g)].map(([, dot]) =>
      dot!
    );
  };
  assert.deepEqual(await dots(""), ["295017", "666", "4", "146793", "295017"]);
  assert.deepEqual(await dots("?sort=dot"), ["4", "666", "146793", "295017", "295017"]);
  assert.deepEqual(await dots("?sort=dot&dir=desc"), ["295017", "295017", "146793", "666", "4"]);
  assert.deepEqual(await dots("?show=review"), ["146793"]);
  assert.deepEqual((await dots("?sort=result")).slice(0, 2), ["146793", "4"]);
  const html = await resultOf(app, `${path}?sort=dot&show=clear`);
  assert.match(
    html,
    /<th scope="col" aria-sort="ascending"><a href="\?sort=dot&amp;dir=desc&amp;show=clear">/,
  );
  assert.match(
    html,
    /<a href="\?sort=dot&amp;show=clear" aria-current="true">No issues found \(3\)/,
  );
});

Deno.test("rows that repeat a carrier say which row has it first, also as another number", async () => {
  const app = pagesWithLists();
  const path = await send(app, { text: "USDOT 111898\nMC 1896\nMC 99\nx\nMC 99\nUSDOT 4\nx" });
  const rows = parse(await resultOf(app, path)).querySelectorAll("tbody tr");
  const repeats = Array.from(rows, ({ textContent }) => /Repeats row (\d)/.exec(textContent)?.[1]);
  assert.deepEqual(repeats, [undefined, "1", undefined, undefined, "3", undefined, undefined]);
});

Deno.test("the CSV file has every row in the order asked, and nothing in it runs", async () => {
  const app = pagesWithLists();
  const file = FILE + '"SAY ""HI"" LLC";MC 143229\r\nA\u200bC\u202eME;MC 99\r\n';
  const path = await send(app, { file });
  const response = await app.visit(`${path}.csv`);
  const name = 'attachment; filename="usdot-check-2026-10-05.csv"';
  for (
    const [header, value] of [
      ["content-type", "text/csv; charset=utf-8; header=present"],
      ["content-disposition", name],
      ["cache-control", "no-store"],
      ["x-robots-tag", "noindex"],
    ] as const
  ) assert.equal(response.headers.get(header), value);
  const bytes = await response.bytes();
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  const records: Record<string, string>[] = parseCsv(bytes, { bom: true, columns: true });
  assert.deepEqual(
    records.map(({ row, read_as, result, your_name }) => [row, read_as, result, your_name]),
    [
      ["2", "USDOT 295017", "No issues found", "Some Carrier LLC"],
      ["3", "USDOT 666", "Needs review", "'=1+1"],
      ["4", "", "Unreadable", "B"],
      ["5", "USDOT 4", "Not found", "C"],
      ["6", "USDOT 146793", "Needs review", "D"],
      ["7", "USDOT 295017", "Needs review", "E"],
      ["8", "MC 143229", "Needs review", 'SAY "HI" LLC'],
      // What cannot be seen is left out, as on the pages.
      ["9", "MC 99", "Not found", "ACME"],
    ],
  );
  const [carrier, , unread, , , , shared] = records;
  assert.equal(carrier!.name, "SOME CARRIER");
  assert.equal(carrier!.power_units, "4");
  assert.equal(carrier!.drivers, "", "what the census leaves blank is blank, not 0");
  assert.equal(carrier!.mcs150_state, "ok");
  assert.equal(carrier!.page_url, "https://carriers.example/carriers/295017");
  assert.equal(unread!.facts, "“x<b>y”: not a number");
  assert.deepEqual([shared!.dot, shared!.other_dots], ["146793", "295017"]);
  assert.match(shared!.facts!, /^Inactive; MC 143229 is shared by 2 USDOT numbers/);
  // Its own column of numbers is read again.
  const again = await send(app, { file: bytes });
  assert.match(await resultOf(app, again), /USDOT numbers from column \d, “dot”/);
});

Deno.test("a list expires an hour after it was sent, and addresses cannot be guessed", async () => {
  const app = pagesWithLists();
  const path = await send(app, { text: "295017" });
  assert.equal((await app.visit(path)).status, 200);
  app.clock.advance(3_600_000);
  for (
    const target of [path, `${path}.csv`, `${path}.json`, "/bulk/x", "/bulk/.csv"]
  ) {
    const response = await app.visit(target);
    assert.equal(response.status, 404, target);
    assert.match(await response.text(), /<h1>This list has expired/, target);
  }
});
