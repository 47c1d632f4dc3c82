import fc from "fast-check";
import assert from "node:assert/strict";
import { serverFactory } from "../../mcp/server.ts";
import {
  BASE_URL,
  callTool,
  endpointOver,
  type Era,
  ERAS,
  post,
  send,
  testMcp,
} from "./service.ts";

const ENDPOINT = `${BASE_URL}/mcp`;
const LIST = { method: "tools/list" };
const CALL = {
  method: "tools/call",
  params: { name: "lookup_carrier", arguments: { dot: "1" } },
};

function raw(
  body: BodyInit | null,
  headers: Record<string, string> = {},
  method = "POST",
): Request {
  const own = new Headers({ "Content-Type": "application/json" });
  for (const [name, value] of Object.entries(headers)) own.set(name, value);
  return new Request(ENDPOINT, { method, headers: own, body });
}

function errorOf({ status, body }: Awaited<ReturnType<typeof send>>): [number, number] {
  return [status, body.error.code];
}

for (const era of ERAS) {
  Deno.test(`/mcp answers ${era} clients with one JSON message and no session`, async () => {
    const { endpoint } = testMcp();
    const { status, headers, body } = await send(endpoint, post(era, LIST));
    assert.equal(status, 200);
    assert.equal(headers.get("mcp-session-id"), null);
    assert.equal(body.result.tools.length, 6);
    assert.equal(body.result.ttlMs, era === "modern" ? 3_600_000 : undefined);
    assert.equal(body.result.cacheScope, era === "modern" ? "public" : undefined);
  });

  Deno.test(`/mcp takes any Accept, session and event id of ${era} clients`, async () => {
    const { endpoint } = testMcp();
    for (const accept of ["application/json", "*/*", "text/event-stream", "text/html"]) {
      const headers = { "Accept": accept, "Mcp-Session-Id": "x", "Last-Event-ID": "7" };
      assert.equal((await send(endpoint, post(era, LIST, headers))).status, 200, accept);
    }
  });

  Deno.test(`/mcp accepts notifications of ${era} clients without an answer`, async () => {
    const { endpoint } = testMcp();
    const message = { method: "notifications/cancelled", params: { requestId: 7 } };
    const request = post(era, { ...message, id: undefined });
    const { status, body } = await send(endpoint, request);
    assert.deepEqual([status, body], [202, null]);
  });

  Deno.test(`/mcp echoes string and integer ids of ${era} clients`, async () => {
    const { endpoint } = testMcp();
    for (const id of ["", "a", "\u0000", 0, -1, 2 ** 53 - 1]) {
      const { body } = await send(endpoint, post(era, { ...LIST, id }));
      assert.equal(body.id, id);
      const failed = await send(endpoint, post(era, { method: "no/such", id }));
      assert.equal(failed.body.id, id);
      assert.deepEqual(errorOf(failed), [era === "modern" ? 404 : 200, -32601]);
    }
    for (const id of [null, 1.5, true, [], {}, 2 ** 53]) {
      assert.deepEqual(errorOf(await send(endpoint, post(era, { ...LIST, id }))), [400, -32600]);
    }
  });

  Deno.test(`/mcp opens no stream for subscriptions of ${era} clients`, async () => {
    // The SDK would keep the connection open forever, up to 1,024 of them.
    const { endpoint } = testMcp();
    const message = { method: "subscriptions/listen", params: { notifications: {} } };
    assert.deepEqual(errorOf(await send(endpoint, post(era, message))), [404, -32601]);
  });

  Deno.test(`/mcp ends a call of ${era} clients at the deadline`, async () => {
    const { context } = testMcp();
    const { promise, resolve } = Promise.withResolvers<void>();
    const reader = { use: () => promise } as unknown as typeof context.reader;
    const factory = serverFactory({ ...context, reader });
    const endpoint = endpointOver(context, { factory, deadline: 30 });
    const answer = await send(endpoint, post(era, CALL));
    assert.deepEqual(errorOf(answer), [503, -32603]);
    assert.equal(answer.body.id, 1);
    assert.equal(answer.headers.get("retry-after"), "10");
    resolve();
  });

  Deno.test(`/mcp ends calls of ${era} clients in progress when the service stops`, async () => {
    const { context } = testMcp();
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = new AbortController();
    const use = () => {
      stop.abort();
      return promise;
    };
    const reader = { use } as unknown as typeof context.reader;
    const factory = serverFactory({ ...context, reader });
    const endpoint = endpointOver(context, { factory, signal: stop.signal });
    assert.deepEqual(errorOf(await send(endpoint, post(era, CALL))), [503, -32603]);
    resolve();
  });
}

