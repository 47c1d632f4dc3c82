import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { snapshot } from "./pipeline/commands/snapshot_root.ts";
import denoJson from "../deno.json" with { type: "json" };

const DOCUMENTS = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"];
const OPERATIONS = "pipeline/publish/OPERATIONS.md";

const ROOT = new URL("..", import.meta.url).pathname;

function read(path: string): Promise<string> {
  return Deno.readTextFile(ROOT + path);
}

Deno.test("OPERATIONS lists every setting by name, and no other", async () => {
  const known = [...(await read("api/settings.ts")).matchAll(/^\s+([A-Z][A-Z0-9_]+):/gm)]
    .map(([, name]) => name!);
  const section = (await read(OPERATIONS)).split("\n## 9. Settings")[1]!.split("\n## ")[0]!;
  const listed = [...section.matchAll(/^\| `([A-Z0-9_]+)` +\|/gm)].map(([, name]) => name!);
  assert.ok(known.length > 0);
  assert.deepEqual(listed.toSorted(), [...new Set(known)].sort());
});

Deno.test("every task named in the documents exists", async () => {
  const paths = [...DOCUMENTS, "pipeline/commands/help.txt", OPERATIONS];
  for (const path of paths) {
    for (
      const [, task] of (await read(path)).matchAll(/deno(?:@[\d.]+)? task ([a-z][a-z:-]*[a-z])/g)
    ) {
      assert.ok(Object.hasOwn(denoJson.tasks, task!), `${path} names the task ${task}`);
    }
  }
});

Deno.test("every file linked from the documents exists", async () => {
  for (const path of DOCUMENTS) {
    for (const [, target] of (await read(path)).matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
      assert.ok(await Deno.stat(ROOT + target).then(() => true, () => false), `${path}: ${target}`);
    }
  }
});

Deno.test("the README has exactly the two commands for a bare machine", async () => {
  const blocks = [...(await read("README.md")).matchAll(/^npx .*$/gm)].map(([line]) => line);
  assert.deepEqual(blocks, ["npx -y deno@2.9.6 task start", "npx -y deno@2.9.6 task test"]);
});

Deno.test("every snapshot command in the README is a command with help", async () => {
  const named = new Set(
    [...(await read("README.md")).matchAll(/task snapshot ([a-z]+)/g)].map(([, name]) => name!),
  );
  for (const name of named) {
    const { code, out } = await snapshot(name, "--help");
    assert.equal(code, 0, name);
    assert.match(out, new RegExp(`^Usage: snapshot ${name}`));
  }
  assert.ok(named.size >= 5);
});

/** Conditions that skip a test when its tool is missing; in CI a missing tool is an error. */
const SKIPPABLE = ["!hasNginx()", "!hasChromium()", "sdk.missing"];

Deno.test("every test named in the guarantees exists and runs in CI, and every guarantee names one", async () => {
  const files = await readdir(`${ROOT}test`, { recursive: true });
  const tests = files.filter((name) => name.endsWith("_test.ts"));
  const all = (await Promise.all(tests.map((name) => read(`test/${name}`)))).join("\n");
  assert.doesNotMatch(all, /\bDeno\.test\.(?:ignore|only)\b/);
  const promises = (await read("api/GUARANTEES.md")).split(/^\d+\. /m).slice(1);
  assert.ok(promises.length >= 7);
  for (const promise of promises) {
    const named = [...promise.matchAll(/^ {3,4}- `([^`]+)`$/gm)].map(([, name]) => name!);
    assert.ok(named.length > 0, promise);
    for (const name of named) {
      const option = "(?:ignore|only)(?:: ([^,}\\n]+))?";
      const test = `(?:\\{ ${option}, name: )?"${RegExp.escape(name)}",\\s*(?:\\{ )?(?:${option})?`;
      const [found, before, after] = new RegExp(test).exec(all) ?? [];
      assert.ok(found !== undefined, `there is no test "${name}"`);
      const isSkipped = found.replace(name, "").match(/ignore|only/) !== null &&
        !SKIPPABLE.includes((before ?? after ?? "").trim());
      assert.ok(!isSkipped, `"${name}" is skipped`);
    }
  }
});
