import assert from "node:assert/strict";
import fc from "fast-check";
import type { FileVersion } from "../../../pipeline/fmcsa/part.ts";
import { interpret } from "../../../pipeline/fmcsa/transfer.ts";
import { Download, NOW } from "./download.ts";
import { csvBytes, type FileServer } from "./file_server.ts";

Deno.test("fetchFile() resumes with Range and If-Range when the body is cut", async () => {
  await using at = new Download({ cuts: [100_000, 50_000] });
  at.cutExactly();
  await at.fetchWhole();
  assert.deepEqual(at.ranges(), [null, "bytes=98976-", "bytes=147952-"]);
  assert.equal(at.server.requests[1]?.get("if-range"), '"one"');
  at.assertWaits([1000, 2000]);
});

Deno.test("fetchFile() resumes an earlier run's part by its ETag or its date", async () => {
  for (const etag of ['"one"', null]) {
    await using at = new Download({ etag });
    await at.leavePart();
    const left = ["census.csv.lock", "census.csv.part", "census.csv.part.json"];
    assert.deepEqual(await at.names(), left);
    await at.fetchWhole();
    assert.deepEqual(at.ranges(), ["bytes=198976-"]);
    const version = etag ?? "Mon, 05 Oct 2026 10:00:00 GMT";
    assert.equal(at.server.requests[0]?.get("if-range"), version);
  }
});

Deno.test("fetchFile() requests an existing byte when the part is already complete", async () => {
  await using at = new Download();
  await at.leavePart();
  await Deno.writeFile(`${at.to}.part`, at.server.behavior.body);
  await at.fetchWhole();
  assert.deepEqual(at.ranges(), ["bytes=298976-"]);
});

Deno.test("fetchFile() continues when the server answers in pieces, unless they add nothing", async () => {
  await using at = new Download({ longestRange: 40_000 });
  await at.leavePart();
  await at.fetchWhole();
  assert.equal(at.server.requests.length, 3);
  assert.deepEqual(at.waits, []);
  await using stuck = new Download();
  await stuck.leavePart();
  stuck.server.behavior.longestRange = 1024;
  await assert.rejects(stuck.fetch({ retries: 2 }), /3 times in a row.*nothing new/);
});

Deno.test("fetchFile() counts only failures without progress", async () => {
  const cuts = Array<number>(3).fill(1_100_000);
  await using at = new Download({ body: csvBytes(3_500_000, 1), cuts });
  at.cutExactly();
  await at.fetchWhole({ retries: 1 });
  at.assertWaits([1000, 1000, 1000]);
});

const STARTS_OVER: Record<string, (server: FileServer) => void> = {
  "the server ignores Range": ({ behavior }) => behavior.ranges = false,
  "the file changed": ({ behavior }) => {
    behavior.body = csvBytes(250_000, 2);
    behavior.etag = '"two"';
  },
  "the file changed and the server ignores If-Range": ({ behavior }) => {
    behavior.body = csvBytes(310_000, 2);
    behavior.etag = '"two"';
    behavior.ifRange = false;
  },
  "the file changed and its ETag did not": ({ behavior }) => behavior.body = csvBytes(300_000, 3),
  "the file shrank below the part and its ETag did not": ({ behavior }) =>
    behavior.body = csvBytes(9_000, 1),
  "the range is refused without reason": ({ behavior }) =>
    behavior.instead.push(() => new Response(null, { status: 416 })),
  "a 206 has no Content-Range": ({ behavior }) =>
    behavior.instead.push(() => new Response("x", { status: 206, headers: { etag: '"one"' } })),
  "a 206 starts elsewhere": ({ behavior }) =>
    behavior.instead.push(() =>
      new Response("x", {
        status: 206,
        headers: { etag: '"one"', "content-range": "bytes 5-5/300000" },
      })
    ),
};

