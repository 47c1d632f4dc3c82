import { buildFiles, censusCsv, censusRow } from "../compile/files.ts";

/** A snapshot root of three carriers, in its own folder that is removed with it. */
interface SnapshotRoot extends AsyncDisposable {
  /** Contains the files and the root. */
  dir: string;
  root: string;
  id: string;
}

/** Builds one. */
export async function snapshotRoot({ notice }: { notice?: string } = {}): Promise<SnapshotRoot> {
  const dir = await Deno.makeTempDir();
  const general = censusRow(286764, { LEGAL_NAME: "GENERAL TRANSPORT INC" });
  const { entry } = await buildFiles(
    dir,
    { census: censusCsv([censusRow(1), censusRow(254), general]) },
    { out: `${dir}/root`, workers: 1, ...(notice === undefined ? {} : { notice }) },
  );
  return {
    dir,
    root: `${dir}/root`,
    id: entry.snapshot,
    async [Symbol.asyncDispose]() {
      await Deno.remove(dir, { recursive: true });
    },
  };
}

/** Runs `snapshot` as a maintainer does. */
export function snapshot(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return snapshotWith({}, ...args);
}

/** Runs `snapshot` with more in its environment. */
export async function snapshotWith(
  env: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; out: string; err: string }> {
  const cli = decodeURIComponent(
    new URL("../../../pipeline/commands/cli.ts", import.meta.url).pathname,
  );
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", cli, ...args],
    env: { NO_COLOR: "1", ...env },
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}
