import assert from "node:assert/strict";
import fc from "fast-check";
import { carrierOf, goldenProof } from "./proofs.ts";
import { checkProof, RefusedProof } from "../../../pipeline/snapshot/proof.ts";
import { sumsGroups, sumsRoot, sumsTree } from "../../../pipeline/snapshot/sums_tree.ts";
import { sha256 } from "../../../pipeline/sha256.ts";

const { text, manifestSha256, laterSha256 } = await goldenProof();

/** The position of each part in the file, without its quotes. */
const PARTS: [part: string, from: number, to: number][] = [];
for (const [part, value] of partsOf(JSON.parse(text))) {
  const written = JSON.stringify(value);
  const quotes = typeof value === "string" ? 1 : 0;
  const from = part.startsWith("later")
    ? text.indexOf(written, text.indexOf('"later"'))
    : text.indexOf(written);
  PARTS.push([part, from + quotes, from + written.length - quotes]);
}

Deno.test("a proof verifies against its own manifest's hash and the later one's, and has the row", async () => {
  assert.equal((await checkProof(text, manifestSha256)).anchor, "manifest");
  const found = await checkProof(text, laterSha256);
  assert.equal(found.anchor, "later.manifest");
  assert.equal(found.manifest.data_date, "2026-10-02");
  assert.equal(found.later!.manifest.data_date, "2026-10-03");
  assert.deepEqual(found.carrier, await carrierOf(found.carrier.dot));
  assert.equal((await checkProof(text)).anchor, undefined);
});

Deno.test("a proof with any byte changed is rejected, and the error names the changed part", async () => {
  const saved = fc.constantFrom(manifestSha256, laterSha256, undefined);
  // Each part equally often, though some have ten times the bytes.
  const place = fc.constantFrom(...PARTS, ["", 0, text.length] as const).chain(([part, from, to]) =>
    fc.record({ part: fc.constant(part), at: fc.integer({ min: from, max: to - 1 }) })
  );
  await fc.assert(
    fc.asyncProperty(
      place,
      fc.integer({ min: 1, max: 127 }),
      saved,
      async ({ part, at }, bits, hash) => {
        const changed = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ bits) +
          text.slice(at + 1);
        const error = await checkProof(changed, hash).then(() => null, (error) => error);
        assert.ok(error instanceof RefusedProof, `accepted with another byte at ${at}`);
        const isStillJson = parses(changed) && error.part !== "file";
        if (part === "" || !isStillJson) return;
        // A hash and its data can only be checked together.
        const named = new Set([part, part.replace(/manifest_sha256$/, "manifest")]);
        if (part.endsWith("manifest_sha256")) named.add("manifest_sha256").add("later.past");
        assert.ok(named.has(error.part), `${part} at ${at}: ${error.message}`);
      },
    ),
    { numRuns: 1_000 },
  );
});

Deno.test("a part of another proof, another claim and an unknown hash are rejected", async () => {
  const proof = JSON.parse(text);
  const cases: [object, string, string?][] = [
    [{ claim: "This carrier is safe." }, "claim"],
    [{ proof_format: 2 }, "proof_format"],
    [{ dot: 99_999_999 }, "dot"],
    [{ sums: [] }, "file"],
    [{ sums: [...proof.sums, "x"] }, "sums.1"],
    [{ later: undefined, extra: 1 }, "file"],
    [{ later: { ...proof.later, past: '{"format":3,"snapshots":[]}\n' } }, "later.past"],
    [{}, "manifest_sha256", "0".repeat(64)],
  ];
  for (const [change, part, hash] of cases) {
    const changed = `${JSON.stringify({ ...proof, ...change }, null, 2)}\n`;
    await assert.rejects(checkProof(changed, hash), { part }, part);
  }
  // White space, too: each proof has exactly one text.
  await assert.rejects(checkProof(JSON.stringify(proof)), { part: "file" });
  await assert.rejects(checkProof("null"), { part: "proof_format" });
});

Deno.test("the groups of a line hash to the root, in lists of any length, as FORMAT.md says", async () => {
  for (const length of [0, 1, 64, 65, 4_096, 4_097]) {
    const lines = Array.from({ length }, (_, i) => `${sha256(String(i))}  carriers/${i}.json.gz`);
    const list = lines.map((line) => `${line}\n`).join("");
    let level: string[] = list.match(/.*\n/g) ?? [];
    while (level.length > 64) {
      level = Array.from(
        { length: Math.ceil(level.length / 64) },
        (_, i) => `${sha256(level.slice(64 * i, 64 * i + 64).join(""))}\n`,
      );
    }
    const root = sha256(level.join(""));
    assert.equal(await sumsRoot(list), root, String(length));
    const tree = await sumsTree(list);
    for (const line of [lines[0], lines[64], lines.at(-1)]) {
      if (line === undefined) continue;
      const groups = sumsGroups(tree, line)!;
      assert.equal(groups.length, length <= 64 ? 1 : length <= 4_096 ? 2 : 3);
      let listed = line;
      for (const group of groups) {
        assert.ok(group.split("\n").includes(listed));
        listed = sha256(group);
      }
      assert.equal(listed, root);
    }
    assert.equal(sumsGroups(tree, "no such line"), undefined);
  }
});

/** The texts and numbers of a proof, by path. */
function partsOf(value: object, prefix = ""): [string, unknown][] {
  return Object.entries(value).flatMap(([name, one]): [string, unknown][] =>
    typeof one === "object" ? partsOf(one, `${prefix}${name}.`) : [[prefix + name, one]]
  );
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
