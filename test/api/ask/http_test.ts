import assert from "node:assert/strict";
import { askMount, MAX_BODY } from "../../../api/ask/http.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { MemorySource, putSnapshot, record, TestClock } from "../../pipeline/snapshot/memory.ts";
import { from, testApp } from "../http/service.ts";
import { eventsIn, withAsk } from "./service.ts";

const QUESTION = "is DOT 286764 active";

Deno.test("ask() takes the query as a string, as an object and in the address", async () => {
  await withAsk(async (call) => {
    const { body } = await call({ query: QUESTION });
    assert.equal(body._meta.version, "0.55");
    assert.equal(body._meta.understood, "USDOT status of USDOT 286764");
    assert.deepEqual((await call({ query: { text: QUESTION, site: "all" } })).body, body);
    const path = `/ask?query=${encodeURIComponent(QUESTION)}`;
    assert.deepEqual((await call(undefined, { path })).body, body);
    const asked = { query: QUESTION, context: null, prefer: null, meta: null, itemType: "x" };
    assert.deepEqual((await call(asked)).body, body);
  });
});

Deno.test("ask() reads earlier questions from the context and from older forms", async () => {
  await withAsk(async (call) => {
    const want = "Safety rating of USDOT 286764";
    const query = "and its safety rating?";
    const calls = [
      call({ query, context: { prev: [QUESTION] } }),
      call({ query, prev: QUESTION }),
      call({ query, prev: [QUESTION] }),
      call(undefined, { path: `/ask?${new URLSearchParams({ query, prev: QUESTION })}` }),
      call(undefined, {
        path: `/ask?${new URLSearchParams({ query, prev: JSON.stringify([QUESTION]) })}`,
      }),
      call({
        query,
        context: { prev: [...Array(60).fill("hello"), QUESTION, "hello ".repeat(900)] },
      }),
    ];
    for (const { body } of await Promise.all(calls)) assert.equal(body._meta.understood, want);
  });
});

Deno.test("ask() asks for the question when a probe has none", async () => {
  await withAsk(async (call) => {
    for (
      const body of [
        "",
        "{}",
        '{"query":""}',
        '{"query":{}}',
        '{"query":{"text":" "}}',
        '{"query":null}',
      ]
    ) {
      const answer = await call(body);
      assert.equal(answer.status, 200, body);
      assert.equal(answer.body._meta.response_type, "elicitation");
      assert.equal(answer.body._meta.understood, undefined);
    }
    assert.equal((await call(undefined)).body._meta.response_type, "elicitation");
    const events = eventsIn((await call({ prefer: { streaming: true } })).text);
    assert.deepEqual(events.map(({ event }) => event), ["start", "complete"]);
    assert.ok(events[1]!.data.elicitation.questions.length > 0);
  });
});

Deno.test("ask() answers 400 with a failure for what it cannot read or does not offer", async () => {
  await withAsk(async (call) => {
    const cases: [body: string, code: string, says: RegExp][] = [
      ["{", "INVALID_REQUEST", /Cannot parse the body as JSON/],
      ["[]", "INVALID_REQUEST", /not a JSON object/],
      ['"x"', "INVALID_REQUEST", /not a JSON object/],
      ["null", "INVALID_REQUEST", /not a JSON object/],
      ['{"query":5}', "INVALID_REQUEST", /Cannot read query: give a string/],
      ['{"query":{"text":5}}', "INVALID_REQUEST", /Cannot read query/],
      [JSON.stringify({ query: "x".repeat(1001) }), "INVALID_REQUEST", /at most 1000 characters/],
      ['{"query":"x","prefer":{"streaming":"yes"}}', "INVALID_REQUEST", /prefer\.streaming/],
      ['{"query":"x","context":{"prev":[5]}}', "INVALID_REQUEST", /context\.prev/],
      ['{"query":"x","prefer":{"mode":"generate"}}', "UNSUPPORTED_MODE", /mode generate/],
      [
        '{"query":"x","prefer":{"response_format":"chatgpt_app"}}',
        "UNSUPPORTED_FORMAT",
        /chatgpt_app/,
      ],
    ];
    for (const [body, code, says] of cases) {
      const answer = await call(body);
      assert.equal(answer.status, 400, body);
      assert.equal(answer.body.error.code, code, body);
      assert.match(answer.body.error.message, says);
      assert.ok(answer.text.length < 400);
    }
  });
});

Deno.test("ask() refuses other types and bodies that never end", async () => {
  await withAsk(async (call) => {
    const form = await call("query=x", { headers: { "Content-Type": "text/plain" } });
    assert.equal(form.status, 415);
    const typed = await call({ query: QUESTION }, {
      headers: { "Content-Type": "Application/JSON ; charset=utf-8" },
    });
    assert.equal(typed.status, 200);
    let pulled = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled++;
        controller.enqueue(new Uint8Array(1024).fill(32));
      },
    });
    const big = await call("", { body: endless });
    assert.equal(big.status, 413);
    assert.ok(pulled <= MAX_BODY / 1024 + 3);
  });
});

Deno.test("ask() echoes the request id and adds a summary when the mode asks for it", async () => {
  await withAsk(async (call) => {
    const list = await call({ query: QUESTION, meta: { request_id: "req_1" } });
    assert.equal(list.body._meta.request_id, "req_1");
    for (const mode of ["summarize", "list, summarize"]) {
      const { body } = await call({ query: QUESTION, prefer: { mode } });
      const [first, summary] = body.results;
      assert.deepEqual([first], list.body.results);
      assert.equal(summary["@type"], "SearchSummary");
      assert.match(summary.text, /^"GENERAL TRANSPORT INC" \(USDOT 286764\): /);
    }
  });
});

Deno.test("ask() answers JSON unless streaming is preferred, whatever Accept lists", async () => {
  await withAsk(async (call) => {
    const headers = { "Content-Type": "application/json", Accept: "text/event-stream" };
    assert.equal((await call({ query: QUESTION }, { headers })).body._meta.response_type, "answer");
    const streamed = await call({ query: QUESTION, prefer: { streaming: true } });
    assert.match(streamed.headers.get("content-type") ?? "", /event-stream/);
  });
});

Deno.test("ask() refuses a repeated parameter in the address", async () => {
  await withAsk(async (call) => {
    for (const name of ["query", "prev", "mode", "streaming"]) {
      const { status, body } = await call(undefined, { path: `/ask?${name}=true&${name}=true` });
      assert.equal(status, 400, name);
      assert.equal(body.error.message, `Cannot read ${name}: it is given 2 times`);
    }
  });
});

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
