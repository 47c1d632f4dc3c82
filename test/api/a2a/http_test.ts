import assert from "node:assert/strict";
import fc from "fast-check";
import { a2aMount } from "../../../api/a2a/http.ts";
import { MAX_BODY } from "../../../api/ask/http.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { MemorySource, putSnapshot, record, TestClock } from "../../pipeline/snapshot/memory.ts";
import { withAsk } from "../ask/service.ts";
import { from, testApp } from "../http/service.ts";
import { call, message, post } from "./service.ts";

const QUESTION = { message: message("is DOT 286764 active") };
const SEND = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: QUESTION };

Deno.test("a2a() answers every method of A2A 1.0, and others as unknown", async () => {
  await withAsk(async (_, deps) => {
    const codes: Record<string, number> = {
      SendStreamingMessage: -32004,
      GetTask: -32001,
      CancelTask: -32001,
      SubscribeToTask: -32004,
      CreateTaskPushNotificationConfig: -32003,
      GetTaskPushNotificationConfig: -32003,
      ListTaskPushNotificationConfigs: -32003,
      DeleteTaskPushNotificationConfig: -32003,
      GetExtendedAgentCard: -32004,
      "message/send": -32601,
      toString: -32601,
      "": -32601,
    };
    for (const [method, code] of Object.entries(codes)) {
      const { status, body } = await call(deps, method, { id: "t-1", ...QUESTION });
      assert.deepEqual([status, body.id, body.error.code], [200, 7, code], method);
      const reason = body.error.data?.[0].reason;
      assert.equal(reason === undefined, code === -32601, method);
    }
    assert.equal((await call(deps, "GetTask", {})).body.error.code, -32602);
    assert.equal((await call(deps, "CancelTask")).body.error.code, -32602);
  });
});

Deno.test("a2a() lists no tasks", async () => {
  await withAsk(async (_, deps) => {
    const none = { tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 };
    assert.deepEqual((await call(deps, "ListTasks")).body.result, none);
    const { body } = await call(deps, "ListTasks", { pageSize: 3, contextId: "c", pageToken: "" });
    assert.deepEqual(body.result, { ...none, pageSize: 3 });
    for (const params of [{ pageSize: 0 }, { pageSize: 101 }, { pageToken: "2" }]) {
      assert.equal((await call(deps, "ListTasks", params)).body.error.code, -32602);
    }
  });
});

Deno.test("a2a() speaks 1.0 to clients of 1.0 and of no version, and says so to others", async () => {
  await withAsk(async (_, deps) => {
    const codeFor = async (version: string) =>
      (await call(deps, "SendMessage", QUESTION, { "A2A-Version": version })).body.error?.code;
    for (const version of ["1.0", " 1.0 ", "1.0.1", ""]) {
      assert.equal(await codeFor(version), undefined);
    }
    for (const version of ["0.3", "1.1", "2.0", "10", "1.0, 0.3", "x"]) {
      assert.equal(await codeFor(version), -32009, version);
    }
    assert.equal((await post(deps, SEND)).body.error, undefined);
  });
});

Deno.test("a2a() refuses what is no single JSON-RPC request, with the id where there is one", async () => {
  await withAsk(async (_, deps) => {
    const wrong: [unknown, number, unknown, number][] = [
      ["", 400, null, -32700],
      ["{", 400, null, -32700],
      ["[]", 400, null, -32600],
      [[SEND, SEND], 400, null, -32600],
      ["null", 400, null, -32600],
      ['"SendMessage"', 400, null, -32600],
      [{ ...SEND, jsonrpc: "1.0" }, 400, 1, -32600],
      [{ ...SEND, method: 5, id: "a" }, 400, "a", -32600],
      [{ ...SEND, id: null }, 400, null, -32600],
      [{ ...SEND, id: 1.5 }, 400, null, -32600],
      // A notification: no one would read the answer.
      [{ ...SEND, id: undefined }, 400, null, -32600],
    ];
    for (const [sent, status, id, code] of wrong) {
      const answer = await post(deps, sent);
      const { body } = answer;
      assert.deepEqual([answer.status, body.id, body.error.code], [status, id, code], String(sent));
    }
  });
});

