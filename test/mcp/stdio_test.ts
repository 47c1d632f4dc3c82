import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Objects, putSnapshot, record } from "../pipeline/snapshot/memory.ts";

const STDIO = new URL("../../mcp/stdio.ts", import.meta.url).pathname;
const ARGS = ["run", "-A", STDIO];

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs it with all of its input given at once. */
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

async function withSnapshot(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const objects: Objects = new Map();
    putSnapshot(objects, { id: "a", carriers: [record(295017)] });
    for (const [path, bytes] of objects) {
      const file = `${folder}/${path}`;
      await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
      await Deno.writeFile(file, bytes);
    }
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

for (const mode of ["legacy", { pin: "2026-07-28" }] as const) {
  Deno.test(`stdio serves a folder to a client in mode ${JSON.stringify(mode)}`, async () => {
    await withSnapshot(async (folder) => {
      const args = [...ARGS, folder, "--base-url", "https://carriers.example/"];
      const transport = new StdioClientTransport({
        command: Deno.execPath(),
        args,
        stderr: "ignore",
      });
      const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
      await client.connect(transport);
      assert.equal((await client.listTools()).tools.length, 6);
      const { structuredContent } = await client.callTool({
        name: "lookup_carrier",
        arguments: { dot: "295017" },
      });
      const { page_url } = structuredContent as { page_url: string };
      assert.equal(page_url, "https://carriers.example/carriers/295017");
      assert.equal(client.getProtocolEra(), mode === "legacy" ? "legacy" : "modern");
      await client.close();
    });
  });
}

Deno.test("stdio answers what is not JSON with a parse error, and ends with its input", async () => {
  await withSnapshot(async (folder) => {
    const { code, stdout, stderr } = await run([folder], "not json\n");
    assert.equal(code, 0);
    const { jsonrpc, error, ...rest } = JSON.parse(stdout);
    assert.deepEqual([jsonrpc, error.code, rest], ["2.0", -32700, {}]);
    assert.match(stderr, /^Serving .* over standard input and output; ends when the input does\n/);
  });
});

Deno.test("stdio prints its help, and refuses what it cannot use", async () => {
  const help = await run(["--help"]);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /deno task mcp --sample/);
  const wrong = [[], ["a", "b"], ["--sample", "a"], ["--smaple"], ["s3://a"], [
    "a",
    "--base-url",
    "x",
  ]];
  await Promise.all(wrong.map(async (args) => {
    const { code, stdout, stderr } = await run(args);
    assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    assert.match(stderr, /^[A-Z].*\n\nServes the carrier tools/, args.join(" "));
  }));
});

Deno.test("stdio serves the bundled sample", async () => {
  const transport = new StdioClientTransport({
    command: Deno.execPath(),
    args: [...ARGS, "--sample"],
    stderr: "ignore",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const { content } = await client.callTool({
    name: "search_carriers",
    arguments: { q: "general transport akron" },
  });
  assert.match(JSON.stringify(content), /USDOT 286764 .*GENERAL TRANSPORT INC/);
  await client.close();
});
