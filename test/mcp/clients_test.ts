import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import {
  StreamableHTTPClientTransport as OldTransport,
} from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { SKILLS } from "../../api/discovery/texts.ts";
import { INSTRUCTIONS, SERVER } from "../../mcp/card.ts";
import { CARD_URI } from "../../mcp/server.ts";
import { TOOLS } from "../../mcp/tools.ts";
import { BASE_URL } from "../api/http/service.ts";
import { testMcp } from "./service.ts";

const URL_OF_MCP = new URL(`${BASE_URL}/mcp`);

/** Connects a client of either SDK to its transport; their types differ only in parts not used here. */
type Connect = (
  fetch: (url: string | URL, init?: RequestInit) => Promise<Response>,
) => Promise<Client>;

type Mode = "legacy" | "auto" | { pin: "2026-07-28" };

function newClient(mode: Mode): Connect {
  return async (fetch) => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(URL_OF_MCP, { fetch }));
    return client;
  };
}

const CLIENTS: Record<string, Connect> = {
  "the v1 client": async (fetch) => {
    const client = new OldClient({ name: "test", version: "1" });
    await client.connect(new OldTransport(URL_OF_MCP, { fetch }) as unknown as Transport);
    return client as unknown as Client;
  },
  "the v2 client, legacy": newClient("legacy"),
  "the v2 client, auto": newClient("auto"),
  "the v2 client, pinned": newClient({ pin: "2026-07-28" }),
};

for (const [name, connect] of Object.entries(CLIENTS)) {
  Deno.test(`${name} lists, calls and reads everything`, async () => {
    const { endpoint, logged } = testMcp();
    const client = await connect((url, init) => endpoint(new Request(url, init)));
    if (!name.includes("v1")) {
      assert.equal(client.getProtocolEra(), name.includes("legacy") ? "legacy" : "modern");
    }
    assert.equal(client.getServerVersion()?.name, SERVER.name);
    assert.equal(client.getInstructions(), INSTRUCTIONS);
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name), TOOLS.map((tool) => tool.name));
    // After listing tools, a client validates results against the output schemas.
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
    assert.deepEqual(resources.map(({ uri }) => uri), [
      CARD_URI,
      ...SKILLS.map(({ name }) => `skill://${name}/SKILL.md`),
    ]);
    assert.equal((await client.readResource({ uri: CARD_URI })).contents.length, 1);
    await assert.rejects(client.readResource({ uri: "ui://none" }), { code: -32602 });
    await client.close();
    assert.deepEqual(logged, []);
  });
}
