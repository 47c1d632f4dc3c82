/**
 * Command line tools of npm that prove something of the server and are no part of it: run by Deno
 * straight from the registry, and left out with one line where the registry cannot be reached.
 *
 * @module
 */

import { missingTool } from "../missing_tool.ts";

const OUTSIDE = ["--no-config", "--no-lock"];

/** What a tool did. */
interface ToolRun {
  code: number;
  stdout: string;
  /** Both outputs. */
  text: string;
}

/** A tool at a fixed version. */
interface NpmTool {
  /** Whether its tests must be left out. */
  missing: boolean;
  run(args: string[]): Promise<ToolRun>;
  /** Runs a script with the specifier of the package before its arguments. */
  script(path: string, args: string[]): Promise<ToolRun>;
}

/**
 * Fetches a tool, e.g. `@scope/tool@1.2.3`, or notes that it cannot be reached.
 *
 * @throws {Error} When the registry answers but the tool cannot be had.
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
  // A folder without a configuration, so that none is found upwards of it.
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
