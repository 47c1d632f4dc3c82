import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import {
  fetchBoth,
  type FetchedFile,
  fetchFile,
  type FetchOptions,
  readSidecar,
} from "../../../pipeline/fmcsa/download.ts";
import { csvBytes, type FileServer, serveFile, serveRaw } from "./file_server.ts";

const NOW = Date.parse("2026-10-08T12:00:00Z");

interface Desk {
  dir: string;
  to: string;
  waits: number[];
  said: string[];
  /** Bytes of the file that the running fetch has. */
  done: number;
  fetch(url: string, more?: Partial<FetchOptions>): Promise<FetchedFile>;
  names(): Promise<string[]>;
}

async function withDesk(work: (desk: Desk) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  const to = `${dir}/census.csv`;
  const waits: number[] = [];
  const said: string[] = [];
  try {
    const desk: Desk = {
      dir,
      to,
      waits,
      said,
      done: 0,
      fetch: (url, more) =>
        fetchFile({
          url,
          to,
          clock: { now: () => NOW },
          sleep: (ms) => Promise.resolve(void waits.push(ms)),
          random: () => 1,
          say: (line) => said.push(line),
          progress: () => ({ update: (done) => desk.done = done, end() {} }),
          ...more,
        }),
      async names(): Promise<string[]> {
        const names: string[] = [];
        for await (const entry of Deno.readDir(dir)) names.push(entry.name);
        return names.sort();
      },
    };
    await work(desk);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function assertWhole(desk: Desk, file: FetchedFile, body: Uint8Array): Promise<void> {
  assert.equal(file.sha256, sha256(body));
  assert.equal(file.bytes, body.length);
  assert.equal(sha256(await Deno.readFile(desk.to)), file.sha256);
  assert.equal((await readSidecar(desk.to))?.sha256, file.sha256);
  assert.deepEqual(await desk.names(), ["census.csv", "census.csv.json", "census.csv.lock"]);
}

/** Lets a cut wait for its bytes to arrive: a client may lose those that come with the hang-up. */
function cutExactly(desk: Desk, server: FileServer): void {
  server.way.onCut = async (at) => {
    for (let i = 0; desk.done < at && i < 5000; i++) await sleep(1);
  };
}

/** Leaves a part of `bytes` bytes behind, as an interrupted run does. */
async function leavePart(desk: Desk, server: FileServer, bytes: number): Promise<void> {
  desk.done = 0;
  cutExactly(desk, server);
  server.way.cuts.push(bytes);
  await assert.rejects(desk.fetch(server.url, { retries: 0 }), /cut|reading a body/);
  assert.equal((await Deno.stat(`${desk.to}.part`)).size, bytes);
  server.requests.length = 0;
}

function ranges(server: FileServer): (string | null)[] {
  return server.requests.map((headers) => headers.get("range"));
}

Deno.test("fetchFile() writes file and note when all goes well", async () => {
  await using server = serveFile();
  await withDesk(async (desk) => {
    const file = await desk.fetch(server.url);
    await assertWhole(desk, file, server.way.body);
    assert.equal(file.unchanged, false);
    assert.deepEqual(await readSidecar(desk.to), {
      url: server.url,
      etag: '"one"',
      last_modified: "Mon, 05 Oct 2026 10:00:00 GMT",
      bytes: 300_000,
      sha256: sha256(server.way.body),
      fetched_at: "2026-10-08T12:00:00.000Z",
    });
    assert.equal(server.requests[0]?.get("accept-encoding"), "identity");
  });
});

Deno.test("fetchFile() resumes with Range and If-Range when the body is cut", async () => {
  await using server = serveFile({ cuts: [100_000, 50_000] });
  await withDesk(async (desk) => {
    cutExactly(desk, server);
    await assertWhole(desk, await desk.fetch(server.url), server.way.body);
    assert.deepEqual(ranges(server), [null, "bytes=98976-", "bytes=147952-"]);
    assert.equal(server.requests[1]?.get("if-range"), '"one"');
    assert.deepEqual(desk.waits, [1000, 2000]);
  });
});

Deno.test("fetchFile() resumes what an earlier run left", async () => {
  await using server = serveFile();
  await withDesk(async (desk) => {
    await leavePart(desk, server, 200_000);
    assert.deepEqual(await desk.names(), [
      "census.csv.lock",
      "census.csv.part",
      "census.csv.part.json",
    ]);
    await assertWhole(desk, await desk.fetch(server.url), server.way.body);
    assert.deepEqual(ranges(server), ["bytes=198976-"]);
  });
});

Deno.test("fetchFile() resumes by date when there is no ETag", async () => {
  await using server = serveFile({ etag: null });
  await withDesk(async (desk) => {
    await leavePart(desk, server, 200_000);
    await assertWhole(desk, await desk.fetch(server.url), server.way.body);
    assert.deepEqual(ranges(server), ["bytes=198976-"]);
    assert.equal(server.requests[0]?.get("if-range"), "Mon, 05 Oct 2026 10:00:00 GMT");
  });
});

Deno.test("fetchFile() asks for a byte that exists when the part is whole already", async () => {
  await using server = serveFile();
  await withDesk(async (desk) => {
    await leavePart(desk, server, 200_000);
    await Deno.writeFile(`${desk.to}.part`, server.way.body);
    await assertWhole(desk, await desk.fetch(server.url), server.way.body);
    assert.deepEqual(ranges(server), ["bytes=298976-"]);
  });
});

Deno.test("fetchFile() goes on when the server answers in pieces", async () => {
  await using server = serveFile({ longestRange: 40_000 });
  await withDesk(async (desk) => {
    await leavePart(desk, server, 200_000);
    await assertWhole(desk, await desk.fetch(server.url), server.way.body);
    assert.equal(server.requests.length, 3);
    assert.deepEqual(desk.waits, []);
  });
});

Deno.test("fetchFile() gives up when pieces bring nothing new", async () => {
  await using server = serveFile();
  await withDesk(async (desk) => {
    await leavePart(desk, server, 200_000);
    server.way.longestRange = 1024;
    await assert.rejects(desk.fetch(server.url, { retries: 2 }), /3 times in a row.*nothing new/);
  });
});

const STARTS_OVER: Record<string, (server: FileServer) => void> = {
  "the server ignores Range": ({ way }) => way.ranges = false,
  "the file changed": ({ way }) => {
    way.body = csvBytes(250_000, 2);
    way.etag = '"two"';
  },
  "the file changed and the server ignores If-Range": ({ way }) => {
    way.body = csvBytes(310_000, 2);
    way.etag = '"two"';
    way.ifRange = false;
  },
  "the file changed and its ETag did not": ({ way }) => way.body = csvBytes(300_000, 3),
  "the file shrank below the part and its ETag did not": ({ way }) => way.body = csvBytes(9_000, 1),
  "the range is refused without reason": ({ way }) =>
    way.instead.push(() => new Response(null, { status: 416 })),
  "a 206 has no Content-Range": ({ way }) =>
    way.instead.push(() => new Response("x", { status: 206, headers: { etag: '"one"' } })),
  "a 206 starts elsewhere": ({ way }) =>
    way.instead.push(() =>
      new Response("x", {
        status: 206,
        headers: { etag: '"one"', "content-range": "bytes 5-5/300000" },
      })
    ),
};

for (const [when, change] of Object.entries(STARTS_OVER)) {
  Deno.test(`fetchFile() starts over when ${when}`, async () => {
    await using server = serveFile();
    await withDesk(async (desk) => {
      await leavePart(desk, server, 200_000);
      change(server);
      await assertWhole(desk, await desk.fetch(server.url), server.way.body);
      assert.equal(ranges(server)[0], "bytes=198976-");
      assert.match(desk.said.join("\n"), /starting over/);
      assert.deepEqual(desk.waits, []);
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
    await withDesk(async (desk) => {
      await leavePart(desk, server, 200_000);
      await assertWhole(desk, await desk.fetch(server.url), server.way.body);
      assert.deepEqual(ranges(server), [null]);
    });
  }
});

Deno.test("fetchFile() does not mix addresses when a part came from another one", async () => {
  await using server = serveFile();
  await withDesk(async (desk) => {
    await leavePart(desk, server, 200_000);
    await assertWhole(desk, await desk.fetch(`${server.url}?b`), server.way.body);
    assert.deepEqual(ranges(server), [null]);
  });
});

Deno.test("fetchFile() tries again on 500, 503 and 429 and honours Retry-After", async () => {
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
      later(503, "soon"),
    ],
  });
  await withDesk(async (desk) => {
    await assertWhole(desk, await desk.fetch(server.url), server.way.body);
    assert.deepEqual(desk.waits, [1000, 2000, 7000, 30_000, 16_000]);
  });
});

Deno.test("fetchFile() gives up when the server asks for a wait of hours", async () => {
  await using server = serveFile({
    instead: [() => new Response("", { status: 429, headers: { "retry-after": "86400" } })],
  });
  await withDesk(async (desk) => {
    await assert.rejects(desk.fetch(server.url), /HTTP 429.*come back in 24 h 0 min/);
    assert.deepEqual(desk.waits, []);
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
    await withDesk(async (desk) => {
      if (what !== "206 unasked") await leavePart(desk, server, 200_000);
      server.way.instead.push(answer);
      await assert.rejects(desk.fetch(server.url), message);
      assert.equal(server.requests.length, 1);
      await assertWhole(desk, await desk.fetch(server.url), server.way.body);
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
  await withDesk(async (desk) => {
    await assert.rejects(desk.fetch(server.url), /failed 9 times in a row/);
    assert.equal(server.requests.length, 9);
    assert.equal((await desk.names()).includes("census.csv"), false);
  });
});

Deno.test("fetchFile() notices a body that does not fit its length when fetch does not", async () => {
  for (const [body, message] of [["abc", /cut at byte 3 of 4/], ["abcde", /longer than the 4/]]) {
    await withDesk(async (desk) => {
      const fetch = () =>
        Promise.resolve(new Response(body as string, { headers: { "content-length": "4" } }));
      await assert.rejects(desk.fetch("http://host/", { fetch, retries: 1 }), message as RegExp);
      assert.equal((await desk.names()).includes("census.csv"), false);
    });
  }
});

Deno.test("fetchFile() refuses an empty body", async () => {
  await using server = serveFile({ body: new Uint8Array(0) });
  await withDesk(async (desk) => {
    await assert.rejects(desk.fetch(server.url, { retries: 1 }), /body is empty/);
  });
});

Deno.test("fetchFile() takes a chunked body whole and only whole", async () => {
  await using server = serveFile({ chunked: true });
  await withDesk(async (desk) => {
    await assertWhole(desk, await desk.fetch(server.url), server.way.body);
  });
  const head = "HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
  await using raw = serveRaw([
    `${head}4\r\na,b\n\r\n`,
    `${head}4\r\na,b\n\r\n4\r\n1,2\n\r\n0\r\n\r\n`,
  ]);
  await withDesk(async (desk) => {
    const body = new TextEncoder().encode("a,b\n1,2\n");
    await assertWhole(desk, await desk.fetch(raw.url), body);
    assert.equal(desk.waits.length, 1);
  });
});

Deno.test("fetchFile() refuses a body with neither length nor chunks", async () => {
  await using raw = serveRaw(["HTTP/1.1 200 OK\r\nConnection: close\r\n\r\na,b\n"]);
  await withDesk(async (desk) => {
    await assert.rejects(desk.fetch(raw.url), /neither a length nor chunks/);
  });
});

Deno.test("fetchFile() tries again when the server falls silent", async () => {
  const gate = Promise.withResolvers<void>();
  await using server = serveFile({ onChunk: (sent) => sent > 60_000 ? gate.promise : undefined });
  await withDesk(async (desk) => {
    const file = await desk.fetch(server.url, {
      idleMs: 200,
      sleep: () => {
        server.way.onChunk = () => {};
        return Promise.resolve();
      },
    });
    gate.resolve();
    await assertWhole(desk, file, server.way.body);
    assert.match(desk.said.join("\n"), /no byte came for 0.2 s/);
  });
});

Deno.test("fetchFile() fails with the network's words when nobody listens", async () => {
  const server = serveFile();
  await server[Symbol.asyncDispose]();
  await withDesk(async (desk) => {
    await assert.rejects(desk.fetch(server.url, { retries: 1 }), /2 times in a row.*refused/);
  });
});

Deno.test("fetchFile() reads no body when the file is unchanged", async () => {
  for (const way of [{}, { etag: null }, { conditional: false }, { etag: 'W/"one"' }]) {
    const gate = Promise.withResolvers<void>();
    await using server = serveFile(way);
    await withDesk(async (desk) => {
      const { unchanged: _, ...first } = await desk.fetch(server.url);
      server.way.onChunk = () => gate.promise; // A body that is waited for never ends
      assert.deepEqual(await desk.fetch(server.url), { ...first, unchanged: true });
      gate.resolve();
      assert.equal(server.requests.length, 2);
      assert.equal((await desk.names()).length, 3);
    });
  }
});

Deno.test("fetchFile() fetches anew when file, note or address do not fit", async () => {
  const spoil: ((desk: Desk) => Promise<void>)[] = [
    (desk) => Deno.truncate(desk.to, 5),
    (desk) => Deno.remove(desk.to),
    (desk) => Deno.remove(`${desk.to}.json`),
    (desk) => Deno.writeTextFile(`${desk.to}.json`, "{"),
    (desk) => Deno.writeTextFile(`${desk.to}.json`, '{"bytes":300000}'),
  ];
  await using server = serveFile();
  for (const change of spoil) {
    await withDesk(async (desk) => {
      await desk.fetch(server.url);
      await change(desk);
      assert.equal(await readSidecar(desk.to), undefined);
      const file = await desk.fetch(server.url);
      assert.equal(file.unchanged, false);
      await assertWhole(desk, file, server.way.body);
    });
  }
  await withDesk(async (desk) => {
    await desk.fetch(server.url);
    assert.equal((await desk.fetch(`${server.url}?b`)).unchanged, false);
  });
});

Deno.test("fetchFile() keeps the old file when the new one fails", async () => {
  await using server = serveFile();
  await withDesk(async (desk) => {
    await desk.fetch(server.url);
    const old = server.way.body;
    server.way.body = csvBytes(400_000, 2);
    server.way.etag = '"two"';
    server.way.cuts.push(200_000);
    await assert.rejects(desk.fetch(server.url, { retries: 0 }));
    assert.equal((await readSidecar(desk.to))?.sha256, sha256(old));
    await assertWhole(desk, await desk.fetch(server.url), server.way.body);
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
  await withDesk(async (desk) => {
    const first = desk.fetch(server.url);
    await reached.promise;
    await assert.rejects(desk.fetch(server.url), /another fetch is writing it/);
    gate.resolve();
    await assertWhole(desk, await first, server.way.body);
  });
});

Deno.test("fetchFile() leaves a resumable part when stopped", async () => {
  const gate = Promise.withResolvers<void>();
  const stop = new AbortController();
  await using server = serveFile({ onChunk: (sent) => sent > 60_000 ? gate.promise : undefined });
  await withDesk(async (desk) => {
    const progress = () => ({
      update: (done: number) => done > 40_000 && stop.abort(),
      end() {},
    });
    await assert.rejects(desk.fetch(server.url, { signal: stop.signal, progress }), {
      name: "AbortError",
    });
    gate.resolve();
    server.way.onChunk = () => {};
    await assertWhole(desk, await desk.fetch(server.url), server.way.body);
    assert.match(ranges(server)[1] ?? "", /^bytes=\d{5}-$/);
  });
});

Deno.test("fetchFile() stops when told so while it waits for a further try", async () => {
  const stop = new AbortController();
  await using server = serveFile({ instead: [() => new Response("", { status: 500 })] });
  await withDesk(async (desk) => {
    const options = {
      url: server.url,
      to: desk.to,
      signal: stop.signal,
      say: () => stop.abort(),
    };
    await assert.rejects(fetchFile(options), { name: "AbortError" });
  });
});

Deno.test("fetchFile() refuses addresses that are not plain http(s)", async () => {
  await withDesk(async (desk) => {
    await assert.rejects(desk.fetch("file:///etc/hosts"), /only http: and https:/);
    await assert.rejects(desk.fetch("data.csv"), /not an address/);
    await assert.rejects(desk.fetch("http://me:secret@host/"), (error: Error) => {
      assert.equal(error.message.includes("secret"), false);
      return error instanceof TypeError;
    });
    await assert.rejects(
      desk.fetch("http://host/", { to: `${desk.dir}/none/census.csv` }),
      /no folder/,
    );
    assert.deepEqual(await desk.names(), []);
  });
});

Deno.test("fetchBoth() fetches both files under their names into a new folder", async () => {
  await using census = serveFile();
  await using inspections = serveFile({ body: csvBytes(5000, 2) });
  await withDesk(async (desk) => {
    const options = {
      censusUrl: census.url,
      inspectionsUrl: inspections.url,
      to: `${desk.dir}/a/b`,
      progress: () => ({ update() {}, end() {} }),
    };
    const first = await fetchBoth(options);
    assert.equal(first.census.path, `${desk.dir}/a/b/company_census.csv`);
    assert.equal(first.inspections.path, `${desk.dir}/a/b/vehicle_inspection.csv`);
    assert.equal(first.inspections.bytes, 5000);
    const second = await fetchBoth(options);
    assert.equal(second.census.unchanged && second.inspections.unchanged, true);
    await assert.rejects(fetchBoth({ ...options, inspectionsUrl: "ftp://x/" }), TypeError);
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
        Object.assign(server.way, { body: csvBytes(length, 1), etag: '"v1"', ranges });
        await withDesk(async (desk) => {
          for (const [i, step] of steps.entries()) {
            server.way.cuts.push(step.cut);
            await desk.fetch(server.url, { retries: step.isNewRun ? 0 : 1 }).catch(() => {});
            server.way.cuts.length = 0;
            if (!step.isChange) continue;
            server.way.body = csvBytes(length + i, i + 2);
            server.way.etag = `"v${i + 2}"`;
          }
          await assertWhole(desk, await desk.fetch(server.url), server.way.body);
        });
      },
    ),
    { numRuns: 40, seed: 7 },
  );
});