Deno.test("fetchFile() starts over when a response cannot be the rest of the part", async () => {
  for (const [when, change] of Object.entries(STARTS_OVER)) {
    await using at = new Download();
    await at.leavePart();
    change(at.server);
    await at.fetchWhole();
    assert.equal(at.ranges()[0], "bytes=198976-", when);
    assert.match(at.said.join("\n"), /starting over/, when);
    assert.deepEqual(at.waits, [], when);
  }
});

Deno.test("fetchFile() requests no range when the ETag is weak, the date too recent or the URL different", async () => {
  const lastModified = new Date(Date.now() + 60_000).toUTCString();
  const cases = [[{ etag: 'W/"one"' }, ""], [{ etag: null, lastModified }, ""], [
    {},
    "?b",
  ]] as const;
  for (const [behavior, query] of cases) {
    await using at = new Download(behavior);
    await at.leavePart();
    await at.fetchWhole({ url: at.server.url + query });
    assert.deepEqual(at.ranges(), [null]);
  }
});

Deno.test("fetchFile() leaves a resumable part when stopped", async () => {
  const gate = Promise.withResolvers<void>();
  const stop = new AbortController();
  await using at = new Download({ onChunk: (sent) => sent > 60_000 ? gate.promise : undefined });
  const progress = () => ({
    update: (done: number) => done > 40_000 && stop.abort(),
    end() {},
  });
  await assert.rejects(at.fetch({ signal: stop.signal, progress }), { name: "AbortError" });
  gate.resolve();
  at.server.behavior.onChunk = () => {};
  await at.fetchWhole();
  assert.match(at.ranges()[1] ?? "", /^bytes=\d{5}-$/);
});

Deno.test("fetchFile() ends with the server's bytes whatever the cuts", async () => {
  const cut = fc.integer({ min: 0, max: 30_000 });
  const step = fc.record({ cut, isChange: fc.boolean(), isNewRun: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 30_000 }),
      fc.array(step, { maxLength: 5 }),
      fc.boolean(),
      async (length, steps, ranges) => {
        const body = csvBytes(length, 1);
        await using at = new Download({ chunkBytes: 1024, body, etag: '"v1"', ranges });
        const { behavior } = at.server;
        for (const [i, { cut, isChange, isNewRun }] of steps.entries()) {
          behavior.cuts = [cut];
          await at.fetch({ retries: isNewRun ? 0 : 1 }).catch(() => {});
          behavior.cuts = [];
          if (!isChange) continue;
          Object.assign(behavior, { body: csvBytes(length + i, i + 2), etag: `"v${i + 2}"` });
        }
        await at.fetchWhole();
      },
    ),
    { numRuns: 40 },
  );
});

Deno.test("interpret() accepts a range only if it fits the part in every number and its ETag", () => {
  const part: FileVersion = { url: "http://host/", etag: '"a"', if_range: '"a"' };
  const kindOf = (range: string, { etag = part.etag ?? "", version = { ...part, total: 200 } }: {
    etag?: string;
    version?: FileVersion;
  } = {}): string =>
    interpret({ status: 206, headers: new Headers([["content-range", range], ["etag", etag]]) }, {
      request: { url: part.url, from: 100, size: 150, version },
      now: NOW,
    }).kind;
  for (const rest of ["99/200", "49/200", "99/*"]) {
    assert.equal(kindOf(`bytes 100-1${rest}`), "range");
  }
  const bad = ["99-199/200", "100-199/201", "100-200/200", "100-99/200", "*/200", "100-1e2/200"];
  for (const range of [...bad.map((range) => `bytes ${range}`), "items 100-199/200", ""]) {
    assert.equal(kindOf(range), "restart", range);
  }
  for (const etag of ['"b"', ""]) assert.equal(kindOf("bytes 100-199/200", { etag }), "restart");
  // Neither side knows the total, or the file is shorter than the part.
  for (const range of ["100-149/*", "100-119/120"]) {
    assert.equal(kindOf(`bytes ${range}`, { version: part }), "restart", range);
  }
});
