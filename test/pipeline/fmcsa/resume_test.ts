import assert from "node:assert/strict";
import fc from "fast-check";
import { csvBytes, type FileServer, serveFile } from "./file_server.ts";
import { assertWaits, assertWhole, cutExactly, leavePart, ranges, withSandbox } from "./sandbox.ts";

Deno.test("fetchFile() resumes with Range and If-Range when the body is cut", async () => {
  await using server = serveFile({ cuts: [100_000, 50_000] });
  await withSandbox(async (sandbox) => {
    cutExactly(sandbox, server);
    await assertWhole(sandbox, await sandbox.fetch(server.url), server.behavior.body);
    assert.deepEqual(ranges(server), [null, "bytes=98976-", "bytes=147952-"]);
    assert.equal(server.requests[1]?.get("if-range"), '"one"');
    assertWaits(sandbox, [1000, 2000]);
  });
});

Deno.test("fetchFile() resumes what an earlier run left", async () => {
  await using server = serveFile();
  await withSandbox(async (sandbox) => {
    await leavePart(sandbox, server, 200_000);
    assert.deepEqual(await sandbox.names(), [
      "census.csv.lock",
      "census.csv.part",
      "census.csv.part.json",
    ]);
    await assertWhole(sandbox, await sandbox.fetch(server.url), server.behavior.body);
    assert.deepEqual(ranges(server), ["bytes=198976-"]);
  });
});

Deno.test("fetchFile() resumes by date when there is no ETag", async () => {
  await using server = serveFile({ etag: null });
  await withSandbox(async (sandbox) => {
    await leavePart(sandbox, server, 200_000);
    await assertWhole(sandbox, await sandbox.fetch(server.url), server.behavior.body);
    assert.deepEqual(ranges(server), ["bytes=198976-"]);
    assert.equal(server.requests[0]?.get("if-range"), "Mon, 05 Oct 2026 10:00:00 GMT");
  });
});

Deno.test("fetchFile() asks for a byte that exists when the part is whole already", async () => {
  await using server = serveFile();
  await withSandbox(async (sandbox) => {
    await leavePart(sandbox, server, 200_000);
    await Deno.writeFile(`${sandbox.to}.part`, server.behavior.body);
    await assertWhole(sandbox, await sandbox.fetch(server.url), server.behavior.body);
    assert.deepEqual(ranges(server), ["bytes=298976-"]);
  });
});

Deno.test("fetchFile() continues when the server answers in pieces", async () => {
  await using server = serveFile({ longestRange: 40_000 });
  await withSandbox(async (sandbox) => {
    await leavePart(sandbox, server, 200_000);
    await assertWhole(sandbox, await sandbox.fetch(server.url), server.behavior.body);
    assert.equal(server.requests.length, 3);
    assert.deepEqual(sandbox.waits, []);
  });
});

Deno.test("fetchFile() counts only failures without progress", async () => {
  await using server = serveFile({
    body: csvBytes(3_500_000, 1),
    cuts: [1_100_000, 1_100_000, 1_100_000],
  });
  await withSandbox(async (sandbox) => {
    cutExactly(sandbox, server);
    const file = await sandbox.fetch(server.url, { retries: 1 });
    await assertWhole(sandbox, file, server.behavior.body);
    assertWaits(sandbox, [1000, 1000, 1000]);
  });
});

Deno.test("fetchFile() gives up when pieces bring nothing new", async () => {
  await using server = serveFile();
  await withSandbox(async (sandbox) => {
    await leavePart(sandbox, server, 200_000);
    server.behavior.longestRange = 1024;
    await assert.rejects(
      sandbox.fetch(server.url, { retries: 2 }),
      /3 times in a row.*nothing new/,
    );
  });
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

for (const [when, change] of Object.entries(STARTS_OVER)) {
  Deno.test(`fetchFile() starts over when ${when}`, async () => {
    await using server = serveFile();
    await withSandbox(async (sandbox) => {
      await leavePart(sandbox, server, 200_000);
      change(server);
      await assertWhole(sandbox, await sandbox.fetch(server.url), server.behavior.body);
      assert.equal(ranges(server)[0], "bytes=198976-");
      assert.match(sandbox.said.join("\n"), /starting over/);
      assert.deepEqual(sandbox.waits, []);
    });
  });
}

Deno.test("fetchFile() asks for no range when ETag is weak or the date too fresh", async () => {
  await using weak = serveFile({ etag: 'W/"one"' });
  await using fresh = serveFile({
    etag: null,
    lastModified: new Date(Date.now() + 60_000).toUTCString(),
  });
  for (const server of [weak, fresh]) {
    await withSandbox(async (sandbox) => {
      await leavePart(sandbox, server, 200_000);
      await assertWhole(sandbox, await sandbox.fetch(server.url), server.behavior.body);
      assert.deepEqual(ranges(server), [null]);
    });
  }
});

Deno.test("fetchFile() does not mix addresses when a part came from another one", async () => {
  await using server = serveFile();
  await withSandbox(async (sandbox) => {
    await leavePart(sandbox, server, 200_000);
    await assertWhole(sandbox, await sandbox.fetch(`${server.url}?b`), server.behavior.body);
    assert.deepEqual(ranges(server), [null]);
  });
});

Deno.test("fetchFile() leaves a resumable part when stopped", async () => {
  const gate = Promise.withResolvers<void>();
  const stop = new AbortController();
  await using server = serveFile({ onChunk: (sent) => sent > 60_000 ? gate.promise : undefined });
  await withSandbox(async (sandbox) => {
    const progress = () => ({
      update: (done: number) => done > 40_000 && stop.abort(),
      end() {},
    });
    await assert.rejects(sandbox.fetch(server.url, { signal: stop.signal, progress }), {
      name: "AbortError",
    });
    gate.resolve();
    server.behavior.onChunk = () => {};
    await assertWhole(sandbox, await sandbox.fetch(server.url), server.behavior.body);
    assert.match(ranges(server)[1] ?? "", /^bytes=\d{5}-$/);
  });
});

Deno.test("fetchFile() ends with the server's bytes whatever the cuts", async () => {
  await using server = serveFile({ chunkBytes: 1024 });
  const cut = fc.integer({ min: 0, max: 30_000 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 30_000 }),
      fc.array(fc.record({ cut, isChange: fc.boolean(), isNewRun: fc.boolean() }), {
        maxLength: 5,
      }),
      fc.boolean(),
      async (length, steps, ranges) => {
        Object.assign(server.behavior, { body: csvBytes(length, 1), etag: '"v1"', ranges });
        await withSandbox(async (sandbox) => {
          for (const [i, step] of steps.entries()) {
            server.behavior.cuts.push(step.cut);
            await sandbox.fetch(server.url, { retries: step.isNewRun ? 0 : 1 }).catch(() => {});
            server.behavior.cuts.length = 0;
            if (!step.isChange) continue;
            server.behavior.body = csvBytes(length + i, i + 2);
            server.behavior.etag = `"v${i + 2}"`;
          }
          await assertWhole(sandbox, await sandbox.fetch(server.url), server.behavior.body);
        });
      },
    ),
    { numRuns: 40, seed: 7 },
  );
});
