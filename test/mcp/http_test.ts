import { PROTOCOL_VERSIONS } from "../../mcp/card.ts";
import fc from "fast-check";
import assert from "node:assert/strict";
import { BASE_URL } from "../api/http/service.ts";
import { serverFactory } from "../../mcp/server.ts";
import { callTool, endpointOver, type Era, ERAS, post, send, testMcp } from "./service.ts";

const LIST = { method: "tools/list" };
const CALL = {
  method: "tools/call",
  params: { name: "lookup_carrier", arguments: { dot: "1" } },
};

function raw(body: BodyInit, headers: HeadersInit = {}): Request {
  const own = { "content-type": "application/json", ...Object.fromEntries(new Headers(headers)) };
  return new Request(`${BASE_URL}/mcp`, { method: "POST", headers: own, body });
}

function errorOf({ status, body }: Awaited<ReturnType<typeof send>>): [number, number] {
  return [status, body.error.code];
}

for (const era of ERAS) {
  Deno.test(`/mcp answers ${era} clients with one JSON message and no session, whatever they accept`, async () => {
    const { endpoint } = testMcp();
    const ids = ["", "\u0000", 0, 2 ** 53 - 1];
    for (const [i, accept] of ["application/json", "*/*", "text/event-stream", ""].entries()) {
      const wanted = { "Accept": accept, "Mcp-Session-Id": "x", "Last-Event-ID": "7" };
      const id = ids[i];
      const { status, headers, body } = await send(endpoint, post(era, { ...LIST, id }, wanted));
      assert.deepEqual([status, body.id], [200, id], accept);
      assert.equal(headers.get("mcp-session-id"), null);
      assert.equal(body.result.tools.length, 7);
      assert.equal(body.result.ttlMs, era === "modern" ? 3_600_000 : undefined);
      const failed = await send(endpoint, post(era, { method: "no/such", id }));
      assert.equal(failed.body.id, id);
      assert.deepEqual(errorOf(failed), [era === "modern" ? 404 : 200, -32601]);
    }
    const listen = await send(endpoint, post(era, { method: "subscriptions/listen" }));
    assert.deepEqual(errorOf(listen), [404, -32601], "nothing changes to listen to");
    const params = { requestId: 7 };
    const cancel = post(era, { method: "notifications/cancelled", params, id: undefined });
    const { status, body } = await send(endpoint, cancel);
    assert.deepEqual([status, body], [202, null], "a notification has no answer");
  });

  Deno.test(`/mcp ends a call of ${era} clients at the deadline, and when the service stops`, async () => {
    const { context } = testMcp();
    for (const deadline of [30, 10_000]) {
      const stop = new AbortController();
      const use = () => {
        if (deadline > 1_000) stop.abort();
        return new Promise(() => {});
      };
      const reader = { use } as unknown as typeof context.reader;
      const factory = serverFactory({ ...context, reader });
      const endpoint = endpointOver(context, { factory, deadline, signal: stop.signal });
      const answer = await send(endpoint, post(era, CALL));
      assert.deepEqual([...errorOf(answer), answer.body.id], [503, -32603, 1]);
      assert.equal(answer.headers.get("retry-after"), "10");
    }
  });
}

Deno.test("/mcp stops waiting for a body that does not arrive", async () => {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
  });
  const endpoint = endpointOver(testMcp().context, { deadline: 30 });
  assert.deepEqual(errorOf(await send(endpoint, raw(body))), [408, -32600]);
});

Deno.test("/mcp checks headers against the message, and names the versions it supports", async () => {
  const { endpoint } = testMcp();
  for (
    const wrong of [{ "Mcp-Name": "lookup_carrier" }, { "MCP-Protocol-Version": "2025-11-25" }]
  ) {
    const call = { ...CALL, params: { name: "ucr_fee", arguments: { vehicles: 4 } } };
    const answer = await send(endpoint, post("modern", call, wrong));
    assert.deepEqual([...errorOf(answer), answer.body.id], [400, -32020, 1]);
  }
  const requested = "2031-01-01";
  const request = post("modern", LIST, { "MCP-Protocol-Version": requested });
  const body = (await request.text()).replace("2026-07-28", requested);
  const unknown = await send(endpoint, raw(body, request.headers));
  assert.deepEqual(errorOf(unknown), [400, -32022]);
  assert.deepEqual(unknown.body.error.data, { supported: ["2026-07-28"], requested });
  const older = await send(
    endpoint,
    post("legacy", LIST, { "MCP-Protocol-Version": "1999-01-01" }),
  );
  assert.deepEqual([...errorOf(older), older.body.id], [400, -32022, 1]);
  const { message, data } = older.body.error;
  assert.equal(data.requested, "1999-01-01");
  for (const version of PROTOCOL_VERSIONS) {
    assert.ok(message.includes(version) && data.supported.includes(version), version);
  }
});

Deno.test("/mcp negotiates the older revisions by initialize", async () => {
  const { endpoint } = testMcp();
  for (const protocolVersion of ["2025-11-25", "2025-06-18"]) {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const { body } = await send(endpoint, post("legacy", { method: "initialize", params }));
    assert.equal(body.result.protocolVersion, protocolVersion);
    assert.deepEqual(body.result.capabilities.tools, { listChanged: false });
  }
});

Deno.test("/mcp hides the details of internal errors and logs them", async () => {
  const { context, logged } = testMcp();
  const factory = (): never => {
    throw new Error("a secret");
  };
  const endpoint = endpointOver(context, { factory });
  for (const era of ERAS) {
    const answer = await send(endpoint, post(era, LIST));
    assert.deepEqual(errorOf(answer), [500, -32603], era);
    assert.equal(answer.body.id, 1);
    assert.doesNotMatch(JSON.stringify(answer.body), /secret/);
  }
  assert.match(logged.join(), /a secret.*a secret/s);
});

Deno.test("/mcp answers any body from any client with one well-formed message", async () => {
  const { endpoint, logged } = testMcp();
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.record({
      jsonrpc: fc.constantFrom("2.0", "1.0"),
      id: fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
      method: fc.constantFrom("tools/call", "tools/list", "resources/read", "initialize", "x"),
      params: fc.oneof(fc.object({ maxDepth: 2 }), fc.anything({ maxDepth: 1 })),
    }, { requiredKeys: ["jsonrpc", "method"] }).map((message) => JSON.stringify(message)),
  );
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom<Era>(...ERAS), async (body, era) => {
      const answer = await send(endpoint, raw(body, post(era, LIST).headers));
      assert.ok(answer.status < 500, `${answer.status} for ${body}`);
      statuses.add(answer.status);
    }),
    { numRuns: 300 },
  );
  for (const status of [200, 400]) assert.ok(statuses.has(status), `never ${status}`);
  assert.deepEqual(logged, []);
});

Deno.test("/mcp serves concurrent calls without mixing them", async () => {
  const { endpoint } = testMcp();
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, i) => callTool(endpoint, "ucr_fee", { vehicles: i })),
  );
  const vehicles = results.map((result) => result.structuredContent.vehicles);
  assert.deepEqual(vehicles, [...Array(40).keys()]);
});
