import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import { LIST_QUOTA } from "../../../site/list/lists.ts";
import { MOST_BYTES } from "../../../site/list/upload.ts";
import { HOSTILE } from "../../mcp/service.ts";
import { record } from "../../pipeline/snapshot/memory.ts";
import { type SiteApp, siteOf } from "../app.ts";

const OURS = { "Sec-Fetch-Site": "same-origin" };

const FILE = "Name;USDOT\r\nA;295017\r\n=1+1;666\r\nB;x<b>y\r\nC;4\r\nD;146793\r\nE;0295017.0\r\n";

/** Pages over a carrier without an issue, one that is inactive and a hostile one. */
function pagesWithLists(): SiteApp {
  const filed = { operation: "A", mcs150_date: "2026-01-23", power_units: 4 } as const;
  return siteOf([
    record(295017, { ...filed, legal_name: "SOME CARRIER", city: "AKRON", state: "OH" }),
    record(146793, { ...filed, status: "I" }),
    HOSTILE,
  ]);
}

/** A form for a list, as a browser sends it. */
function listForm(
  { text = "", file }: { text?: string; file?: BlobPart | undefined },
): FormData {
  const form = new FormData();
  form.set("text", text);
  form.set(
    "file",
    new File(file === undefined ? [] : [file], file === undefined ? "" : "list.csv"),
  );
  return form;
}

/** Sends a list and answers with the path of its page. */
async function send(app: SiteApp, form: Parameters<typeof listForm>[0]): Promise<string> {
  const response = await app.visit("/bulk", {
    method: "POST",
    headers: OURS,
    body: listForm(form),
  });
  assert.equal(response.status, 303, await response.text());
  return response.headers.get("location")!;
}

/** The page that answers a form which is refused. */
async function refused(
  app: SiteApp,
  init: RequestInit,
  peer?: string,
): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await app.visit("/bulk", { method: "POST", headers: OURS, ...init }, peer);
  const { status, headers } = response;
  assert.match(headers.get("content-type") ?? "", /^text\/html/);
  assert.equal(headers.get("cache-control"), "no-store");
  return { status, headers, text: await response.text() };
}

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
  assert.match(html, /<h1>5 numbers checked, 3 to look at<\/h1>/);
  assert.match(html, /Public files of Oct 3, 2026/);
  assert.match(html, /Kept until 1:00\sPM Eastern time on Oct 5, 2026/);
  assert.match(html, /Read from column 2 of 2, “USDOT”, of your table/);
  assert.match(html, /1 row holds no USDOT number.*Row 4: <bdi>x&lt;b&gt;y<\/bdi>/s);
  const rows = [
    ...html.matchAll(
      /<tr><td>(\d+)<\/td><td[^>]*>(.*?)<\/td>.*?<span class="state (\w+)">([^<]+)/gs,
    ),
  ];
  assert.deepEqual(
    rows.map(([, row, dot, tone, words]) => [row, dot!.replace(/<[^>]+>/g, ""), tone, words]),
    [
      ["2", "295017", "ok", "No issue found"],
      ["3", "666", "ok", "No issue found"],
      ["4", "", "info", "Not a USDOT number"],
      ["5", "4", "info", "Not in the census"],
      ["6", "146793", "bad", "Problem"],
      ["7", "295017", "ok", "No issue found"],
    ],
  );
  assert.match(html, /<a href="\/carriers\/295017">295017<\/a>/);
  assert.doesNotMatch(html, /<img|<script|<b>/);
  assert.match(html, /<bdi>&lt;img src=x/);
});

