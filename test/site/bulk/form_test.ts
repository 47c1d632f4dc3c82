import assert from "node:assert/strict";
import { PAGE_COSTS, PAGE_QUOTA } from "../../../api/state/rate_limit.ts";
import { MOST_BYTES } from "../../../site/bulk/upload.ts";
import type { SiteApp } from "../app.ts";
import { listForm, OURS, pagesWithLists, send } from "./uploads.ts";

/** The page that answers a refused form. */
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

Deno.test("a list of 5,000 MC numbers keeps all of its names, or is refused completely", async () => {
  const app = pagesWithLists();
  const listOf = (name: (i: number) => string): string =>
    "Name,MC,City\n" +
    Array.from({ length: 5_000 }, (_, i) =>
      `${name(i)},${1 + i * 7_919 % 1_700_000},Town ${i % 700}\n`).join("");
  const names = Array.from(
    { length: 5_000 },
    (_, i) => `${(i * 2_654_435_761 % 2 ** 32).toString(36)} ${i * 31 % 977} TRUCKING LLC`,
  );
  const path = await send(app, { file: listOf((i) => names[i]!) });
  const csv = await (await app.visit(`${path}.csv`)).text();
  assert.deepEqual(csv.split("\r\n").slice(1, -1).map((line) => line.split(",")[2]), names);
  const strange = (i: number): string =>
    Array.from({ length: 60 }, (_, k) => String.fromCharCode(0x3400 + (i * 977 + k * k) % 27_000))
      .join("");
  const { status, text } = await refused(app, { body: listForm({ file: listOf(strange) }) });
  assert.equal(status, 400);
  assert.match(text, /can&#39;t keep this list with all of its names.*: split it/);
});

Deno.test("a form from another site is refused and creates no job", async () => {
  const app = pagesWithLists();
  const foreign: Record<string, string>[] = [
    { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" },
    { "Sec-Fetch-Site": "same-site", Origin: "https://x.carriers.example" },
    { Origin: "https://evil.example" },
    { Origin: "null" },
  ];
  for (const headers of foreign) {
    const { status, text } = await refused(app, { headers, body: listForm({ text: "295017" }) });
    assert.equal(status, 403, JSON.stringify(headers));
    assert.match(text, /did not come from our page/);
  }
  assert.equal(app.kv.entries.size, 0);
});

Deno.test("a list of both kinds, or one that is too long, gets the form back with what is wrong", async () => {
  const app = pagesWithLists();
  const tooBig = /id="file-error">We can&#39;t read a list of more than 4 MB: keep only/;
  const cases: [form: Parameters<typeof listForm>[0], status: number, says: RegExp][] = [
    [{ text: "1", file: "1" }, 400, /We can&#39;t tell which list to check/],
    [{ file: Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0) }, 400, /id="file-error">.*an old Excel/],
    [{ file: "1\n".repeat(5_001) }, 400, /id="file-error">.*split it/],
    [{ file: new Uint8Array(MOST_BYTES + 1) }, 413, tooBig],
    [{ file: new Uint8Array(2 * MOST_BYTES) }, 413, tooBig],
  ];
  for (const [form, status, says] of cases) {
    app.clock.advance(60_000);
    const answer = await refused(app, { body: listForm(form) });
    assert.equal(answer.status, status, String(says));
    assert.match(answer.text, says);
  }
});

Deno.test("a form made to break the parser is refused with an explanation", async () => {
  const app = pagesWithLists();
  const part = (name: string, value = "1", more = ""): string =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const file = part("file", "1", '; filename="x"');
  const end = "--b--\r\n";
  const multipart = "multipart/form-data; boundary=b";
  const cases: [body: string, says: RegExp, type?: string][] = [
    [part("a", "").repeat(50_000) + end, /too many parts/],
    [part("text", "295017"), /There is no list yet/],
    ["--b\r\n".repeat(3), /There is no list yet/],
    ["", /cut off or not well-formed/],
    [part("text") + part("text") + end, /several lists/],
    [file + file + end, /several lists/],
    [part("n".repeat(100_000)) + end, /We can&#39;t read the form|There is no list/],
    [part("text", "1", `; filename="${"n".repeat(3_000)}"`) + end, /There is no list yet/],
    ["{}", /./, "multipart/form-data"],
    ["{}", /./, "multipart/form-data; boundary="],
    ["{}", /./, "application/json"],
    // A page of another site can send this without a preflight. None of our forms sends it.
    ["295017", /./, "text/plain"],
  ];
  for (const [body, says, type = multipart] of cases) {
    const answer = await refused(app, { headers: { ...OURS, "Content-Type": type }, body });
    assert.equal(answer.status, type === multipart ? 400 : 415, `${says} ${type}`);
    assert.match(answer.text, says);
  }
  assert.equal(app.kv.entries.size, 0);
});

Deno.test("an address may send only a limited number of lists per minute, whatever their contents", async () => {
  const app = pagesWithLists();
  const peer = "192.0.2.9";
  for (let n = 0; n < PAGE_QUOTA / PAGE_COSTS.upload; n++) {
    assert.equal((await refused(app, { body: listForm({}) }, peer)).status, 400);
  }
  const { status, headers } = await refused(app, { body: listForm({ text: "1" }) }, peer);
  assert.equal(status, 429);
  assert.ok(Number(headers.get("retry-after")) > 0);
});

Deno.test("lists get 503 while the store fails", async () => {
  const app = pagesWithLists();
  const path = await send(app, { text: "295017" });
  app.kv.options = { fault: () => "error" };
  const sent = await refused(app, { body: listForm({ text: "295017" }) });
  assert.equal(sent.status, 503);
  assert.match(sent.text, />295017<\/textarea>/);
  assert.equal((await app.visit(path)).status, 503);
});

// Regression: 15 clients with 4 MB each took 1.4 GB.
Deno.test("concurrent uploads are limited, per client and in total", async () => {
  const app = pagesWithLists();
  const open: ReadableStreamDefaultController<Uint8Array>[] = [];
  const slowly = (peer: string): Promise<Response> => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void open.push(controller),
    });
    const headers = { ...OURS, "Content-Type": "multipart/form-data; boundary=b" };
    return app.visit("/bulk", { method: "POST", headers, body }, peer);
  };
  const mine = Array.from({ length: 5 }, () => slowly("192.0.2.1"));
  const busy = await slowly("192.0.2.1");
  assert.deepEqual([busy.status, busy.headers.has("retry-after")], [503, true]);
  const others = Array.from({ length: 31 }, (_, i) => slowly(`192.0.3.${i}`));
  assert.equal((await slowly("192.0.2.2")).status, 503, "others wait, and no more than can");
  // A finished upload lets the next one in.
  for (const controller of open) controller.close();
  for (const response of [...mine, ...others]) assert.equal((await response).status, 400);
});
