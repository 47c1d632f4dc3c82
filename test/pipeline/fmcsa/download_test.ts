import assert from "node:assert/strict";
import { fetchBoth, fetchFile } from "../../../pipeline/fmcsa/download.ts";
import { readSidecar } from "../../../pipeline/fmcsa/part.ts";
import { csvBytes, serveFile, serveRaw } from "./file_server.ts";
import {
  assertWaits,
  assertWhole,
  leavePart,
  NOW,
  ranges,
  type Sandbox,
  sha256,
  withSandbox,
} from "./sandbox.ts";

Deno.test("fetchFile() writes file and sidecar", async () => {
  await using server = serveFile();
  await withSandbox(async (sandbox) => {
    const file = await sandbox.fetch(server.url);
    await assertWhole(sandbox, file, server.behavior.body);
    assert.equal(file.unchanged, false);
    assert.deepEqual(await readSidecar(sandbox.to), {
      url: server.url,
      etag: '"one"',
      last_modified: "Mon, 05 Oct 2026 10:00:00 GMT",
      bytes: 300_000,
      sha256: sha256(server.behavior.body),
      fetched_at: "2026-10-08T12:00:00.000Z",
    });
    assert.equal(server.requests[0]?.get("accept-encoding"), "identity");
  });
});

Deno.test("fetchFile() retries on 500, 503 and 429 and honors Retry-After", async () => {
  const later = (status: number, after?: string) => () =>
    new Response("<h1>later</h1>", {
      status,
      headers: { "content-type": "text/html", ...(after && { "retry-after": after }) },
    });
  await using server = serveFile({
    instead: [
      later(500),
      later(500),
      later(429, "7"),
      later(503, new Date(NOW + 30_000).toUTCString()),
      later(503, "1.5"),
    ],
  });
  await withSandbox(async (sandbox) => {
    await assertWhole(sandbox, await sandbox.fetch(server.url), server.behavior.body);
    assertWaits(sandbox, [1000, 2000, 7000, 30_000, 16_000]);
  });
});

