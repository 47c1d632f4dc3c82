import assert from "node:assert/strict";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import { serverFactory } from "../../mcp/server.ts";
import { createMcpEndpoint } from "../../mcp/http.ts";
import { fixtureFactory } from "./fixtures.ts";
import { npmTool } from "./npm_tool.ts";
import { testMcp } from "./service.ts";

const suite = await npmTool("@modelcontextprotocol/conformance@0.2.0-alpha.12");
const inspector = await npmTool("@modelcontextprotocol/inspector@2.12.0");

/** Serves the HTTP shell around a factory; the suite wants a real address on localhost. */
async function withServer(
  factory: McpServerFactory,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const logged: string[] = [];
  const log = (line: string): void => void logged.push(line);
  const endpoint = createMcpEndpoint({ factory, baseUrl: "http://localhost", log });
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, endpoint);
  try {
    await work(`http://localhost:${server.addr.port}/mcp`);
  } finally {
    await server.shutdown();
  }
  assert.deepEqual(logged, []);
}

const FACTORIES = {
  product: (): McpServerFactory => serverFactory(testMcp().context),
  fixtures: (): McpServerFactory => fixtureFactory,
};

for (const revision of ["2026-07-28", "2025-11-25"]) {
  for (const [name, factory] of Object.entries(FACTORIES)) {
    Deno.test({
      name: `the conformance suite finds nothing new for ${revision} in the ${name}`,
      ignore: suite.missing,
      // The baseline lists what is not passed; the suite fails on a line that has become untrue.
      fn: () =>
        withServer(factory(), async (url) => {
          const baseline = `${import.meta.dirname}/conformance/${name}-${revision}.yml`;
          const options = ["--url", url, "--requirements", revision];
          const { code, text } = await suite.run([
            "server",
            ...options,
            "--expected-failures",
            baseline,
          ]);
          assert.equal(code, 0, text.slice(-4_000));
          assert.match(text, /Baseline check passed/);
        }),
    });
  }
}

Deno.test("every line of the conformance baselines has its reason", async () => {
  for await (const { name } of Deno.readDir(`${import.meta.dirname}/conformance`)) {
    const text = await Deno.readTextFile(`${import.meta.dirname}/conformance/${name}`);
    const [comment, key, ...lines] = text.trimEnd().split("\n");
    assert.match(comment!, /^# /);
    assert.equal(key, "server:");
    for (const line of lines) assert.match(line, /^ {2}- [\w-]+:[\w-]+ # .{20,}$/, name);
  }
});

function inspect(url: string, args: string[]): ReturnType<typeof inspector.run> {
  return inspector.run(["--cli", url, "--transport", "http", ...args]);
}

Deno.test({
  name: "the inspector finds no error and no warning in the tools",
  ignore: inspector.missing,
  fn: () =>
    withServer(FACTORIES.product(), async (url) => {
      const { code, text } = await inspect(url, ["--method", "tools/list", "--strict"]);
      assert.equal(code, 0, text.slice(-2_000));
      assert.doesNotMatch(text, /\d+ warnings?/);
    }),
});

Deno.test({
  name: "the inspector calls a tool in both eras and finds its card",
  ignore: inspector.missing,
  fn: () =>
    withServer(FACTORIES.product(), async (url) => {
      const call = ["--method", "tools/call", "--tool-name", "lookup_carrier"];
      for (const era of ["legacy", "modern"]) {
        const args = [...call, "--protocol-era", era, "--tool-arg", "dot=295017"];
        const { code, stdout } = await inspect(url, args);
        assert.equal(code, 0, stdout);
        assert.equal(JSON.parse(stdout).structuredContent.name, "SOME CARRIER");
      }
      const { code, stdout } = await inspect(url, [...call, "--app-info"]);
      assert.equal(code, 0, stdout);
      const { hasApp, resourceUri, resourceMimeType } = JSON.parse(stdout);
      assert.deepEqual([hasApp, resourceUri, resourceMimeType], [
        true,
        "ui://carrier-compliance/card.html",
        "text/html;profile=mcp-app",
      ]);
    }),
});
