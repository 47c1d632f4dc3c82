import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";

const ROOT = new URL("..", import.meta.url).pathname;

/** Folders from the lowest layer to the highest. `/*` is the files in a folder, without subfolders. */
const LAYERS = [
  "pipeline/*",
  "pipeline/snapshot/record",
  "pipeline/snapshot/*",
  "pipeline/snapshot/sources",
  "pipeline/search/shared",
  "pipeline/search/index",
  "pipeline/search/query",
  "pipeline/fmcsa",
  "pipeline/export",
  "pipeline/audit",
  "pipeline/compile/spill",
  "pipeline/compile/changes",
  "pipeline/compile/*",
  "pipeline/report",
  "pipeline/publish",
  "pipeline/sample",
  "pipeline/commands",
  "api/rules",
  "api/operations",
  "api/package",
  "api/state",
  "api/http",
  "api/ask/tokens",
  "api/ask/entities",
  "api/ask/plan",
  "api/ask/answers",
  "api/ask",
  "api/a2a",
  "api/alerts",
  "api/discovery",
  "api/log.ts",
  "api/settings.ts",
  "api/service.ts",
  "api/doctor.ts",
  "api/verify_record.ts",
  "mcp",
  "site/content",
  "site/assets",
  "site/components",
  "site/bulk",
  "site/pages",
  "site/pages/carrier",
  "site/pages/developers",
  "site",
  "main.ts",
];

/** Files that must run in a browser: neither they nor their imports may need Deno or Node. */
const BROWSER_ROOTS = [
  "pipeline/snapshot/reader.ts",
  "pipeline/snapshot/sources/http_source.ts",
  "pipeline/snapshot/proof.ts",
  "api/package/index.ts",
];

const VALUES = /^\s*(?:import|export)\s(?!type\b)[^"';]*?from\s+"([^"]+)"|^\s*import\s+"([^"]+)"/gm;
const ALL = /\bfrom\s+"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"|new URL\("([^"]+\.tsx?)"/g;

Deno.test("every file imports from its own layer or a lower one, types included", async () => {
  const wrong: string[] = [];
  for (const file of await sources()) {
    for (const target of imports(file, ALL)) {
      if (layerOf(target) > layerOf(file)) wrong.push(`${file} imports ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("no files import each other in a cycle, types included", async () => {
  const done = new Set<string>();
  const visit = (file: string, path: string[]): void => {
    assert.ok(!path.includes(file), `cycle: ${[...path, file].join(" -> ")}`);
    if (done.has(file)) return;
    for (const target of imports(file, ALL)) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of await sources()) visit(file, []);
  assert.ok(done.size > 0);
});

Deno.test("the snapshot reader needs only web APIs", () => {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    assert.doesNotMatch(Deno.readTextFileSync(join(ROOT, file)), /\bDeno\.|from "node:/, file);
    for (const target of imports(file, VALUES)) visit(target);
  };
  BROWSER_ROOTS.forEach(visit);
});

Deno.test("exported names are unique", async () => {
  const files = new Map<string, Set<string>>();
  for (const file of await sources()) {
    const text = await Deno.readTextFile(join(ROOT, file));
    for (const name of exportedNames(text)) {
      files.set(name, (files.get(name) ?? new Set()).add(file));
    }
  }
  assert.ok(files.size > 1000);
  assert.deepEqual([...files].filter(([, where]) => where.size > 1), []);
});

Deno.test("the top level of the repository has only the expected entries", async () => {
  const allowed =
    /^(deno\.(json|lock)|main\.ts|pipeline|api|site|mcp|test|(README|ARCHITECTURE|CONTRIBUTING|SECURITY|GLOSSARY|CHANGELOG)\.md|LICENSE|\..*)$/;
  const names = [];
  for await (const { name } of Deno.readDir(ROOT)) names.push(name);
  assert.deepEqual(names.filter((name) => !allowed.test(name)), []);
});

Deno.test("the lock files contain no registry URL", async () => {
  for (const lock of ["deno.lock", "pipeline/deno.lock", "test/deno.lock"]) {
    assert.doesNotMatch(await Deno.readTextFile(join(ROOT, lock)), /https?:|"tarball"/);
  }
});

async function sources(): Promise<string[]> {
  const folders = ["pipeline", "api", "mcp", "site"].map(async (folder) =>
    (await readdir(join(ROOT, folder), { recursive: true })).map((name) => join(folder, name))
  );
  const files = (await Promise.all(folders)).flat().filter((name) =>
    // The package's declarations repeat types of ours.
    /\.tsx?$/.test(name) && !name.endsWith(".d.ts")
  );
  return ["main.ts", ...files];
}

/** Names that a file declares and exports, without re-exports. */
function exportedNames(text: string): string[] {
  const declared = text.matchAll(
    /^export (?:abstract |async |declare )*(?:type|interface|class|enum|const|let|function\*?) +(\w+)/gm,
  );
  const unpacked = text.matchAll(/^export const [{[]([^}\]]*)[}\]]/gm);
  return [
    ...Array.from(declared, ([, name]) => name!),
    ...Array.from(unpacked, ([, names]) => Array.from(names!.matchAll(/(\w+) *(?=,|$)/g)))
      .flat().map(([, name]) => name!),
  ];
}

/** Files of this repository that a file imports. */
function imports(file: string, pattern: RegExp): string[] {
  const text = Deno.readTextFileSync(join(ROOT, file));
  return [...text.matchAll(pattern)]
    .map(([, a, b, c]) => (a ?? b ?? c)!)
    .filter((target) => /^\..*\.tsx?$/.test(target))
    .map((target) => normalize(join(dirname(file), target)));
}

/** The index of a file's layer in {@link LAYERS}; the most specific one counts. */
function layerOf(file: string): number {
  const fits = (layer: string): boolean =>
    layer.endsWith("/*")
      ? dirname(file) === layer.slice(0, -2)
      : `${file}/`.startsWith(`${layer}/`);
  const [best] = LAYERS.filter(fits).sort((a, b) => b.length - a.length);
  assert.ok(best, `${file} belongs to no layer: add its folder to LAYERS`);
  return LAYERS.indexOf(best);
}
