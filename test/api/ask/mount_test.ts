import assert from "node:assert/strict";
import { askMount } from "../../../api/ask/http.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { MemorySource, putSnapshot, record, TestClock } from "../../pipeline/snapshot/memory.ts";
import { from, testApp } from "../http/service.ts";

Deno.test("/ask stands in the app, with its headers and its rate limit", async () => {
  const objects = new Map();
  putSnapshot(objects, { id: "a", carriers: [record(295017)] });
  const clock = new TestClock();
  const reader = new SnapshotReader(new MemorySource(objects), { clock });
  const baseUrl = "https://carriers.example";
  const deps = { reader, clock, baseUrl, log: (line: string) => assert.fail(line) };
  const { app } = testApp({ ...deps, mounts: [askMount(deps)] });
  const ask = (init: RequestInit, query = "") =>
    app.fetch(new Request(`${baseUrl}/ask${query}`, init), from("192.0.2.1"));
  const question = { query: "is DOT 295017 active" };
  const headers = { "content-type": "application/json" };

  const answer = await ask({ method: "POST", headers, body: JSON.stringify(question) });
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /295017/);
  assert.equal(answer.headers.get("ratelimit-remaining"), "59");
  assert.equal(answer.headers.get("access-control-allow-origin"), "*");
  assert.equal((await ask({}, "?query=is%20DOT%20295017%20active")).status, 200);

  const prefer = { streaming: true };
  const body = JSON.stringify({ ...question, prefer });
  const stream = await ask({ method: "POST", headers, body });
  assert.match(stream.headers.get("content-type") ?? "", /^text\/event-stream/);
  assert.equal(stream.headers.get("ratelimit-remaining"), "57");
  assert.match(await stream.text(), /event: complete/);

  // It once had the length 0, which no answer to GET has.
  const head = await ask({ method: "HEAD" });
  assert.equal(head.headers.get("content-length"), String((await (await ask({})).text()).length));
  assert.equal(await head.text(), "");

  const wrong = await ask({ method: "DELETE" });
  assert.deepEqual([wrong.status, wrong.headers.get("allow")], [405, "GET, HEAD, POST, OPTIONS"]);
});
