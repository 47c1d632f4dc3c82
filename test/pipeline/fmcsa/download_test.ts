import assert from "node:assert/strict";
import { readSidecar } from "../../../pipeline/fmcsa/part.ts";
import { sleep } from "../../../pipeline/retry.ts";
import { sha256 } from "../../../pipeline/sha256.ts";
import { Download, fetchHere, NOW } from "./download.ts";
import { csvBytes, serveFile, serveRaw } from "./file_server.ts";

Deno.test("fetchFile() writes file and sidecar", async () => {
  await using at = new Download();
  assert.equal((await at.fetchWhole()).unchanged, false);
  assert.deepEqual(await readSidecar(at.to), {
    url: at.server.url,
    etag: '"one"',
    last_modified: "Mon, 05 Oct 2026 10:00:00 GMT",
    bytes: 300_000,
    sha256: sha256(at.server.behavior.body),
    fetched_at: "2026-10-08T12:00:00.000Z",
  });
  assert.equal(at.server.requests[0]?.get("accept-encoding"), "identity");
});

Deno.test("fetchFile() retries on 500, 503 and 429 and honors Retry-After, unless it is hours", async () => {
  const later = (status: number, after?: string) => () =>
    new Response("<h1>later</h1>", {
      status,
      headers: { "content-type": "text/html", ...(after && { "retry-after": after }) },
    });
  await using at = new Download({
    instead: [
      later(500),
      later(500),
      later(429, "7"),
      later(503, new Date(NOW + 30_000).toUTCString()),
      later(503, "1.5"),
    ],
  });
  await at.fetchWhole();
  at.assertWaits([1000, 2000, 7000, 30_000, 16_000]);
  at.server.behavior.instead.push(later(429, "86400"));
  await assert.rejects(at.fetch(), /HTTP 429.*come back in 24 h 0 min/);
  assert.equal(at.waits.length, 5);
});

const REFUSED: Record<string, [answer: () => Response, message: RegExp]> = {
  "404": [() => new Response("no", { status: 404 }), /"http:\/\/[^"]+": HTTP 404$/],
  "403": [() => new Response("no", { status: 403 }), /HTTP 403$/],
  "304 unasked": [() => new Response(null, { status: 304 }), /HTTP 304$/],
  "206 unasked": [() => new Response("a", { status: 206 }), /HTTP 206$/],
  "a page by type": [
    () => new Response("hello", { headers: { "content-type": "Text/HTML; charset=utf-8" } }),
    /web page/,
  ],
  "a page by content": [() => new Response("\ufeff \r\n<!doctype html>"), /web page/],
  "a coded body": [() => new Response("a", { headers: { "content-encoding": "gzip" } }), /gzip/],
};

Deno.test("fetchFile() fails without a retry and keeps the part when the response cannot be the file", async () => {
  for (const [what, [answer, message]] of Object.entries(REFUSED)) {
    await using at = new Download();
    const hasPart = what !== "206 unasked";
    if (hasPart) await at.leavePart();
    at.server.behavior.instead.push(answer);
    await assert.rejects(at.fetch(), message);
    assert.equal(at.server.requests.length, 1, what);
    await at.fetchWhole();
    if (hasPart) assert.equal(at.ranges()[1], "bytes=198976-", what);
  }
});

Deno.test("fetchFile() fails and leaves no file when the length stays wrong, whichever side detects it", async () => {
  await using at = new Download({
    etag: null,
    lastModified: null,
    cuts: Array<number>(9).fill(299_999),
  });
  await assert.rejects(at.fetch(), /failed 9 times in a row/);
  assert.equal(at.server.requests.length, 9);
  assert.ok(!(await at.names()).includes("census.csv"));
  const cases = [["abc", /cut at byte 3 of 4/], ["abcde", /longer than the 4/]] as const;
  for (const [body, message] of cases) {
    await using at = new Download();
    const fetch = () => Promise.resolve(new Response(body, { headers: { "content-length": "4" } }));
    await assert.rejects(at.fetch({ fetch, retries: 1 }), message);
    assert.ok(!(await at.names()).includes("census.csv"));
  }
});