Deno.test("fetchFile() gives up when the server asks for a wait of hours", async () => {
  await using server = serveFile({
    instead: [() => new Response("", { status: 429, headers: { "retry-after": "86400" } })],
  });
  await withSandbox(async (sandbox) => {
    await assert.rejects(sandbox.fetch(server.url), /HTTP 429.*come back in 24 h 0 min/);
    assert.deepEqual(sandbox.waits, []);
  });
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

for (const [what, [answer, message]] of Object.entries(REFUSED)) {
  Deno.test(`fetchFile() fails at once and keeps the part when the answer is ${what}`, async () => {
    await using server = serveFile();
    await withSandbox(async (sandbox) => {
      if (what !== "206 unasked") await leavePart(sandbox, server, 200_000);
      server.behavior.instead.push(answer);
      await assert.rejects(sandbox.fetch(server.url), message);
      assert.equal(server.requests.length, 1);
      await assertWhole(sandbox, await sandbox.fetch(server.url), server.behavior.body);
      if (what !== "206 unasked") assert.equal(ranges(server)[1], "bytes=198976-");
    });
  });
}

Deno.test("fetchFile() fails and leaves no file when the length stays wrong", async () => {
  await using server = serveFile({
    etag: null,
    lastModified: null,
    cuts: Array<number>(9).fill(299_999),
  });
  await withSandbox(async (sandbox) => {
    await assert.rejects(sandbox.fetch(server.url), /failed 9 times in a row/);
    assert.equal(server.requests.length, 9);
    assert.equal((await sandbox.names()).includes("census.csv"), false);
  });
});

Deno.test("fetchFile() notices a body that does not fit its length when fetch does not", async () => {
  for (const [body, message] of [["abc", /cut at byte 3 of 4/], ["abcde", /longer than the 4/]]) {
    await withSandbox(async (sandbox) => {
      const fetch = () =>
        Promise.resolve(new Response(body as string, { headers: { "content-length": "4" } }));
      await assert.rejects(sandbox.fetch("http://host/", { fetch, retries: 1 }), message as RegExp);
      assert.equal((await sandbox.names()).includes("census.csv"), false);
    });
  }
});

Deno.test("fetchFile() refuses an empty body", async () => {
  await using server = serveFile({ body: new Uint8Array(0) });
  await withSandbox(async (sandbox) => {
    await assert.rejects(sandbox.fetch(server.url, { retries: 1 }), /body is empty/);
  });
});

Deno.test("fetchFile() accepts a chunked body only when it is complete", async () => {
  await using server = serveFile({ chunked: true });
  await withSandbox(async (sandbox) => {
    await assertWhole(sandbox, await sandbox.fetch(server.url), server.behavior.body);
  });
  const head = "HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
  await using raw = serveRaw([
    `${head}4\r\na,b\n\r\n`,
    `${head}4\r\na,b\n\r\n4\r\n1,2\n\r\n0\r\n\r\n`,
  ]);
  await withSandbox(async (sandbox) => {
    const body = new TextEncoder().encode("a,b\n1,2\n");
    await assertWhole(sandbox, await sandbox.fetch(raw.url), body);
    assert.equal(sandbox.waits.length, 1);
  });
});

Deno.test("fetchFile() refuses a body with neither length nor chunks", async () => {
  await using raw = serveRaw(["HTTP/1.1 200 OK\r\nConnection: close\r\n\r\na,b\n"]);
  await withSandbox(async (sandbox) => {
    await assert.rejects(sandbox.fetch(raw.url), /neither a length nor chunks/);
  });
});

Deno.test("fetchFile() retries when the server falls silent", async () => {
  const gate = Promise.withResolvers<void>();
  await using server = serveFile({ onChunk: (sent) => sent > 60_000 ? gate.promise : undefined });
  await withSandbox(async (sandbox) => {
    const file = await sandbox.fetch(server.url, {
      idleMs: 200,
      sleep: () => {
        server.behavior.onChunk = () => {};
        return Promise.resolve();
      },
    });
    gate.resolve();
    await assertWhole(sandbox, file, server.behavior.body);
    assert.match(sandbox.said.join("\n"), /no byte came for 0.2 s/);
  });
});

Deno.test("fetchFile() fails with the network's message when nothing listens", async () => {
  const server = serveFile();
  await server[Symbol.asyncDispose]();
  await withSandbox(async (sandbox) => {
    await assert.rejects(sandbox.fetch(server.url, { retries: 1 }), /2 times in a row.*refused/);
  });
});

Deno.test("fetchFile() reads no body when the file is unchanged", async () => {
  for (const behavior of [{}, { etag: null }, { conditional: false }, { etag: 'W/"one"' }]) {
    const gate = Promise.withResolvers<void>();
    await using server = serveFile(behavior);
    await withSandbox(async (sandbox) => {
      const { unchanged: _, ...first } = await sandbox.fetch(server.url);
      server.behavior.onChunk = () => gate.promise; // A body that is waited for never ends
      assert.deepEqual(await sandbox.fetch(server.url), { ...first, unchanged: true });
      gate.resolve();
      assert.equal(server.requests.length, 2);
      assert.equal((await sandbox.names()).length, 3);
    });
  }
});

Deno.test("fetchFile() fetches again when file, sidecar or address do not match", async () => {
  const spoil: ((sandbox: Sandbox) => Promise<void>)[] = [
    (sandbox) => Deno.truncate(sandbox.to, 5),
    (sandbox) => Deno.remove(sandbox.to),
    (sandbox) => Deno.remove(`${sandbox.to}.json`),
    (sandbox) => Deno.writeTextFile(`${sandbox.to}.json`, "{"),
    (sandbox) => Deno.writeTextFile(`${sandbox.to}.json`, '{"bytes":300000}'),
  ];
  await using server = serveFile();
  for (const change of spoil) {
    await withSandbox(async (sandbox) => {
      await sandbox.fetch(server.url);
      await change(sandbox);
      assert.equal(await readSidecar(sandbox.to), undefined);
      const file = await sandbox.fetch(server.url);
      assert.equal(file.unchanged, false);
      await assertWhole(sandbox, file, server.behavior.body);
    });
  }
  await withSandbox(async (sandbox) => {
    await sandbox.fetch(server.url);
    assert.equal((await sandbox.fetch(`${server.url}?b`)).unchanged, false);
  });
});

Deno.test("fetchFile() keeps the old file when the new one fails", async () => {
  await using server = serveFile();
  await withSandbox(async (sandbox) => {
    await sandbox.fetch(server.url);
    const old = server.behavior.body;
    server.behavior.body = csvBytes(400_000, 2);
    server.behavior.etag = '"two"';
    server.behavior.cuts.push(200_000);
    await assert.rejects(sandbox.fetch(server.url, { retries: 0 }));
    assert.equal((await readSidecar(sandbox.to))?.sha256, sha256(old));
    await assertWhole(sandbox, await sandbox.fetch(server.url), server.behavior.body);
  });
});

Deno.test("fetchFile() refuses when another fetch writes the same file", async () => {
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  await using server = serveFile({
    onChunk: (sent) => {
      if (sent === 0) return;
      reached.resolve();
      return gate.promise;
    },
  });
  await withSandbox(async (sandbox) => {
    const first = sandbox.fetch(server.url);
    await reached.promise;
    await assert.rejects(sandbox.fetch(server.url), /another fetch is writing it/);
    gate.resolve();
    await assertWhole(sandbox, await first, server.behavior.body);
  });
});

Deno.test("fetchFile() stops on abort while it waits to retry", async () => {
  const stop = new AbortController();
  await using server = serveFile({ instead: [() => new Response("", { status: 500 })] });
  await withSandbox(async (sandbox) => {
    const options = {
      url: server.url,
      to: sandbox.to,
      signal: stop.signal,
      say: () => stop.abort(),
    };
    await assert.rejects(fetchFile(options), { name: "AbortError" });
  });
});

Deno.test("fetchFile() refuses addresses that are not plain http(s)", async () => {
  await withSandbox(async (sandbox) => {
    await assert.rejects(sandbox.fetch("file:///etc/hosts"), /only http: and https:/);
    await assert.rejects(sandbox.fetch("data.csv"), /not an address/);
    await assert.rejects(sandbox.fetch("http://me:secret@host/"), (error: Error) => {
      assert.equal(error.message.includes("secret"), false);
      return error instanceof TypeError;
    });
    await assert.rejects(
      sandbox.fetch("http://host/", { to: `${sandbox.dir}/none/census.csv` }),
      /no folder/,
    );
    assert.deepEqual(await sandbox.names(), []);
  });
});

Deno.test("fetchBoth() fetches both files under their names into a new folder", async () => {
  await using census = serveFile();
  await using inspections = serveFile({ body: csvBytes(5000, 2) });
  await withSandbox(async (sandbox) => {
    const options = {
      censusUrl: census.url,
      inspectionsUrl: inspections.url,
      to: `${sandbox.dir}/a/b`,
      progress: () => ({ update() {}, end() {} }),
    };
    const first = await fetchBoth(options);
    assert.equal(first.census.path, `${sandbox.dir}/a/b/company_census.csv`);
    assert.equal(first.inspections.path, `${sandbox.dir}/a/b/vehicle_inspection.csv`);
    assert.equal(first.inspections.bytes, 5000);
    const second = await fetchBoth(options);
    assert.equal(second.census.unchanged && second.inspections.unchanged, true);
    await assert.rejects(fetchBoth({ ...options, inspectionsUrl: "ftp://x/" }), TypeError);
  });
});
