import assert from "node:assert/strict";
import { parse as parseCsv } from "csv-parse/sync";
import type { SiteApp } from "../app.ts";
import { parse } from "../document.ts";
import { pagesWithLists, send } from "./lists.ts";

const FILE = "Name;USDOT\r\nA;295017\r\n=1+1;666\r\nB;x<b>y\r\nC;4\r\nD;146793\r\nE;0295017.0\r\n";

async function textOf(app: SiteApp, target: string): Promise<string> {
  const response = await app.visit(target);
  assert.equal(response.status, 200, target);
  return (await response.text()).replace(/^.*<main/s, "<main");
}

Deno.test("a list is waited for on a page of its own, then shown there", async () => {
  const app = pagesWithLists();
  // So that nothing is looked up until it is told to.
  await app.runner.stop();
  const path = await send(app, { file: FILE });
  assert.match(path, /^\/bulk\/[0-9a-f-]{36}$/);
  const waiting = await app.visit(path);
  assert.equal(waiting.headers.get("cache-control"), "no-store");
  assert.equal(waiting.headers.get("x-robots-tag"), "noindex");
  const html = await waiting.text();
  assert.match(html, /<noscript><meta http-equiv="refresh" content="1"\/?><\/noscript>/);
  assert.match(html, /<meta name="robots" content="noindex"/);
  assert.match(html, /<progress max="5" value="0"/);
  const told = await app.visit(`${path}.json`);
  assert.deepEqual(await told.json(), { status: "queued", done: 0, total: 5 });
  const early = await app.visit(`${path}.csv`);
  assert.deepEqual([early.status, early.headers.get("location")], [303, path]);
});

Deno.test("a list comes back in its order: every row told, names inert, links to the carriers", async () => {
  const app = pagesWithLists();
  const path = await send(app, { file: FILE });
  await app.runner.idle();
  const html = await textOf(app, path);
  assert.match(
    html,
    /<h1>5 numbers checked: 1 needs review, 3 with no issues found, 1 not found. 1 row unreadable</,
  );
  assert.match(html, /Public files of (?:3 October|Oct 3,) 2026/);
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
    [...tr.querySelectorAll("td")].slice(0, 4).map(({ textContent }) =>
      textContent.replace(/[2-5] of 6/, "some")
    )
  );
  const clear = "No issues found; some checks have no data";
  assert.deepEqual(cells, [
    ["2", clear, "USDOT 295017", "A"],
    ["3", clear, "USDOT 666", "=1+1"],
    ["4", "“x<b>y”: not a number", "", "B"],
    ["5", "USDOT 4 is not in the census", "USDOT 4", "C"],
    ["6", "Inactive", "USDOT 146793", "D"],
    ["7", `${clear}Repeats row 2`, "USDOT 295017", "E"],
  ]);
  assert.match(html, /1 row repeats an earlier row/);
  assert.doesNotMatch(html, /class="state ok"/, "no green tick while checks have no data");
  assert.match(html, /<a href="\/carriers\/295017">USDOT 295017<\/a>/);
  assert.doesNotMatch(html, /<img|<script|<b>/);
  assert.match(html, /<bdi>&lt;img src=x/);
});

Deno.test("rows are filtered and put in order by the address, without a script", async () => {
  const app = pagesWithLists();
  const path = await send(app, { text: "295017 666 4 146793 295017" });
  await app.runner.idle();
  const dots = async (query: string): Promise<string[]> => {
    const html = await textOf(app, path + query);
    return [...html.matchAll(/<td data-by="(\d+)">(?:USDOT|<a)/g)].map(([, dot]) => dot!);
  };
  assert.deepEqual(await dots(""), ["295017", "666", "4", "146793", "295017"]);
  assert.deepEqual(await dots("?sort=dot"), ["4", "666", "146793", "295017", "295017"]);
  assert.deepEqual(await dots("?sort=dot&dir=desc"), ["295017", "295017", "146793", "666", "4"]);
  assert.deepEqual(await dots("?show=review"), ["146793"]);
  assert.deepEqual((await dots("?sort=result")).slice(0, 2), ["146793", "4"]);
  const html = await textOf(app, `${path}?sort=dot&show=clear`);
  assert.match(
    html,
    /<th scope="col" aria-sort="ascending"><a href="\?sort=dot&amp;dir=desc&amp;show=clear">/,
  );
  assert.match(
    html,
    /<a href="\?sort=dot&amp;show=clear" aria-current="true">No issues found \(3\)/,
  );
});

