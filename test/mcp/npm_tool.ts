/**
 * Command line tools from npm that test the server without being dependencies: Deno runs them
 * straight from the registry, and their tests are skipped with one message when it can't be reached.
 *
 * @module
 */

import { missingTool } from "../missing_tool.ts";

// Dependencies younger than a week are not used: vite 8.4.0 of Nov 26, 2026 depends on a package that doesn't exist.
const OUTSIDE = ["--no-config", "--no-lock", "--minimum-dependency-age=P7D"];

/** The result of a tool. */
interface ToolRun {
  code: number;
  stdout: string;
  /** Standard output and standard error. */
  text: string;
}

/** A tool at a fixed version. */
interface NpmTool {
  /** Whether its tests must be skipped. */
  missing: boolean;
  run(args: string[]): Promise<ToolRun>;
  /** Runs a script with the package's specifier as its first argument. */
  script(path: string, args: string[]): Promise<ToolRun>;
}

/**
 * Fetches a tool, e.g. `@scope/tool@1.2.3`, or records that the registry can't be reached.
 *
 * @throws {Error} When the registry answers but the tool can't be fetched.
 */
export async function npmTool(spec: string): Promise<NpmTool> {
  const { code, text } = await deno(["cache", ...OUTSIDE, `npm:${spec}`]);
  const missing = code !== 0;
  if (missing && !text.includes("error sending request")) {
    throw new Error(`Cannot fetch ${spec}: ${text}`);
  }
  if (missing) missingTool(spec);
  const run = ["run", "-A", ...OUTSIDE];
  return {
    missing,
    run: (args) => deno([...run, `npm:${spec}`, ...args]),
    script: (path, args) => deno([...run, path, `npm:${spec}`, ...args]),
  };
}

async function deno(args: string[]): Promise<ToolRun> {
  // A folder of its own, so that no configuration is found in a parent folder.
  const cwd = await Deno.makeTempDir();
  try {
    const env = { NO_COLOR: "1", REDOCLY_TELEMETRY: "off" };
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd, env })
      .output();
    const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    return { code, stdout: out!, text: out! + err! };
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
}
