import assert from "node:assert/strict";
import { ask, askMount, MAX_BODY } from "../../../api/ask/http.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { until } from "../../until.ts";
import { BASE_URL, from, testApp } from "../http/service.ts";
import { callAsk, eventsIn, faulty, withAsk } from "./service.ts";

const QUESTION = "is DOT 286764 active";

Deno.test("ask() stops reading an endless body at its size limit", async () => {
  await withAsk(async (call) => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled++;
        controller.enqueue(new Uint8Array(1024).fill(32));
      },
    });
    assert.equal((await call("", { body: endless })).status, 413);
    assert.ok(pulled <= MAX_BODY / 1024 + 3);
  });
});

Deno.test("/ask is part of the app, with its headers and rate limit", async () => {
  await withAsk(async (_, deps) => {
    const { app } = testApp({ ...deps, mounts: [askMount(deps)] });
    const ask = async (init: RequestInit, query = "") =>
      await app.fetch(new Request(`${BASE_URL}/ask${query}`, init), from("192.0.2.1"));
    const post = (body: unknown) =>
      ask({
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const answer = await post({ query: QUESTION });
    assert.match(await answer.text(), /286764/);
    assert.equal(answer.headers.get("ratelimit-remaining"), "59");
    assert.equal(answer.headers.get("access-control-allow-origin"), "*");
    const stream = await post({ query: QUESTION, prefer: { streaming: true } });
    assert.match(stream.headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.equal(stream.headers.get("ratelimit-remaining"), "58");
    assert.match(await stream.text(), /event: complete/);

    // Regression: content-length was 0, which no answer to GET has.
    const head = await ask({ method: "HEAD" });
    const { length } = await (await ask({})).text();
    assert.deepEqual([head.headers.get("content-length"), await head.text()], [String(length), ""]);
  });
});

Deno.test("ask() streams start, one event per result, and complete, with the results of the JSON answer", async () => {
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
    const [start, ...between] = events;
    const end = between.pop()!;
    assert.deepEqual([start!.event, end.event], ["start", "complete"]);
    assert.equal(start!.data._meta.streaming, true);
    const sent = whole.results.map((item: unknown, index: number) => ({ index, item }));
    assert.deepEqual(between, sent.map((data: unknown) => ({ event: "result", data })));
    assert.deepEqual(end.data, { _meta: whole._meta, total_items: 3 });
  });
});

const TWENTY = Array.from({ length: 20 }, (_, i) => 1000 + 100 * i).join(", ");

Deno.test("ask() answers 503 when the data can't be read, also in a stream, and still answers fees", async () => {
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
  assert.match(due.body.results[0].text, /can't check right now whether it was filed/);
  assert.ok(logged.length >= 2);
  for (const line of logged) assert.match(line, /^ask UPSTREAM_UNAVAILABLE: .*status 500.*$/);
});

Deno.test("ask() reveals nothing internal on an unexpected error", async () => {
  const { deps, logged } = faulty();
  const now = (): never => {
    throw new TypeError("secret");
  };
  const broken = { ...deps, clock: { now } };
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

Deno.test("ask() stops before the first result when the stream's reader disconnects", async () => {
  const { deps, source } = faulty();
  let leave = (): void => {};
  // Twenty dockets are read before the first carrier.
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

Deno.test("ask() answers 400 when the body breaks off, and does not log it as a server error", async () => {
  const { deps, logged } = faulty();
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
  assert.equal((await callAsk(deps, "", { body })).status, 400);
  assert.deepEqual(logged, []);
});

Deno.test("ask() flushes each event separately, and stops working when the client disconnects", async () => {
  const { deps, source, logged } = faulty();
  const gates: (() => void)[] = [];
  const shards = {
    get: async (path: string) => {
      // Every shard waits until the test releases it.
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
  // No shard has been read yet, so an event that arrives was flushed separately.
  assert.match(await next(), /^event: start\n.*\n\n$/);
  for (let i = 0; i < 2; i++) {
    await until("a shard is asked for", () => gates.length > i);
    gates[i]!();
    assert.match(await next(), new RegExp(`^event: result\\ndata: \\{"index":${i},.*\\n\\n$`));
  }
  await until("the third shard is asked for", () => gates.length >= 3);
  client.abort();
  await stream.closed.catch(() => {});
  // The third shard is being read; after its release no fourth may be requested.
  await over.promise;
  gates[2]!();
  await server.shutdown();
  assert.equal(gates.length, 3);
  assert.deepEqual(logged, []);
});
