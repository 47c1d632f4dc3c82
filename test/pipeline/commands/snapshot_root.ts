import { build } from "../../../pipeline/build/build.ts";

/** A snapshot root of the real sample rows, in a folder of its own that goes with it. */
export interface SnapshotRoot extends AsyncDisposable {
  /** Holds the root and room for other files. */
  dir: string;
  root: string;
  id: string;
}

/** Builds one. */
export async function snapshotRoot({ notice }: { notice?: string } = {}): Promise<SnapshotRoot> {
  const dir = await Deno.makeTempDir();
  const real = new URL("../../../pipeline/sample/real/", import.meta.url);
  const file = (name: string): string => decodeURIComponent(new URL(name, real).pathname);
  const { entry } = await build({
    census: file("company_census.csv"),
    inspections: file("vehicle_inspection.csv"),
    out: `${dir}/root`,
    dataDate: "2026-04-03",
    workers: 1,
    clock: { now: () => Date.UTC(2026, 3, 4) },
    ...(notice === undefined ? {} : { notice }),
  });
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
  const cli = decodeURIComponent(new URL("../../../pipeline/cli.ts", import.meta.url).pathname);
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", cli, ...args],
    env: { NO_COLOR: "1", ...env },
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}