Deno.test("/mcp refuses arrays at once", async () => {
  // A batch of a call and its own cancellation kept the SDK's connection open for ever.
  const { endpoint } = testMcp();
  const call = { jsonrpc: "2.0", id: 7, ...CALL };
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } };
  for (const batch of [[call, cancel], [call], [], Array(200).fill(call)]) {
    assert.deepEqual(errorOf(await send(endpoint, raw(JSON.stringify(batch)))), [400, -32600]);
  }
});

Deno.test("/mcp refuses what is not a JSON-RPC request", async () => {
  const { endpoint } = testMcp();
  const bodies: [string, number][] = [
    ["", -32700],
    ["{", -32700],
    ["\ufeff{", -32700],
    ["null", -32600],
    ["7", -32600],
    ['"x"', -32600],
    ["{}", -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":7}', -32600],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', -32600],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}', -32600],
  ];
  for (const [body, code] of bodies) {
    assert.deepEqual(errorOf(await send(endpoint, raw(body))), [400, code], body);
  }
});

Deno.test("/mcp refuses other methods, media types and big bodies", async () => {
  const { endpoint } = testMcp();
  for (const method of ["GET", "HEAD", "DELETE", "PUT", "PATCH"]) {
    const answer = await send(endpoint, raw(null, { Accept: "text/event-stream" }, method));
    assert.equal(answer.status, 405, method);
    assert.equal(answer.headers.get("allow"), "POST, OPTIONS");
  }
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonx"]) {
    const request = raw("{}", { "Content-Type": type });
    assert.deepEqual(errorOf(await send(endpoint, request)), [415, -32600], type);
  }
  const q = "x".repeat(64 * 1024);
  const big = post("modern", {
    ...CALL,
    params: { name: "search_carriers", arguments: { q } },
  });
  assert.deepEqual(errorOf(await send(endpoint, big)), [413, -32600]);
});

Deno.test("/mcp refuses an Origin before it reads the body", async () => {
  const { endpoint } = testMcp();
  for (const headers of [{ Origin: "https://" }, { Origin: "nonsense" }]) {
    for (const request of [post("modern", LIST, headers), raw(null, headers, "OPTIONS")]) {
      const answer = await send(endpoint, request);
      assert.deepEqual(errorOf(answer), [403, -32600]);
      assert.ok(!("id" in answer.body));
      assert.equal(request.bodyUsed, false);
    }
  }
});

Deno.test("/mcp stops waiting for a body that does not come", async () => {
  const { context } = testMcp();
  const endpoint = endpointOver(context, { deadline: 30 });
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
  });
  assert.deepEqual(errorOf(await send(endpoint, raw(body))), [408, -32600]);
});

Deno.test("/mcp checks the headers of 2026-07-28 against the message", async () => {
  const { endpoint } = testMcp();
  const call = { ...CALL, params: { name: "ucr_fee", arguments: { vehicles: 4 } } };
  const wrong: [Record<string, string>, number][] = [
    [{ "Mcp-Method": "tools/list" }, -32020],
    [{ "Mcp-Name": "lookup_carrier" }, -32020],
    [{ "MCP-Protocol-Version": "2025-11-25" }, -32020],
    [{ "MCP-Protocol-Version": "2031-01-01" }, -32020],
  ];
  for (const [headers, code] of wrong) {
    const answer = await send(endpoint, post("modern", call, headers));
    assert.deepEqual(errorOf(answer), [400, code], JSON.stringify(headers));
    assert.equal(answer.body.id, 1);
  }
  for (const name of ["Mcp-Method", "Mcp-Name", "MCP-Protocol-Version"]) {
    const request = post("modern", call);
    request.headers.delete(name);
    assert.deepEqual(errorOf(await send(endpoint, request)), [400, -32020], name);
  }
  const encoded = post("modern", call, { "Mcp-Name": `=?base64?${btoa("ucr_fee")}?=` });
  assert.equal((await send(endpoint, encoded)).status, 200);
});