Deno.test("numbers in a column headed MC # are MC numbers: never another company's USDOT number", async () => {
  const app = pagesWithLists();
  const path = await send(app, { text: "Carrier,MC #\nAcme Freight,1896\nB,143229\nC,77" });
  await app.runner.idle();
  const html = await textOf(app, path);
  assert.doesNotMatch(html, /WARREN|carriers\/1896"/, "USDOT 1896 is another company");
  assert.match(html, /<small>MC 1896<\/small><a href="\/carriers\/111898">USDOT 111898<\/a>/);
  assert.match(html, /<bdi>Acme Freight<\/bdi>.*<bdi>ACME<\/bdi>/s);
  assert.match(html, /MC 143229 is shared by 2 USDOT numbers.*also <a href="\/carriers\/295017">/s);
  assert.match(html, /No carrier in the census lists MC 77/);
  assert.match(html, /<h1>3 numbers checked: 1 needs review, 1 with no issues found, 1 not found</);
  const other = await send(app, { text: "FF 12\nMC 12" });
  await app.runner.idle();
  const forwarder = await textOf(app, other);
  assert.match(forwarder, /<small>FF 12<\/small><a href="\/carriers\/111898">/);
  assert.match(forwarder, /No carrier in the census lists MC 12</);
});

Deno.test("the CSV file has every row in the order asked, and nothing in it runs", async () => {
  const app = pagesWithLists();
  const path = await send(app, { file: FILE });
  await app.runner.idle();
  const response = await app.visit(`${path}.csv`);
  assert.match(response.headers.get("content-type")!, /^text\/csv; charset=utf-8/);
  assert.equal(
    response.headers.get("content-disposition"),
    'attachment; filename="usdot-check-2026-10-05.csv"',
  );
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal(response.headers.get("x-robots-tag"), "noindex");
  const bytes = await response.bytes();
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  const records: Record<string, string>[] = parseCsv(bytes, { bom: true, columns: true });
  assert.deepEqual(records.map(({ row, read_as, result }) => [row, read_as, result]), [
    ["2", "USDOT 295017", "No issues found"],
    ["3", "USDOT 666", "No issues found"],
    ["4", "", "Unreadable"],
    ["5", "USDOT 4", "Not found"],
    ["6", "USDOT 146793", "Needs review"],
    ["7", "USDOT 295017", "No issues found"],
  ]);
  assert.equal(records[1]!.your_name, "'=1+1", "a name that looks like a formula is text");
  const [carrier] = records;
  assert.equal(carrier!.name, "SOME CARRIER");
  assert.equal(carrier!.power_units, "4");
  assert.equal(carrier!.drivers, "", "what the census leaves blank is blank, not 0");
  assert.equal(carrier!.mcs150_state, "ok");
  assert.equal(carrier!.page_url, "https://carriers.example/carriers/295017");
});

Deno.test("a list is gone an hour after it is checked, and nobody guesses an address", async () => {
  const app = pagesWithLists();
  const path = await send(app, { text: "295017" });
  await app.runner.idle();
  assert.equal((await app.visit(path)).status, 200);
  app.clock.advance(3_600_000);
  for (
    const target of [path, `${path}.csv`, `${path}.json`, "/bulk/x", "/bulk/.csv", `${path}.exe`]
  ) {
    const response = await app.visit(target);
    assert.equal(response.status, 404, target);
    assert.match(await response.text(), /<h1>This list is not here any more/, target);
  }
});