Deno.test("fetchFile() accepts a chunked body only if it is complete, and no body that is empty or without a length", async () => {
  await using at = new Download({ chunked: true });
  await at.fetchWhole();
  const head = "HTTP/1.1 200 OK\r\nConnection: close\r\n";
  const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n4\r\na,b\n\r\n`;
  await using raw = serveRaw([chunked, `${chunked}4\r\n1,2\n\r\n0\r\n\r\n`, `${head}\r\na,b\n`]);
  await at.fetchWhole({ url: raw.url }, new TextEncoder().encode("a,b\n1,2\n"));
  assert.equal(at.waits.length, 1);
  await assert.rejects(at.fetch({ url: raw.url }), /neither a length nor chunks/);
  await using empty = new Download({ body: new Uint8Array(0) });
  await assert.rejects(empty.fetch({ retries: 1 }), /body is empty/);
});

Deno.test("fetchFile() retries when the server stops sending, and names the error when nothing listens", async () => {
  const gate = Promise.withResolvers<void>();
  await using at = new Download({ onChunk: (sent) => sent > 60_000 ? gate.promise : undefined });
  await at.fetchWhole({
    idleMs: 200,
    sleep: () => {
      at.server.behavior.onChunk = () => {};
      return Promise.resolve();
    },
  });
  gate.resolve();
  assert.match(at.said.join("\n"), /no byte came for 0.2 s/);
  const { url, ...gone } = serveFile();
  await gone[Symbol.asyncDispose]();
  await assert.rejects(at.fetch({ url, retries: 1 }), /2 times in a row.*refused/);
});

Deno.test("fetchFile() reads no body when the file is unchanged", async () => {
  for (const behavior of [{}, { etag: null }, { conditional: false }, { etag: 'W/"one"' }]) {
    const gate = Promise.withResolvers<void>();
    await using at = new Download(behavior);
    const { unchanged: _, ...first } = await at.fetch();
    at.server.behavior.onChunk = () => gate.promise; // Reading this body would never end
    assert.deepEqual(await at.fetch(), { ...first, unchanged: true });
    gate.resolve();
    assert.equal(at.server.requests.length, 2);
    assert.equal((await at.names()).length, 3);
  }
});

Deno.test("fetchFile() fetches again when file, sidecar or URL do not match", async () => {
  await using at = new Download();
  const spoil: (() => Promise<void>)[] = [
    () => Deno.truncate(at.to, 5),
    () => Deno.remove(at.to),
    () => Deno.remove(`${at.to}.json`),
    () => Deno.writeTextFile(`${at.to}.json`, "{"),
    () => Deno.writeTextFile(`${at.to}.json`, '{"bytes":300000}'),
  ];
  await at.fetch();
  for (const change of spoil) {
    await change();
    assert.equal(await readSidecar(at.to), undefined);
    assert.equal((await at.fetchWhole()).unchanged, false);
  }
  assert.equal((await at.fetch({ url: `${at.server.url}?b` })).unchanged, false);
});

Deno.test("fetchFile() keeps the old file when the new one fails", async () => {
  await using at = new Download();
  await at.fetch();
  const { behavior } = at.server;
  const old = behavior.body;
  Object.assign(behavior, { body: csvBytes(400_000, 2), etag: '"two"', cuts: [200_000] });
  await assert.rejects(at.fetch({ retries: 0 }));
  assert.equal((await readSidecar(at.to))?.sha256, sha256(old));
  await at.fetchWhole();
});

Deno.test("fetchFile() refuses to run while another fetch writes the same file", async () => {
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  await using at = new Download({
    onChunk: (sent) => {
      if (sent === 0) return;
      reached.resolve();
      return gate.promise;
    },
  });
  const first = at.fetchWhole();
  await reached.promise;
  await assert.rejects(at.fetch(), /another fetch is writing it/);
  gate.resolve();
  await first;
});

Deno.test("fetchFile() stops on abort while it waits to retry", async () => {
  const stop = new AbortController();
  await using at = new Download({ instead: [() => new Response("", { status: 500 })] });
  const waiting = at.fetch({ signal: stop.signal, say: () => stop.abort(), sleep });
  await assert.rejects(waiting, { name: "AbortError" });
});

Deno.test("fetchFile() rejects URLs that are not plain http(s), and missing folders", async () => {
  await using at = new Download();
  await assert.rejects(at.fetch({ url: "file:///etc/hosts" }), /only http: and https:/);
  await assert.rejects(at.fetch({ url: "data.csv" }), /not an address/);
  await assert.rejects(at.fetch({ url: "http://me:secret@host/" }), (error: Error) => {
    assert.equal(error.message.includes("secret"), false);
    return error instanceof TypeError;
  });
  await assert.rejects(at.fetch({ to: `${at.dir}/none/census.csv` }), /no folder/);
  assert.deepEqual(await at.names(), []);
});

Deno.test("fetchBoth() fetches both files under their names into a new folder", async () => {
  await using at = new Download();
  await using inspections = serveFile({ body: csvBytes(5000, 2) });
  const to = `${at.dir}/a/b`;
  const first = await fetchHere(to, { census: at.server, inspections });
  assert.equal(first.census.path, `${to}/company_census.csv`);
  assert.equal(first.inspections.path, `${to}/vehicle_inspection.csv`);
  assert.equal(first.inspections.bytes, 5000);
  const second = await fetchHere(to, { census: at.server, inspections });
  assert.ok(second.census.unchanged && second.inspections.unchanged);
  const elsewhere = { ...inspections, url: "ftp://x/" };
  await assert.rejects(fetchHere(to, { census: at.server, inspections: elsewhere }), TypeError);
});
