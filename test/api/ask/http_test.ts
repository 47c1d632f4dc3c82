import assert from "node:assert/strict";
import { ask, type AskHttpDeps, MAX_BODY } from "../../../api/ask/http.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { MemorySource, putSnapshot, record, TestClock } from "../../pipeline/snapshot/memory.ts";
import { callAsk, eventsIn, withAsk } from "./service.ts";

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

Deno.test("ask() refuses other methods, other types and bodies that never end", async () => {
  await withAsk(async (call) => {
    const put = await call(undefined, { method: "PUT" });
    assert.deepEqual([put.status, put.headers.get("allow")], [405, "POST, GET, HEAD"]);
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

Deno.test("ask() streams start, a result each and complete, with the results of the JSON answer", async () => {
  await withAsk(async (call) => {
    const query = "286764 and 295017";
    const whole = (await call({ query, prefer: { mode: "summarize" } })).body;
    const prefer = { mode: "summarize", streaming: true };
    const { headers, text, status } = await call({ query, prefer });
    assert.equal(status, 200);
    assert.equal(headers.get("content-type"), "text/event-stream; charset=utf-8");
    assert.match(headers.get("cache-control") ?? "", /no-transform/);
    assert.equal(headers.get("x-accel-buffering"), "no");
    const events = eventsIn(text);
    assert.deepEqual(events.map(({ event }) => event), [
      "start",
      "result",
      "result",
      "result",
      "complete",
    ]);
    assert.equal(events[0]!.data._meta.streaming, true);
    assert.deepEqual(events.slice(1, -1).map(({ data }) => data.index), [0, 1, 2]);
    assert.deepEqual(events.slice(1, -1).map(({ data }) => data.item), whole.results);
    assert.deepEqual(events.at(-1)!.data, { _meta: whole._meta, total_items: 3 });
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

Deno.test("ask() ends a stream without an answer with the reason", async () => {
  await withAsk(async (call) => {
    const ends = async (query: string) =>
      eventsIn((await call({ query, prefer: { streaming: true } })).text).map(({ event, data }) => [
        event,
        data._meta.response_type,
        data.error?.code ?? data.elicitation?.questions.length,
      ]);
    assert.deepEqual(await ends("can I trust them"), [
      ["start", "answer", undefined],
      ["error", "failure", "OUT_OF_SCOPE"],
      ["complete", "failure", "OUT_OF_SCOPE"],
    ]);
    assert.deepEqual(await ends("999"), [
      ["start", "answer", undefined],
      ["error", "failure", "NO_RESULTS"],
      ["complete", "failure", "NO_RESULTS"],
    ]);
    assert.deepEqual(await ends("ucr"), [
      ["start", "answer", undefined],
      ["complete", "elicitation", 1],
    ]);
  });
});

/** A service whose reads can be made to fail or to wait. */
function faulty(): { deps: AskHttpDeps; source: MemorySource; logged: string[] } {
  const objects = new Map();
  const carriers = Array.from({ length: 20 }, (_, i) => record(1000 + 100 * i));
  const MC = Object.fromEntries(carriers.map(({ dot }) => [10 * dot, [dot]]));
  putSnapshot(objects, { id: "a", carriers, dockets: { MC } });
  const source = new MemorySource(objects);
  const clock = new TestClock();
  const logged: string[] = [];
  const reader = new SnapshotReader(source, { clock });
  const log = (line: string): void => void logged.push(line);
  return { deps: { reader, clock, baseUrl: "https://carriers.example", log }, source, logged };
}

const TWENTY = Array.from({ length: 20 }, (_, i) => 1000 + 100 * i).join(", ");

Deno.test("ask() answers 503 when the data cannot be read, also in a stream, and fees all the same", async () => {
  const { deps, source, logged } = faulty();
  source.fault = () => "error";
  const answer = await callAsk(deps, { query: "1000" });
  assert.deepEqual([answer.status, answer.body.error.code], [503, "UPSTREAM_UNAVAILABLE"]);
  assert.equal(answer.headers.get("retry-after"), "10");
  const events = eventsIn(
    (await callAsk(deps, { query: "1000", prefer: { streaming: true } })).text,
  );
  assert.deepEqual(events.map(({ event }) => event), ["start", "error", "complete"]);
  assert.equal(events[2]!.data.error.code, "UPSTREAM_UNAVAILABLE");
  assert.equal((await callAsk(deps, { query: "ucr for 4 trucks" })).status, 200);
  const due = await callAsk(deps, { query: "mcs-150 due date 1000" });
  assert.match(due.body.results[0].text, /can't be read at the moment/);
  assert.ok(logged.length >= 2);
  for (const line of logged) assert.match(line, /^ask UPSTREAM_UNAVAILABLE: .*status 500.*$/);
});

Deno.test("ask() tells nothing of the inside when something breaks", async () => {
  const { deps, logged } = faulty();
  const broken = {
    ...deps,
    clock: {
      now: () => {
        throw new TypeError("secret");
      },
    },
  };
  const { status, text, body } = await callAsk(broken, { query: "1000" });
  assert.deepEqual([status, body.error.code], [500, "INTERNAL_ERROR"]);
  assert.doesNotMatch(text, /secret/);
  assert.match(logged.join(), /^ask INTERNAL_ERROR: TypeError: secret\n/);
});

Deno.test("ask() stops between operations when its signal is aborted", async () => {
  const { deps, source } = faulty();
  const control = new AbortController();
  source.fault = () => {
    if (source.gets.length === 5) control.abort();
    return null;
  };
  const { body } = await callAsk({ ...deps, signal: control.signal }, { query: TWENTY });
  assert.equal(body.error.code, "CANCELLED");
  assert.equal(source.gets.length, 5);
});

Deno.test("ask() stops before the first result when the reader of a stream goes", async () => {
  const { deps, source } = faulty();
  let leave = (): void => {};
  // Twenty dockets are read before anything can be told of the first carrier.
  source.fault = (_, path) => {
    if (path.includes("/dockets/")) leave();
    return null;
  };
  const query = `MC ${TWENTY.replaceAll(/\d+/g, (dot) => `${dot}0`)}`;
  const request = new Request("http://localhost/ask", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query, prefer: { streaming: true } }),
  });
  const body = (await ask(request, deps)).body!.getReader();
  const left = Promise.withResolvers<void>();
  leave = () => left.resolve(body.cancel());
  const start = new TextDecoder().decode((await body.read()).value);
  assert.match(start, /^event: start/);
  assert.deepEqual(await body.read(), { done: true, value: undefined });
  await left.promise;
  assert.equal(source.gets.filter((path) => path.includes("/dockets/")).length, 1);
  assert.equal(source.gets.filter((path) => path.includes("/carriers/")).length, 0);
});

Deno.test("ask() answers 400 when the body breaks off, and calls it nobody's fault here", async () => {
  const { deps, logged } = faulty();
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
  assert.equal((await callAsk(deps, "", { body })).status, 400);
  assert.deepEqual(logged, []);
});

Deno.test("ask() sends each event by itself and stops working when the client goes", async () => {
  const { deps, source, logged } = faulty();
  const gates: (() => void)[] = [];
  const shards = {
    get: async (path: string) => {
      // Every shard waits until the test lets it go.
      if (path.includes("/carriers/")) await new Promise<void>((resolve) => gates.push(resolve));
      return await source.get(path);
    },
    name: "gated",
  };
  const reader = new SnapshotReader(shards, { clock: deps.clock });
  const over = Promise.withResolvers<void>();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request, info) => {
      info.completed.then(over.resolve, () => over.resolve());
      return ask(request, { ...deps, reader });
    },
  );
  const client = new AbortController();
  const response = await fetch(`http://127.0.0.1:${server.addr.port}/ask`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Accept-Encoding": "gzip, br" },
    body: JSON.stringify({ query: TWENTY, prefer: { streaming: true } }),
    signal: client.signal,
  });
  assert.equal(response.headers.get("content-encoding"), null);
  const stream = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => (await stream.read()).value ?? "";
  // Not one shard has been read yet, so an event that arrives was flushed by itself.
  assert.match(await next(), /^event: start\n.*\n\n$/);
  for (let i = 0; i < 2; i++) {
    while (gates.length <= i) await new Promise((resolve) => setTimeout(resolve, 1));
    gates[i]!();
    assert.match(await next(), new RegExp(`^event: result\\ndata: \\{"index":${i},.*\\n\\n$`));
  }
  while (gates.length < 3) await new Promise((resolve) => setTimeout(resolve, 1));
  client.abort();
  await stream.closed.catch(() => {});
  // The third shard is under way; once it is let go no fourth may be asked for.
  await over.promise;
  gates[2]!();
  await server.shutdown();
  assert.equal(gates.length, 3);
  assert.deepEqual(logged, []);
});