Deno.test("rows are filtered and put in order by the address, without a script", async () => {
  const app = pagesWithLists();
  const path = await send(app, { text: "295017 666 4 146793 295017" });
  await app.runner.idle();
  const dots = async (query: string): Promise<string[]> => {
    const html = await textOf(app, path + query);
    return [...html.matchAll(/<td data-by="(\d+)"><a/g)].map(([, dot]) => dot!);
  };
  assert.deepEqual(await dots(""), ["295017", "666", "4", "146793", "295017"]);
  assert.deepEqual(await dots("?sort=dot"), ["4", "666", "146793", "295017", "295017"]);
  assert.deepEqual(await dots("?sort=dot&dir=desc"), ["295017", "295017", "146793", "666", "4"]);
  assert.deepEqual(await dots("?show=problem"), ["146793"]);
  assert.deepEqual(await dots("?show=look&sort=verdict"), ["146793", "4"]);
  const html = await textOf(app, `${path}?sort=dot&show=look`);
  assert.match(
    html,
    /<th scope="col" aria-sort="ascending"><a href="\?sort=dot&amp;dir=desc&amp;show=look">/,
  );
  assert.match(html, /<a href="\?sort=dot&amp;show=look" aria-current="true">Needs a look \(2\)/);
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
  const records: Record<string, string>[] = parse(bytes, { bom: true, columns: true });
  assert.deepEqual(records.map(({ row, dot, verdict }) => [row, dot, verdict]), [
    ["2", "295017", "No issue found"],
    ["3", "666", "No issue found"],
    ["4", "", "Not a USDOT number"],
    ["5", "4", "Not in the census"],
    ["6", "146793", "Problem"],
    ["7", "295017", "No issue found"],
  ]);
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

Deno.test("a form of another site is refused and makes no job", async () => {
  const app = pagesWithLists();
  for (
    const headers of [
      { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" },
      { "Sec-Fetch-Site": "same-site", Origin: "https://x.carriers.example" },
      { Origin: "https://evil.example" },
      { Origin: "null" },
    ]
  ) {
    const { status, text } = await refused(app, { headers, body: listForm({ text: "295017" }) });
    assert.equal(status, 403, JSON.stringify(headers));
    assert.match(text, /did not come from our page/);
  }
  // What a page of another site may send without asking first, and no form of ours is.
  const plain = await refused(app, {
    headers: { ...OURS, "Content-Type": "text/plain" },
    body: "295017",
  });
  assert.equal(plain.status, 415);
  assert.equal(app.kv.entries.size, 0);
});

Deno.test("a form that cannot be read is answered with the form, what is wrong, and what was typed", async () => {
  const app = pagesWithLists();
  const text = "nobody <here>";
  const unread = await refused(app, { body: listForm({ text }) });
  assert.equal(unread.status, 400);
  assert.match(
    unread.text,
    /<textarea[^>]*aria-describedby="text-error text-hint" aria-invalid="true"/,
  );
  assert.match(unread.text, /id="text-error">Cannot find a USDOT number in this list\./);
  assert.match(unread.text, />nobody &lt;here&gt;<\/textarea>/);
  const cases: [form: Parameters<typeof listForm>[0], status: number, says: RegExp][] = [
    [{}, 400, /text-error">Cannot find a list/],
    [{ text: "1", file: "1" }, 400, /Cannot tell which list to check/],
    [{ file: "PK\x03\x04..." }, 400, /id="file-error">.*Excel workbook/],
    [{ file: "1\0\0" }, 400, /id="file-error">.*not a text file/],
    [{ file: "1\n".repeat(5_001) }, 400, /id="file-error">.*split it/],
    [
      { file: new Uint8Array(MOST_BYTES) },
      413,
      /id="file-error">Cannot read a list of more than 4 MB: keep only/,
    ],
  ];
  for (const [form, status, says] of cases) {
    app.clock.advance(60_000);
    const answer = await refused(app, { body: listForm(form) });
    assert.equal(answer.status, status, String(says));
    assert.match(answer.text, says);
    assert.match(answer.text, /<h1>Check a list/);
  }
});

Deno.test("a form made to break the reader is refused in words", async () => {
  const app = pagesWithLists();
  const part = (name: string, value = "1", more = ""): string =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const file = '; filename="x"';
  const cases: [body: string, says: RegExp][] = [
    [part("a", "").repeat(50_000) + "--b--\r\n", /too many parts/],
    [part("text", "295017"), /Cannot find a list/],
    ["--b\r\n".repeat(3), /Cannot find a list/],
    ["", /cut off or not well-formed/],
    [part("text") + part("text") + "--b--\r\n", /several lists/],
    [part("file", "1", file) + part("file", "2", file) + "--b--\r\n", /several lists/],
    [part("n".repeat(100_000)) + "--b--\r\n", /Cannot (?:read the form|find a list)/],
    [part("text", "1", `; filename="${"n".repeat(3_000)}"`) + "--b--\r\n", /Cannot find a list/],
  ];
  for (const [body, says] of cases) {
    const headers = { ...OURS, "Content-Type": "multipart/form-data; boundary=b" };
    const answer = await refused(app, { headers, body });
    assert.equal(answer.status, 400, String(says));
    assert.match(answer.text, says);
  }
  for (
    const type of ["multipart/form-data", "multipart/form-data; boundary=", "application/json"]
  ) {
    const headers = { ...OURS, "Content-Type": type };
    assert.equal((await refused(app, { headers, body: "{}" })).status, 415, type);
  }
  assert.equal(app.kv.entries.size, 0);
});

Deno.test("an address may send only so many lists a minute, whatever is in them", async () => {
  const app = pagesWithLists();
  const peer = "192.0.2.9";
  for (let n = 0; n < LIST_QUOTA.limit; n++) {
    assert.equal((await refused(app, { body: listForm({}) }, peer)).status, 400);
  }
  const { status, headers, text } = await refused(app, { body: listForm({ text: "1" }) }, peer);
  assert.equal(status, 429);
  assert.ok(Number(headers.get("retry-after")) > 0);
  assert.match(text, /Cannot take more than 20 lists a minute/);
});

Deno.test("lists are told to wait while the store fails", async () => {
  const app = pagesWithLists();
  const path = await send(app, { text: "295017" });
  await app.runner.idle();
  app.kv.options = { fault: () => "error" };
  const sent = await refused(app, { body: listForm({ text: "295017" }) });
  assert.equal(sent.status, 503);
  assert.match(sent.text, />295017<\/textarea>/);
  assert.equal((await app.visit(path)).status, 503);
});
