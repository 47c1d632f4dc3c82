import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import {
  StreamableHTTPClientTransport as OldTransport,
} from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { INSTRUCTIONS, SERVER_NAME } from "../../mcp/card.ts";
import type { McpEndpoint } from "../../mcp/http.ts";
import { CARD_URI } from "../../mcp/server.ts";
import { TOOLS } from "../../mcp/tools.ts";
import { BASE_URL } from "../api/http/service.ts";
import { testMcp } from "./service.ts";

/** The members of both SDKs' clients that are used here. */
interface AnyClient {
  getProtocolEra?(): string | undefined;
  getServerVersion(): { name: string } | undefined;
  getInstructions(): string | undefined;
  listTools(): Promise<{ tools: { name: string }[] }>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>;
  callTool(
    params: { name: string; arguments: Record<string, unknown> },
  ): Promise<{ structuredContent?: unknown; isError?: unknown; content?: unknown }>;
  close(): Promise<void>;
}

const URL_OF_MCP = new URL(`${BASE_URL}/mcp`);

function fetchFrom(endpoint: McpEndpoint) {
  return (url: string | URL, init?: RequestInit): Promise<Response> =>
    endpoint(new Request(url, init));
}

type Mode = "legacy" | "auto" | { pin: "2026-07-28" };

function newClient(mode: Mode) {
  return async (endpoint: McpEndpoint): Promise<AnyClient> => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(
      new StreamableHTTPClientTransport(URL_OF_MCP, { fetch: fetchFrom(endpoint) }),
    );
    return client as AnyClient;
  };
}

async function oldClient(endpoint: McpEndpoint): Promise<AnyClient> {
  const client = new OldClient({ name: "test", version: "1" });
  const transport = new OldTransport(URL_OF_MCP, { fetch: fetchFrom(endpoint) });
  // Its types do not know exactOptionalPropertyTypes.
  await client.connect(transport as unknown as Transport);
  return client as unknown as AnyClient;
}

const CLIENTS: Record<string, (endpoint: McpEndpoint) => Promise<AnyClient>> = {
  "the v1 client": oldClient,
  "the v2 client, legacy": newClient("legacy"),
  "the v2 client, auto": newClient("auto"),
  "the v2 client, pinned": newClient({ pin: "2026-07-28" }),
};

for (const [name, connect] of Object.entries(CLIENTS)) {
  Deno.test(`${name} lists, calls and reads everything`, async () => {
    const { endpoint, logged } = testMcp();
    const client = await connect(endpoint);
    const old = name.includes("legacy") || name.includes("v1");
    if (client.getProtocolEra) assert.equal(client.getProtocolEra(), old ? "legacy" : "modern");
    assert.equal(client.getServerVersion()?.name, SERVER_NAME);
    assert.equal(client.getInstructions(), INSTRUCTIONS);
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name), TOOLS.map((tool) => tool.name));
    // With the tools listed, a client checks what comes against the output schemas.
    const inputs: Record<string, Record<string, unknown>> = {
      lookup_carrier: { dot: "295017" },
      lookup_mc_number: { mc: "143229" },
      mcs150_due_date: { dot: "295017" },
      ucr_fee: { vehicles: 4, year: 2026 },
    };
    for (const [tool, args] of Object.entries(inputs)) {
      const { structuredContent, isError } = await client.callTool({ name: tool, arguments: args });
      assert.ok(!isError && structuredContent, tool);
    }
    const { isError, content } = await client.callTool({
      name: "lookup_carrier",
      arguments: { dot: "4" },
    });
    assert.equal(isError, true);
    assert.match(JSON.stringify(content), /not_found: Cannot find USDOT number 4.*Next: /);
    await assert.rejects(client.callTool({ name: "no_tool", arguments: {} }), { code: -32602 });
    const { resources } = await client.listResources();
    assert.deepEqual(resources.map(({ uri }) => uri), [CARD_URI]);
    assert.equal((await client.readResource({ uri: CARD_URI })).contents.length, 1);
    await assert.rejects(client.readResource({ uri: "ui://none" }), { code: -32602 });
    await client.close();
    assert.deepEqual(logged, []);
  });
}