Deno.test("/mcp answers an unknown protocol version with those it supports", async () => {
  const { endpoint } = testMcp();
  const version = "2031-01-01";
  const request = post("modern", LIST);
  const message = await request.json();
  message.params._meta["io.modelcontextprotocol/protocolVersion"] = version;
  const headers = Object.fromEntries(request.headers);
  const answer = await send(
    endpoint,
    raw(JSON.stringify(message), { ...headers, "mcp-protocol-version": version }),
  );
  assert.deepEqual(errorOf(answer), [400, -32022]);
  assert.deepEqual(answer.body.error.data, { supported: ["2026-07-28"], requested: version });
  const old = await send(endpoint, post("legacy", LIST, { "MCP-Protocol-Version": "2019-01-01" }));
  assert.equal(old.status, 400);
});

Deno.test("/mcp negotiates the older revisions by initialize", async () => {
  const { endpoint } = testMcp();
  for (const protocolVersion of ["2025-11-25", "2025-06-18"]) {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const { body } = await send(endpoint, post("legacy", { method: "initialize", params }));
    assert.equal(body.result.protocolVersion, protocolVersion);
    assert.deepEqual(body.result.capabilities.tools, { listChanged: false });
    assert.deepEqual(body.result.capabilities.resources, { listChanged: false });
  }
});

Deno.test("/mcp answers server/discover so that it may be cached", async () => {
  const { endpoint } = testMcp();
  const { body } = await send(endpoint, post("modern", { method: "server/discover" }));
  const { supportedVersions, capabilities, ttlMs, cacheScope, instructions, _meta } = body.result;
  assert.deepEqual(supportedVersions, ["2026-07-28"]);
  assert.deepEqual(capabilities.tools, { listChanged: false });
  assert.deepEqual([ttlMs, cacheScope], [3_600_000, "public"]);
  assert.match(instructions, /lookup_carrier/);
  assert.equal(_meta["io.modelcontextprotocol/serverInfo"].name, "carrier-compliance-lookup");
});

Deno.test("/mcp hides what went wrong inside and logs it", async () => {
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

Deno.test("/mcp answers any body of any client with one well-formed message", async () => {
  const { endpoint, logged } = testMcp();
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.record({
      jsonrpc: fc.constantFrom("2.0", "1.0"),
      id: fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
      method: fc.constantFrom("tools/call", "tools/list", "resources/read", "initialize", "x"),
      params: fc.oneof(fc.object({ maxDepth: 2 }), fc.anything({ maxDepth: 1 })),
    }, { requiredKeys: [] }).map((message) => JSON.stringify(message)),
  );
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom<Era>(...ERAS), async (body, era) => {
      const { headers } = post(era, LIST);
      const answer = await send(endpoint, raw(body, Object.fromEntries(headers)));
      assert.ok(answer.status < 500, `${answer.status} for ${body}`);
      statuses.add(answer.status);
    }),
    { numRuns: 300 },
  );
  for (const status of [200, 400]) assert.ok(statuses.has(status), `never ${status}`);
  assert.deepEqual(logged, []);
});

Deno.test("/mcp serves calls side by side without mixing them", async () => {
  const { endpoint } = testMcp();
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, i) => callTool(endpoint, "ucr_fee", { vehicles: i })),
  );
  assert.deepEqual(results.map((result) => result.structuredContent.vehicles), [
    ...Array(40).keys(),
  ]);
});
