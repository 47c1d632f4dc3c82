import assert from "node:assert/strict";
import fc from "fast-check";
import { AskResponse } from "../../../api/ask/answers/schemas.ts";
import type { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { faulty, withAsk } from "../ask/service.ts";
import { call, message, MessageResult, post } from "./service.ts";

const QUESTION = { message: message("is DOT 1000 active") };

Deno.test("SendMessage answers as /ask does, in words and as data, and stores nothing", async () => {
  await withAsk(async (ask, deps) => {
    const send = async (text: string, more = {}) => {
      const { body } = await call(deps, "SendMessage", { message: message(text, more) });
      const { message: { parts, ...ids } } = MessageResult.parse(body.result);
      const [words, { data }] = parts as unknown as [{ text: string }, { data: unknown }];
      return { ...ids, text: words.text, data: AskResponse.parse(data) };
    };
    for (const query of ["is DOT 286764 active", "ucr for 12 trucks", "ucr", "999", "is it safe"]) {
      const { data } = await send(query);
      assert.deepEqual(data, (await ask({ query })).body, query);
    }
    assert.match(
      (await send("286764")).text,
      /^Read 286764 as a USDOT number\. "GENERAL TRANSPORT INC" \(USDOT 286764\): .* Source: /,
    );
    // The context id of the request is kept, or a new one is generated. Earlier questions come only from metadata.
    const { contextId, messageId } = await send("is DOT 286764 active");
    assert.match(contextId, /^[0-9a-f-]{36}$/);
    const next = await send("and its safety rating?", { contextId });
    assert.equal(next.contextId, contextId);
    assert.notEqual(next.messageId, messageId);
    assert.equal(next.data._meta.response_type, "elicitation");
  });
});

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
  const use = (): Promise<never> => Promise.reject(new Error("a secret"));
  const broken = { ...deps, reader: { use } as unknown as SnapshotReader };
  const defect = await call(broken, "SendMessage", QUESTION);
  assert.deepEqual([defect.status, defect.body.error.code], [500, -32603]);
  assert.doesNotMatch(JSON.stringify(defect.body), /secret/);
  assert.equal(logged.length, 2);
  assert.match(logged[1]!, /INTERNAL_ERROR: Error: a secret\n/);
});

Deno.test("a2a() answers at its deadline and at shutdown, and doesn't wait for pending work", async () => {
  const { deps, logged } = faulty();
  const stalled = new ReadableStream({ pull: () => new Promise(() => {}) });
  const late = await post({ ...deps, deadline: 1 }, "", { body: stalled });
  assert.deepEqual([late.status, late.body.error.code], [400, -32700]);

  const stop = new AbortController();
  let begun = (): void => {};
  const use = (): Promise<never> => {
    begun();
    return new Promise(() => {});
  };
  const waiting = { ...deps, reader: { use } as unknown as SnapshotReader };
  const slow = await call({ ...waiting, deadline: 1 }, "SendMessage", QUESTION);
  assert.deepEqual([slow.status, slow.body.id, slow.body.error.code], [503, 7, -32603]);
  assert.equal(slow.headers.get("retry-after"), "10");
  begun = () => stop.abort();
  const stopped = await call({ ...waiting, signal: stop.signal }, "SendMessage", QUESTION);
  assert.equal(stopped.status, 503);
  assert.deepEqual(logged, []);
});

Deno.test("a2a() answers any JSON with a JSON-RPC response", async () => {
  const part = fc.oneof(fc.record({ text: fc.string() }), fc.jsonValue());
  const parts = fc.array(part);
  const message = fc.record({ messageId: fc.string(), role: fc.constant("ROLE_USER"), parts });
  const params = fc.oneof(fc.jsonValue(), fc.record({ message }));
  const method = fc.oneof(fc.constant("SendMessage"), fc.string());
  const jsonrpc = fc.constant("2.0");
  const call = fc.record({ jsonrpc, id: fc.jsonValue(), method, params });
  await withAsk(async (_, deps) => {
    const property = fc.asyncProperty(fc.oneof(fc.jsonValue(), call), async (body) => {
      const { status } = await post(deps, body);
      assert.ok(status === 200 || status === 400);
    });
    await fc.assert(property, { numRuns: 200 });
  });
});
