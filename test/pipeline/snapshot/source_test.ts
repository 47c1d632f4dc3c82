import assert from "node:assert/strict";
import { serve } from "../../serve.ts";
import { httpSource } from "../../../pipeline/snapshot/sources/http_source.ts";
import { folderSource, openSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { SourceFailure } from "../../../pipeline/snapshot/source.ts";
import { tempDir } from "../compile/files.ts";
import { VirtualTime } from "../virtual_time.ts";
import { gzipJson, jsonBytes, NEVER_LATE, type Objects, putSnapshot } from "./memory.ts";

const HOSTILE = [
  ...["../secret", "s/../../secret", "/etc/passwd", "s//a", "s/./a", "s/%2e%2e/a", "s\\..\\a"],
  ...["a?b=1", "a#b", "C:/a", "http://other.example/a", "//other.example/a", "@other.example/a"],
  ...["a\0b", "", ".hidden", "a/", "x".repeat(600)],
];

function answering(response: () => Response) {
  return httpSource("http://cdn.example/root/", { fetch: () => Promise.resolve(response()) });
}

Deno.test("folderSource() reads existing files and returns null for others", async () => {
  await using dir = await tempDir();
  const folder = dir.path;
  await Deno.mkdir(`${folder}/s/a`, { recursive: true });
  await Deno.writeTextFile(`${folder}/s/a/x.json`, "{}");
  for (const source of [folderSource(folder + "/"), openSource(folder)]) {
    assert.equal(new TextDecoder().decode((await source.get("s/a/x.json"))!), "{}");
    assert.equal(await source.get("s/a/y.json"), null);
    assert.equal(await source.get("s/a/x.json/z"), null);
    await assert.rejects(source.get("s/a"), /^Error: Cannot read file /);
  }
  assert.equal(await openSource(`${folder}/none`).get("current.json"), null);
});

Deno.test("sources reject every path that could leave the root", async () => {
  const asked: string[] = [];
  const fetch = (url: string) => {
    asked.push(url);
    return Promise.resolve(new Response("x"));
  };
  const http = httpSource("http://cdn.example/root", { fetch });
  for (const path of HOSTILE) {
    await assert.rejects(http.get(path), TypeError, path);
    await assert.rejects(folderSource(".").get(path), TypeError, path);
  }
  assert.deepEqual(asked, []);
});

Deno.test("httpSource() reads 404 and 410 as missing and any other status as an error", async () => {
  for (const status of [404, 410]) {
    assert.equal(await answering(() => new Response("no", { status })).get("a"), null);
  }
  for (const status of [201, 206, 301, 403, 429, 500, 503]) {
    await assert.rejects(
      answering(() => new Response("no", { status })).get("a"),
      (error) => {
        assert.ok(error instanceof SourceFailure);
        const redirect = status === 301 ? ", a redirect, which is not followed" : "";
        const said = `Cannot read http://cdn.example/root/a: status ${status}${redirect}`;
        assert.equal(error.message, said);
        return error.transient === (status === 429 || status >= 500);
      },
    );
  }
});

Deno.test("httpSource() detects a short body and an endless one, but not under a content coding", async () => {
  const short = new Response("four", { headers: { "content-length": "5" } });
  await assert.rejects(answering(() => short).get("a"), /status 200 with 4 bytes of 5/);
  const endless = new ReadableStream({ pull: (control) => control.enqueue(new Uint8Array(1000)) });
  const source = answering(() => new Response(endless));
  await assert.rejects(source.get("current.json"), /more than 65536 bytes/);
  const headers = { "content-length": "2", "content-encoding": "gzip" };
  const coded = answering(() => new Response("four", { headers }));
  assert.equal((await coded.get("a"))?.length, 4);
});

/** Milliseconds to the headers and between the bytes of a body, and the outcome of the read. */
const PACES: [head: number, bytes: number[], ended: string][] = [
  [5_000, [], "no byte came for 2.5 s"],
  [0, [100, 5_000], "no byte came for 2.5 s"],
  [2_000, [2_000, 2_000, 2_000], "3 bytes"],
  [0, Array(20).fill(1_000), "not all of it came in 10 s"],
];

async function* paced(time: VirtualTime, pace: number[], signal: AbortSignal) {
  for (const ms of pace) {
    await time.sleep(ms, signal);
    yield new Uint8Array(1);
  }
}

Deno.test("httpSource() waits while bytes keep coming, but not forever", async () => {
  for (const [head, pace, expected] of PACES) {
    const time = new VirtualTime();
    const source = httpSource("http://cdn.example", {
      after: time.after,
      async fetch(_, { signal }) {
        await time.sleep(head, signal);
        return new Response(ReadableStream.from(paced(time, pace, signal)));
      },
    });
    const read = source.get("a").then((bytes) => `${bytes?.length} bytes`, (error) => {
      assert.ok(error instanceof SourceFailure && error.transient);
      return error.message.replace("Cannot read http://cdn.example/a: ", "");
    });
    await time.run();
    assert.equal(await read, expected);
    assert.equal(time.waiting, 0);
  }
});

Deno.test("httpSource() does not blame the host for a read that the caller ended", async () => {
  await using server = serve(() => new Promise<Response>(() => {}));
  const stop = new AbortController();
  const read = httpSource(server.url, { fetch, after: NEVER_LATE }).get("a", stop.signal);
  stop.abort(new Error("caller stopped"));
  await assert.rejects(read, (error) => {
    return !(error instanceof SourceFailure) && /caller stopped/.test(String(error));
  });
});

/** A host that answers as a CDN does, with validators, and counts the bytes sent. */
function edge(objects: Objects) {
  const sent = { bytes: 0, notModified: 0 };
  const source = httpSource("http://cdn.example", {
    async fetch(url, { headers = {} }) {
      const bytes = objects.get(new URL(url).pathname.slice(1));
      if (bytes === undefined) return new Response(null, { status: 404 });
      const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
      if (headers["If-None-Match"] === `"${hash}"`) {
        sent.notModified++;
        return new Response(null, { status: 304 });
      }
      sent.bytes += bytes.length;
      return new Response(bytes, { headers: { etag: `"${hash}"` } });
    },
  });
  return { source, sent };
}

Deno.test("httpSource() revalidates a well-formed pointer and nothing else", async () => {
  const objects: Objects = new Map();
  putSnapshot(objects, { id: "a", carriers: [] });
  const { source, sent } = edge(objects);
  const first = await source.get("current.json");
  const { bytes } = sent;
  assert.deepEqual(await source.get("current.json"), first);
  assert.deepEqual([sent.bytes, sent.notModified], [bytes, 1]);
  putSnapshot(objects, { id: "b", carriers: [] });
  const whole = objects.get("current.json")!;
  assert.deepEqual(await source.get("current.json"), whole);
  const twice = async (path: string) => [await source.get(path), await source.get(path)];
  await twice("s/a/manifest.json");
  for (const bad of [whole.slice(0, 40), new TextEncoder().encode("<html>"), jsonBytes({})]) {
    objects.set("current.json", bad);
    await twice("current.json");
  }
  assert.equal(sent.notModified, 1);
  const unsolicited = answering(() => new Response(null, { status: 304 }));
  for (const path of ["current.json", "s/a/manifest.json"]) {
    await assert.rejects(unsolicited.get(path), /status 304/);
  }
});

Deno.test("httpSource() returns to each of two concurrent reads of the pointer its own result, in any order", async () => {
  const objects: Objects = new Map();
  putSnapshot(objects, { id: "a", carriers: [] });
  const old = objects.get("current.json")!;
  putSnapshot(objects, { id: "b", carriers: [] });
  const young = objects.get("current.json")!;
  const asked: { etag: string | undefined; answer: (response: Response) => void }[] = [];
  const source = httpSource("http://cdn.example", {
    fetch: (_, { headers }) =>
      new Promise((answer) => asked.push({ etag: headers?.["If-None-Match"], answer })),
  });
  const whole = (bytes: Uint8Array<ArrayBuffer>, etag: string) =>
    new Response(bytes, { headers: { etag } });
  const first = source.get("current.json");
  asked[0]!.answer(whole(old, '"old"'));
  assert.deepEqual(await first, old);
  const [slow, quick] = [source.get("current.json"), source.get("current.json")];
  asked[2]!.answer(whole(young, '"young"'));
  assert.deepEqual(await quick, young);
  // Requested with the old validator, so a 304 confirms the old pointer.
  assert.equal(asked[1]!.etag, '"old"');
  asked[1]!.answer(new Response(null, { status: 304 }));
  assert.deepEqual(await slow, old);
});

Deno.test("httpSource() reads a CDN's content-coded responses, and names the URL of a refused connection", async () => {
  const text = { carriers: "x".repeat(5_000) };
  const headers = { "content-encoding": "gzip", "content-type": "application/json" };
  const server = serve(() => new Response(gzipJson(text), { headers }));
  const source = httpSource(server.url, { fetch, after: NEVER_LATE });
  for (const path of ["s/a/manifest.json", "s/a/carriers/0.json.gz"]) {
    assert.deepEqual(await source.get(path), jsonBytes(text));
  }
  await server[Symbol.asyncDispose]();
  await assert.rejects(source.get("current.json"), new RegExp(`${server.url}/current\\.json: `));
});

Deno.test("openSource() rejects unsupported sources and never prints a password", () => {
  for (const location of ["", " ", "s3://bucket/a", "ftp://a/b", "data://x"]) {
    assert.throws(() => openSource(location), TypeError, location);
  }
  for (const location of ["https://me:secret@cdn.example/", "https://cdn.example/?token=secret"]) {
    assert.throws(() => openSource(location), (error: Error) => !/secret/.test(error.message));
  }
  assert.equal(openSource("https://cdn.example/x/").name, "https://cdn.example/x");
});

Deno.test("httpSource() follows the pointer where a preflight for If-None-Match is refused, with one more request", async () => {
  const objects: Objects = new Map();
  const asked: string[] = [];
  let isDown = false;
  const source = httpSource("http://cdn.example", {
    // As in a browser: without `AllowedHeaders: If-None-Match` the request isn't sent.
    fetch(url, { headers, cache }) {
      const isConditional = headers["If-None-Match"] !== undefined;
      asked.push(isConditional ? "conditional" : cache);
      if (isDown || isConditional) return Promise.reject(new TypeError("Failed to fetch"));
      const bytes = objects.get(new URL(url).pathname.slice(1));
      return Promise.resolve(new Response(bytes!, { headers: { etag: `"${asked.length}"` } }));
    },
  });
  const pointed = async () =>
    JSON.parse(new TextDecoder().decode((await source.get("current.json"))!)).snapshot;
  putSnapshot(objects, { id: "a", carriers: [] });
  assert.equal(await pointed(), "a");
  // A host that is down is no reason to stop sending If-None-Match.
  isDown = true;
  await assert.rejects(source.get("current.json"), SourceFailure);
  assert.deepEqual(asked.splice(0), ["default", "conditional", "no-cache"]);
  isDown = false;
  for (const id of ["b", "c"]) {
    putSnapshot(objects, { id, carriers: [] });
    assert.equal(await pointed(), id);
  }
  assert.deepEqual(asked, ["conditional", "no-cache", "no-cache"]);
});
