import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { openCarriers } from "../../../api/package/index.ts";
import type * as declared from "../../../api/package/index.d.ts";
import { openSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { missingTool } from "../../missing_tool.ts";
import { builtSample } from "../../pipeline/sample/built_sample.ts";
import { siteOver } from "../../site/app.ts";
import { builtPackage, serveFiles } from "./built_package.ts";

const ROOT = await builtSample();
const built = await builtPackage();
const { path: dir } = built;
const host = serveFiles({ data: ROOT });

// Fails to type-check when the package's types differ from the declared ones.
const open: typeof declared.openCarriers = openCarriers;

Deno.test.afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await built[Symbol.asyncDispose]();
});

const NODE = await new Deno.Command("node", { args: ["--version"] }).output().catch(() => null);

/** Runs the command in Node. */
async function cli(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await new Deno.Command("node", {
    args: [`${dir}/cli.js`, ...args],
    env: { SNAPSHOT_URL: "" },
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

/** A module and its static imports. */
async function loaded(name: string, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const text = await Deno.readTextFile(`${dir}/${name}`);
  for (const [, other] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) {
    await loaded(other!, seen);
  }
  return seen;
}

Deno.test("lookups load at most 60 KB (21 KiB compressed), and only code that runs in Node and browsers", async () => {
  const texts = await Promise.all(
    [...await loaded("index.js")].map((name) => Deno.readFile(`${dir}/${name}`)),
  );
  const bytes = texts.reduce((sum, text) => sum + text.length, 0);
  const packed = texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
  assert.ok(bytes <= 60_000, `${bytes} bytes`);
  assert.ok(packed <= 21 * 1024, `${packed} bytes compressed`);
  for await (const { name } of Deno.readDir(dir)) {
    if (!name.endsWith(".js")) continue;
    const text = await Deno.readTextFile(`${dir}/${name}`);
    assert.doesNotMatch(text, /\bDeno\.|npm:|\bTemporal\b.*newYork\(/, name);
    if (name !== "cli.js") assert.doesNotMatch(text, /from"node:/, name);
  }
});

Deno.test("the package in Deno looks up and searches over HTTP, and a lookup reads no search index", async () => {
  const { openCarriers } = await import(`${dir}/index.js`);
  const carriers: declared.Carriers = openCarriers(`${host.url}/data`);
  const { carrier, snapshot } = await carriers.carrier(286764);
  assert.equal((carrier as { legal_name: string }).legal_name, "GENERAL TRANSPORT INC");
  assert.ok(!host.asked.some((path) => path.includes("/search/")));
  const { results } = await carriers.search("general transport akron", { limit: 3 });
  assert.equal(results![0]!.dot, 286764);
  assert.deepEqual((await carriers.docket("MC", 186800)).dots, [286764]);
  assert.equal((await carriers.carrier(99_999_999)).carrier, null);
  assert.match(snapshot.manifest_sha256, /^[0-9a-f]{64}$/);
  await assert.rejects(carriers.carrier(1, { asOf: "2001-01-01" }), { name: "NotKept" });
});

Deno.test("checks and matches equal those of the API", async () => {
  const carriers = open(openSource(ROOT));
  const { visit } = siteOver(openSource(ROOT));
  for (const dot of [286764, 90000193, 295017, 90010002, 90002206]) {
    const { page_url: _, ...carrier } = await (await visit(`/api/v1/carriers/${dot}`)).json();
    const { carrier: checked } = await carriers.check(dot, { today: "2026-10-05" });
    assert.deepEqual(JSON.parse(JSON.stringify(checked)), carrier, String(dot));
    const given = { name: "General Transport", city: "Akron", state: "OH" };
    const query = new URLSearchParams({ dot: String(dot), ...given });
    const { carriers: [{ page_url: __, ...expected }] } =
      await (await visit(`/api/v1/match?${query}`)).json();
    const { match } = await carriers.match(dot, given, { today: "2026-10-05" });
    assert.deepEqual(match, expected);
  }
  assert.equal((await carriers.check(99_999_999)).carrier, null);
});

Deno.test({
  name: "the command looks up, searches and matches in Node, from a folder and from a URL",
  ignore: NODE === null && missingTool("Node"),
  async fn() {
    for (const place of [ROOT, `${host.url}/data`]) {
      const at = ["--snapshot", place];
      const shown = await cli("286764", ...at);
      assert.equal(shown.code, 0, shown.err);
      assert.match(shown.out, /^USDOT 286764: GENERAL TRANSPORT INC, AKRON, OH\nVerdict: /);
      assert.equal(
        shown.out.match(/^(USDOT number|MCS-150|Operating|Safety|Out-of|UCR)/gm)!.length,
        6,
      );
      assert.match(
        (await cli("286764", "--as-of", "2026-10-01", ...at)).out,
        /^As of 2026-10-01$/m,
      );
      const json = JSON.parse((await cli("286764", "--json", ...at)).out);
      assert.equal(json.carrier.dot, "286764");
      const found = await cli("search", "general", "transport", "akron", ...at);
      assert.match(found.out, /^286764 {2}GENERAL TRANSPORT INC {2}AKRON, OH\n/);
      const match = await cli(
        "match",
        "286764",
        "--name",
        "General Transport",
        "--city",
        "Akron",
        ...at,
      );
      assert.match(match.out, /^USDOT 286764: match\nname: match\./);
    }
    const at = ["--snapshot", ROOT];
    const cases: [string[], number, RegExp][] = [
      [["99999999", ...at], 1, /99999999 is not in the census of 2026-10-03/],
      [["286764"], 2, /Give --snapshot/],
      [["1A", ...at], 2, /Cannot parse USDOT number 1A/],
      [["286764", "146793", ...at], 2, /Give one USDOT number/],
      [["286764", "--as-of", "2026-02-30", ...at], 2, /YYYY-MM-DD/],
      [["286764", "--as-of", "2001-01-01", ...at], 1, /first that is kept/],
      [["286764", "--colour", ...at], 2, /colour/],
      [["match", "286764", ...at], 2, /Give --name/],
      [["search", "x", ...at], 2, /./],
      [["286764", "--snapshot", `${dir}/nowhere`], 1, /Cannot find "current\.json"/],
      [["286764", "--snapshot", "ftp://x"], 1, /./],
      [[], 2, /^Usage: /],
      [["--help"], 0, /^Usage: /],
    ];
    for (const [args, code, message] of cases) {
      const ended = await cli(...args);
      assert.equal(ended.code, code, args.join(" ") + ended.err);
      assert.match(ended.out + ended.err, message);
    }
  },
});

Deno.test("the declarations in the package type-check in a program that uses them", async () => {
  const program = `${dir}/use.ts`;
  await Deno.writeTextFile(
    program,
    `// @ts-types="./index.d.ts"\nimport { openCarriers } from "./index.js";\n` +
      `const { carrier } = await openCarriers("https://x.example").carrier(1);\n` +
      `const text: string | undefined = carrier && "legal_name" in carrier ? carrier.legal_name : undefined;\n` +
      `const problem: number = (await openCarriers("https://x.example").check(1)).carrier!.issues;\n` +
      `console.log(text, problem);\n`,
  );
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--no-config", "--no-lock", program],
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
});
