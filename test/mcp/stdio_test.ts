import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { PROTOCOL_VERSIONS } from "../../mcp/card.ts";
import { withSnapshot } from "../run_main.ts";
import { post } from "./service.ts";

const STDIO = new URL("../../mcp/stdio.ts", import.meta.url).pathname;
const ARGS = ["run", "-A", STDIO];

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the command with its complete input. */
async function run(args: string[], input = ""): Promise<Ended> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...ARGS, ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, stdout: out!, stderr: err! };
}

/** Runs the command for a client. */
async function withClient(
  args: string[],
  mode: "legacy" | { pin: "2026-07-28" },
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const options = { command: Deno.execPath(), args: [...ARGS, ...args], stderr: "ignore" as const };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport(options));
  assert.equal((await client.listTools()).tools.length, 7);
  await work(client);
  await client.close();
}

Deno.test("stdio serves a folder to a client of 2026-07-28", async () => {
  await withSnapshot(async (folder) => {
    const args = [folder, "--base-url", "https://carriers.example/"];
    await withClient(args, { pin: "2026-07-28" }, async (client) => {
      const { structuredContent } = await client.callTool({
        name: "lookup_carrier",
        arguments: { dot: "295017" },
      });
      const { page_url } = structuredContent as { page_url: string };
      assert.equal(page_url, "https://carriers.example/carriers/295017");
      assert.equal(client.getProtocolEra(), "modern");
    });
  });
});

Deno.test("stdio serves the bundled sample to an older client", async () => {
  await withClient(["--sample"], "legacy", async (client) => {
    const { content } = await client.callTool({
      name: "search_carriers",
      arguments: { q: "general transport akron" },
    });
    assert.match(JSON.stringify(content), /USDOT 286764 .*GENERAL TRANSPORT INC/);
    assert.equal(client.getProtocolEra(), "legacy");
  });
});

Deno.test("stdio answers invalid JSON and unknown revisions, also on an open connection, and exits at the end of its input", async () => {
  await withSnapshot(async (folder) => {
    const list = await post("modern", { method: "tools/list" }).text();
    const unknown = list.replace('"id":1', '"id":2').replace(PROTOCOL_VERSIONS[0], "2099-01-01");
    const { code, stdout, stderr } = await run([folder], `${list}\n${unknown}\nnot json\n`);
    assert.equal(code, 0);
    const answers = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.equal(answers.find(({ id }) => id === 1).result.tools.length, 7);
    const refused = answers.find(({ id }) => id === 2).error;
    assert.deepEqual([refused.code, refused.data.requested], [-32022, "2099-01-01"]);
    const { jsonrpc, error, ...rest } = answers.find(({ id }) => id === undefined);
    assert.deepEqual([jsonrpc, error.code, rest], ["2.0", -32700, {}]);
    assert.match(stderr, /^Serving .* over standard input and output; ends when the input does\n/);
  });
});

Deno.test("stdio prints its help, and rejects invalid arguments", async () => {
  const help = await run(["--help"]);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /deno task mcp --sample/);
  const wrong = [
    ["--sample", "a"],
    ["a", "--base-url", "x"],
    ["a", "--base-url", "http://["],
    ["http://user:secret@host"],
    ["a", "--what"],
  ];
  await Promise.all(wrong.map(async (args) => {
    const { code, stdout, stderr } = await run(args);
    assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    assert.match(stderr, /^[A-Z].*\n\nServes the carrier tools/, args.join(" "));
  }));
});