Deno.test("a2a() refuses other media types, big bodies and bodies that stall", async () => {
  await withAsk(async (_, deps) => {
    const typed = (type: string) => post(deps, SEND, { headers: { "Content-Type": type } });
    assert.equal((await typed("text/plain")).status, 415);
    assert.equal((await typed("application/json; charset=utf-8")).status, 200);
    assert.equal((await typed("application/a2a+json")).status, 200);
    const big = await post(deps, " ".repeat(MAX_BODY + 1));
    assert.deepEqual([big.status, big.body.error.code], [413, -32600]);
    const stalled = new ReadableStream({ pull: () => new Promise(() => {}) });
    const late = await post({ ...deps, deadline: 1 }, "", { body: stalled });
    assert.deepEqual([late.status, late.body.error.code], [400, -32700]);
  });
});

/** A service whose reads fail as the test says, or wait for ever. */
function faulty() {
  const objects = new Map();
  putSnapshot(objects, { id: "a", carriers: [record(286764)] });
  const source = new MemorySource(objects);
  const clock = new TestClock();
  const logged: string[] = [];
  const log = (line: string): void => void logged.push(line);
  const reader = new SnapshotReader(source, { clock });
  return { deps: { reader, clock, baseUrl: "https://carriers.example", log }, source, logged };
}

Deno.test("a2a() answers an outage and a defect differently, and reveals nothing internal", async () => {
  const { deps, source, logged } = faulty();
  source.fault = () => "error";
  const outage = await call(deps, "SendMessage", QUESTION);
  assert.deepEqual([outage.status, outage.headers.get("retry-after")], [503, "10"]);
  assert.deepEqual(outage.body.error, {
    code: -32603,
    message: "The carrier data cannot be read at the moment; try again later",
    data: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "10s" }],
  });
  const reader = { use: () => Promise.reject(new Error("a secret")) };
  const broken = { ...deps, reader: reader as unknown as SnapshotReader };
  const defect = await call(broken, "SendMessage", QUESTION);
  assert.deepEqual([defect.status, defect.body.error.code], [500, -32603]);
  assert.doesNotMatch(JSON.stringify(defect.body), /secret/);
  assert.equal(logged.length, 2);
  assert.match(logged[1]!, /INTERNAL_ERROR: Error: a secret\n/);
});

Deno.test("a2a() answers at its deadline, and when the service stops, and waits for nothing", async () => {
  const { deps, logged } = faulty();
  const stop = new AbortController();
  let begun = (): void => {};
  const reader = {
    use() {
      begun();
      return new Promise(() => {});
    },
  } as unknown as SnapshotReader;
  const late = await call({ ...deps, reader, deadline: 1 }, "SendMessage", QUESTION);
  assert.deepEqual([late.status, late.body.id, late.body.error.code], [503, 7, -32603]);
  assert.equal(late.headers.get("retry-after"), "10");
  begun = () => stop.abort();
  const stopped = await call({ ...deps, reader, signal: stop.signal }, "SendMessage", QUESTION);
  assert.equal(stopped.status, 503);
  assert.deepEqual(logged, []);
});

Deno.test("a2a() is served by the app, with its headers, its rate limit and CORS", async () => {
  const { deps } = faulty();
  const { app } = testApp({ ...deps, mounts: [a2aMount(deps)] });
  const fetch = (init: RequestInit) =>
    app.fetch(new Request("https://carriers.example/a2a", init), from("192.0.2.1"));
  const headers = { "content-type": "application/json" };
  const answer = await fetch({ method: "POST", headers, body: JSON.stringify(SEND) });
  assert.equal(answer.headers.get("ratelimit-remaining"), "59");
  assert.equal(answer.headers.get("access-control-allow-origin"), "*");
  assert.match(await answer.text(), /286764/);
  const asked = await fetch({ method: "OPTIONS" });
  assert.match(asked.headers.get("access-control-allow-headers")!, /\bA2A-Version\b/);
  const got = await fetch({});
  assert.deepEqual([got.status, got.headers.get("allow")], [405, "POST, OPTIONS"]);
});

Deno.test("a2a() answers any JSON with JSON-RPC", async () => {
  await withAsk(async (_, deps) => {
    const part = fc.oneof(fc.record({ text: fc.string() }), fc.jsonValue());
    const params = fc.oneof(
      fc.jsonValue(),
      fc.record({
        message: fc.record({
          messageId: fc.string(),
          role: fc.constant("ROLE_USER"),
          parts: fc.array(part),
        }),
      }),
    );
    const method = fc.oneof(fc.constant("SendMessage"), fc.string());
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.jsonValue(),
          fc.record({ jsonrpc: fc.constant("2.0"), id: fc.jsonValue(), method, params }),
        ),
        async (body) => {
          const { status } = await post(deps, body);
          assert.ok(status === 200 || status === 400);
        },
      ),
      { numRuns: 300 },
    );
  });
});
