import assert from "node:assert/strict";
import { dirname, join, normalize } from "node:path";

const ROOT = new URL("..", import.meta.url).pathname;

/** A file may import from its own floor's room and from rooms below it. */
const MAY_IMPORT: Record<string, string[]> = {
  pipeline: ["pipeline"],
  api: ["api", "pipeline"],
  mcp: ["mcp", "api", "pipeline"],
  site: ["site", "api", "pipeline"],
  "main.ts": ["site", "mcp", "api", "pipeline"],
};

/** Files that must run in a browser, so neither they nor what they import may need Deno or Node. */
const BROWSER_ROOTS = ["pipeline/snapshot/reader.ts", "pipeline/snapshot/http_source.ts"];

const IMPORT = /^\s*(?:import|export)\s(?!type\b)[^"';]*?from\s+"([^"]+)"|^\s*import\s+"([^"]+)"/gm;
const ANY_IMPORT = /\bfrom\s+"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"|new URL\("([^"]+\.tsx?)"/g;

Deno.test("imports point down the house only", async () => {
  const wrong: string[] = [];
  for (const file of await sources()) {
    const room = roomOf(file);
    for (const target of imports(file, ANY_IMPORT)) {
      if (target.startsWith("..")) wrong.push(`${file} imports ${target}, outside the repository`);
      else if (!MAY_IMPORT[room]!.includes(roomOf(target))) wrong.push(`${file} imports ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("imports make no circle", async () => {
  const done = new Set<string>();
  const visit = (file: string, path: string[]): void => {
    assert.ok(!path.includes(file), `circle: ${[...path, file].join(" -> ")}`);
    if (done.has(file)) return;
    for (const target of imports(file, IMPORT)) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of await sources()) visit(file, []);
  assert.ok(done.size > 0);
});

Deno.test("the snapshot reader needs web APIs only", () => {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = Deno.readTextFileSync(join(ROOT, file));
    assert.doesNotMatch(text, /\bDeno\.|from "node:/, file);
    for (const target of imports(file, IMPORT)) visit(target);
  };
  BROWSER_ROOTS.forEach(visit);
});

Deno.test("the repository has the top level its owner asked for", async () => {
  const allowed =
    /^(deno\.json|deno\.lock|main\.ts|pipeline|api|site|mcp|test|README\.md|ARCHITECTURE\.md|SECURITY\.md|GLOSSARY\.md|LICENSE|CHANGELOG\.md|\..*)$/;
  const names = [];
  for await (const { name } of Deno.readDir(ROOT)) names.push(name);
  assert.deepEqual(names.filter((name) => !allowed.test(name)), []);
});

Deno.test("the lock names no registry", async () => {
  assert.doesNotMatch(await Deno.readTextFile(join(ROOT, "deno.lock")), /https?:|"tarball"/);
});

async function sources(dir = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(join(ROOT, dir))) {
    const path = join(dir, entry.name);
    if (entry.isDirectory && (dir !== "" || entry.name in MAY_IMPORT)) {
      found.push(...await sources(path));
    } else if (/\.tsx?$/.test(path) && roomOf(path) in MAY_IMPORT) {
      found.push(path);
    }
  }
  return found;
}

function imports(file: string, pattern: RegExp): string[] {
  const text = Deno.readTextFileSync(join(ROOT, file));
  return [...text.matchAll(pattern)]
    .map(([, a, b, c]) => (a ?? b ?? c)!)
    .filter((target) => target.startsWith("."))
    .map((target) => normalize(join(dirname(file), target)));
}

function roomOf(file: string): string {
  return file.split("/")[0]!;
}
