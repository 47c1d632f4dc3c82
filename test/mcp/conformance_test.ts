import assert from "node:assert/strict";
import { npmTool } from "./npm_tool.ts";
import { testMcp } from "./service.ts";

const suite = await npmTool("@modelcontextprotocol/conformance@0.2.0-alpha.12");
const inspector = await npmTool("@modelcontextprotocol/inspector@2.12.0");

/** Serves the endpoint; the suite needs a real address on localhost. */
async function withServer(work: (url: string) => Promise<void>): Promise<void> {
  const { endpoint, logged } = testMcp({ baseUrl: "http://localhost" });
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, endpoint);
  try {
    await work(`http://localhost:${server.addr.port}/mcp`);
  } finally {
    await server.shutdown();
  }
  assert.deepEqual(logged, []);
}

for (const revision of ["2026-07-28", "2025-11-25"]) {
  Deno.test({
    name: `the conformance suite reports only known failures for ${revision}`,
    ignore: suite.missing,
    // The baseline lists the failures, with reasons. The suite also fails on a baseline line that passes.
    fn: () =>
      withServer(async (url) => {
        const baseline = `${import.meta.dirname}/conformance/${revision}.yml`;
        const options = ["--requirements", revision, "--expected-failures", baseline];
        const { code, text } = await suite.run(["server", "--url", url, ...options]);
        assert.equal(code, 0, text.slice(-4_000));
        assert.match(text, /Baseline check passed/);
        for (const line of (await Deno.readTextFile(baseline)).trimEnd().split("\n").slice(2)) {
          assert.match(line, /^ {2}- [\w-]+:[\w-]+ # .{20,}$/);
        }
      }),
  });
}

/** Scenarios of SEP-2640 that apply to single-file skills. */
const SKILL_SCENARIOS = ["sep-2640-skills-enumeration", "sep-2640-skills-manifest"];

Deno.test({
  name: "the conformance suite reports no problem with the skills",
  ignore: suite.missing,
  fn: () =>
    withServer(async (url) => {
      for (const scenario of SKILL_SCENARIOS) {
        const { code, text } = await suite.run(["server", "--url", url, "--scenario", scenario]);
        assert.equal(code, 0, text.slice(-4_000));
        assert.match(text, /Passed: (\d+)\/\1, 0 failed, 0 warnings/);
      }
    }),
});

Deno.test({
  name: "the inspector reports no error and no warning, calls a tool and finds its card",
  ignore: inspector.missing,
  fn: () =>
    withServer(async (url) => {
      const inspect = async (...args: string[]): Promise<string> => {
        const all = ["--cli", url, "--transport", "http", ...args];
        const { code, stdout, text } = await inspector.run(all);
        assert.equal(code, 0, text.slice(-2_000));
        assert.doesNotMatch(text, /\d+ warnings?/);
        return stdout;
      };
      await inspect("--method", "tools/list", "--strict");
      const call = ["--method", "tools/call", "--tool-name", "lookup_carrier"];
      const said = await inspect(...call, "--protocol-era", "modern", "--tool-arg", "dot=295017");
      assert.equal(JSON.parse(said).structuredContent.name, "SOME CARRIER");
      const { hasApp, resourceUri, resourceMimeType } = JSON.parse(
        await inspect(...call, "--app-info"),
      );
      assert.deepEqual([hasApp, resourceUri, resourceMimeType], [
        true,
        "ui://carrier-compliance/card.html",
        "text/html;profile=mcp-app",
      ]);
    }),
});
