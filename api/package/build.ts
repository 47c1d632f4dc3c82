/**
 * `deno task package [DIR]`: writes the npm package into a folder. Does not publish it.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { print } from "../../pipeline/io.ts";
import denoJson from "../../deno.json" with { type: "json" };

const FOLDER = fileURLToPath(new URL(".", import.meta.url));

const PACKAGE = {
  name: "carrier-snapshot",
  version: "0.1.0",
  description:
    "Look up, search and check motor carriers in a static snapshot of FMCSA's public files",
  type: "module",
  license: "Apache-2.0",
  engines: { node: ">=20" },
  sideEffects: true,
  exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
  bin: { "carrier-snapshot": "cli.js" },
};

/** Writes the package into an empty or new folder. */
export async function buildPackage(dir: string): Promise<void> {
  await Deno.mkdir(dir, { recursive: true });
  const imports = {
    "zod": new URL("no_schemas.ts", import.meta.url).href,
    "zod/mini": `${denoJson.imports.zod}/mini`,
  };
  const map = `data:application/json,${encodeURIComponent(JSON.stringify({ imports }))}`;
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["bundle", "--quiet", "--no-lock", "--minify", "--code-splitting", "--format", "esm"],
      ...["--platform", "browser", "--external", "node:*", "--import-map", map, "--outdir", dir],
      ...[`${FOLDER}index.ts`, `${FOLDER}cli.ts`],
    ],
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`Cannot bundle: ${new TextDecoder().decode(stderr)}`);
  const write = (name: string, text: string) => Deno.writeTextFile(`${dir}/${name}`, text);
  await write("cli.js", `#!/usr/bin/env node\n${await Deno.readTextFile(`${dir}/cli.js`)}`);
  await Deno.chmod(`${dir}/cli.js`, 0o755);
  const record = typesOf(
    await Deno.readTextFile(`${FOLDER}../../pipeline/snapshot/record/record.ts`),
  );
  const types = await Deno.readTextFile(`${FOLDER}index.d.ts`);
  await write(
    "index.d.ts",
    types.replace(/^import type [^;]*;\n\nexport type [^;]*;\n/m, () => record),
  );
  await write("package.json", `${JSON.stringify(PACKAGE, null, 2)}\n`);
  for (const [from, to] of [["README.md", "README.md"], ["../../LICENSE", "LICENSE"]]) {
    await Deno.copyFile(FOLDER + from, `${dir}/${to}`);
  }
}

/** The exported types of a module with their doc comments, and the constant lists that the types are derived from. */
function typesOf(source: string): string {
  const block =
    /^(?:\/\*\*(?:(?!\*\/)[^])*\*\/\n)?export (?:interface [^]*?^\}|type [^;]*;|const \w+ = \[[^\]]*\] as const;)$/gm;
  return Array.from(
    source.matchAll(block),
    ([text]) =>
      text.replace(
        /^export const (\w+) = (\[[^]*\]) as const;$/m,
        "declare const $1: readonly $2;",
      ),
  ).join("\n\n") + "\n";
}

if (import.meta.main) {
  const [dir = "npm"] = Deno.args;
  await buildPackage(dir);
  print(`Package: ${dir}. Try it: node ${dir}/cli.js --help`);
}
