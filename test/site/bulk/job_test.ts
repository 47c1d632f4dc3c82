import assert from "node:assert/strict";
import { record } from "../../pipeline/snapshot/memory.ts";
import { siteOf } from "../app.ts";
import { mainOf } from "../document.ts";
import { checkSize } from "../html.ts";
import { steady } from "../../until.ts";
import { pagesWithLists, send } from "./uploads.ts";

/** Sends 1,200 numbers in as many shards. */
async function sendMany(): Promise<{ app: ReturnType<typeof siteOf>; path: string }> {
  const dots = Array.from({ length: 1_200 }, (_, i) => 100 * i + 17);
  const app = siteOf(dots.map((dot) => record(dot)));
  return { app, path: await send(app, { file: dots.join("\n") }) };
}

Deno.test("a list shows its progress without a script, and its result follows on the same page", async () => {
  const { app, path } = await sendMany();
  assert.match(path, /^\/bulk\/[0-9a-f-]{36}$/);
  const reads = app.source.gets.length;
  const response = await app.visit(path);
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal(response.headers.get("x-robots-tag"), "noindex");
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let html = (await reader.read()).value! + (await reader.read()).value!;
  assert.match(html, /<meta name="robots" content="noindex"/);
  assert.match(
    html,
    /<h1>Your list<\/h1>.*<h2>Checking your list<\/h2>.*href="\/bulk">Cancel.*0 of 1,200 checked/,
  );
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
  assert.match(result, /<h2>1,200 checked.*Page 1 of 24.*>Last</s);
  assert.equal(result.match(/href="\/carriers\//g)!.length, 50);
  assert.doesNotMatch(await (await app.visit(path)).text(), /Checking your list/, "kept");
});

Deno.test("leaving the page of a list stops its lookups, and lets the client open another", async () => {
  const { app, path } = await sendMany();
  const peer = "192.0.2.7";
  const left = (await app.visit(path, {}, peer)).body!.getReader();
  for (let parts = 0; parts < 3; parts++) await left.read();
  await left.cancel();
  assert.ok(await steady(() => app.source.gets.length) < 500);
  const file = await app.visit(`${path}.csv`, {}, peer);
  assert.equal((await file.text()).split("\r\n").length, 1_202);
});

Deno.test("a number that can't be read says so, and the next visit retries it", async () => {
  const app = siteOf();
  const path = await send(app, { text: "295017 4" });
  app.source.fault = (_, path) => path.includes("carriers/2950") ? "error" : null;
  const page = async (): Promise<string> => await (await app.visit(path)).text();
  assert.match(await page(), /<h2>2 checked: 1 not found, 1 not available now</);
  app.source.fault = () => null;
  app.clock.advance(60_000);
  assert.match(await page(), /<h2>2 checked: 1 \D+, 1 not found</);
});

Deno.test("a result keeps the list's order: one outcome per row, names inert, links to the carriers", async () => {
  const app = pagesWithLists();
  const file =
    "Name;USDOT\r\nSome Carrier LLC;295017\r\n=1+1;666\r\nB;x<b>y\r\nC;4\r\nD;146793\r\n";
  const main = await mainOf(await app.visit(await send(app, { file: `${file}E;0295017.0` })));
  const rows = Array.from(main.querySelectorAll("tbody tr"), (row) => {
    const [number, result, dot, , own] = [...row.querySelectorAll("td")];
    return [number, result, dot, own].map((cell) => cell!.textContent);
  });
  const clear = "No issues found; 3 of 6 checks have no data";
  assert.deepEqual(rows, [
    ["2", clear, "USDOT 295017 · SAFER", "Some Carrier LLCName matches"],
    [
      "3",
      "Review: Your name “=1+1” differs: '1' where FMCSA has 'script', 'script', 'window' and 2 more",
      "USDOT 666 · SAFER",
      "=1+1",
    ],
    ["4", "Needs fixing: Couldn't find one number in “x<b>y”", "", "B"],
    ["5", "Not found: USDOT 4 isn't in the data", "USDOT 4 · SAFER", "C"],
    [
      "6",
      "Problem: InactiveReview: Your name “D” differs: No word is the same as in FMCSA's name",
      "USDOT 146793 · SAFER",
      "D",
    ],
    [
      "7",
      "Review: Your name “E” differs: No word is the same as in FMCSA's nameDuplicate of row 2",
      "USDOT 295017 · SAFER",
      "E",
    ],
  ]);
  assert.ok(main.querySelector("tbody a[href='/carriers/295017']"));
  assert.equal(main.querySelectorAll("img, script, b").length, 0);
});

Deno.test("numbers in a column headed MC # are MC numbers, never another company's USDOT number", async () => {
  const app = pagesWithLists();
  const resultOf = async (text: string): Promise<string> =>
    await (await app.visit(await send(app, { text }))).text();
  const html = await resultOf("Carrier,MC #\nAcme Freight,1896\nB,143229\nC,77");
  assert.doesNotMatch(html, /WARREN|carriers\/1896"/, "USDOT 1896 is another company");
  assert.match(html, /<small>MC 1896<\/small><a href="\/carriers\/111898">USDOT 111898<\/a>/);
  assert.match(html, /<bdi>ACME<\/bdi>.*<bdi>Acme Freight<\/bdi>/s);
  assert.match(html, /MC 143229 is shared by 2 USDOT numbers.*also <a href="\/carriers\/295017">/s);
  assert.match(html, /No carrier in the data lists MC 77/);
  const forwarder = await resultOf("FF 12\nMC 12");
  assert.match(forwarder, /<small>FF 12<\/small><a href="\/carriers\/111898">/);
  assert.match(forwarder, /No carrier in the data lists MC 12</);
  // The list says that both numbers belong to one carrier.
  const pair = await resultOf("USDOT,MC\n111898,12\n111898,1896");
  assert.match(pair, /MC 12 isn&#39;t listed for USDOT 111898/);
  assert.match(pair, /<h2>2 checked: 1 to review, 1 no issues</);
});

Deno.test("the CSV file of a list can be uploaded again", async () => {
  const app = pagesWithLists();
  const csv = await app.visit(`${await send(app, { text: "USDOT 111898\n295017" })}.csv`);
  const bytes = await csv.bytes();
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  const again = await app.visit(await send(app, { file: bytes }));
  assert.match(await again.text(), /2 checked.*USDOT numbers from column \d, “dot”/s);
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
