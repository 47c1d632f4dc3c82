/**
 * What the benchmarks share: command line, data, rounds in turn, medians, tables.
 *
 * @module
 */

import { Command } from "commander";
import { openInput } from "../../pipeline/fmcsa/input.ts";
import { readSidecar, type Sidecar, sidecarPath } from "../../pipeline/fmcsa/part.ts";
import { note, print, writeJson } from "../../pipeline/io.ts";
import { readObject } from "../../pipeline/snapshot/contents.ts";
import {
  type Manifest,
  parseManifest,
  parsePointer,
  POINTER_PATH,
  shardPath,
  snapshotPath,
} from "../../pipeline/snapshot/manifest.ts";
import { openSource } from "../../pipeline/snapshot/open_source.ts";
import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import { decodeCarriers } from "../../pipeline/snapshot/shards.ts";
import { messageOf } from "../../pipeline/text.ts";
import { ROOT, runMeasured } from "./processes.ts";

/** The snapshot that `deno task start` builds. */
export const SAMPLE = `${ROOT}.data/sample`;

/** The command line of `deno task bench:<name>`; the benchmark adds its own options. */
export function benchCommand(name: string, description: string, help = ""): Command {
  return new Command(`bench:${name}`)
    .description(description)
    .option("--json <file>", "also write the figures to a file")
    .addHelpText("after", help);
}

/** Runs a benchmark; `run` prints its tables and returns its figures. An error is one line and exit code 1. */
export async function runBench<Options extends object>(
  command: Command,
  run: (options: Options, ...args: string[]) => Promise<unknown>,
): Promise<void> {
  command.parse(Deno.args, { from: "user" });
  const { json, ...options } = command.opts<Options & { json?: string }>();
  try {
    const figures = await run(options as unknown as Options, ...command.processedArgs);
    if (json !== undefined) await Deno.writeTextFile(json, JSON.stringify(figures, null, 2) + "\n");
  } catch (error) {
    note(`Cannot run ${command.name()}: ${messageOf(error)}`);
    Deno.exitCode = 1;
  }
}

/** The two files of a synthetic dataset. */
export interface BenchFiles {
  dir: string;
  census: string;
  inspections: string;
}

/** A dataset below `dir`, generated when it is not there, with the sidecars that fetch writes. */
export async function dataset(
  dir: string,
  { carriers, inspections, seed }: { carriers: number; inspections: number; seed: string },
): Promise<BenchFiles> {
  const out = `${dir}/${carriers}-${seed}`;
  const files = [`${out}/company_census.csv`, `${out}/vehicle_inspection.csv`] as const;
  if (!await Promise.all(files.map((path) => Deno.stat(path))).then(() => true, () => false)) {
    note(`Making ${carriers} carriers and ${inspections} inspections in ${out}`);
    const args = ["--carriers", carriers, "--inspections", inspections, "--seed", seed];
    await runMeasured(["task", "gen", ...args.map(String), "--out", out]);
  }
  for (const path of files) {
    if (await readSidecar(path) !== undefined) continue;
    const input = openInput(path, { hash: true });
    for await (const _ of input.chunks);
    const sha256 = input.sha256()!;
    const fetched_at = "2026-10-03T12:00:00Z";
    const bytes = input.bytesRead;
    const sidecar: Sidecar = { url: "urn:synthetic", bytes, sha256, fetched_at };
    await writeJson(sidecarPath(path), sidecar);
  }
  return { dir: out, census: files[0], inspections: files[1] };
}

/** A carrier shard as stored and as read. */
export interface BenchShard {
  bytes: number;
  records: CarrierRecord[];
}

/** A snapshot that a benchmark reads from end to end. */
export interface BenchSnapshot {
  id: string;
  manifest: Manifest;
  /** Carrier shards ascending by number: all of them, or about `count`, evenly spaced. */
  shards(count?: number): AsyncGenerator<BenchShard>;
  /** All records, ascending by USDOT number. */
  records(): AsyncGenerator<CarrierRecord>;
}

/** Opens the current snapshot of a root. */
export async function openBenchSnapshot(root: string): Promise<BenchSnapshot> {
  const source = openSource(root);
  const { snapshot: id } = parsePointer(await readObject(source, POINTER_PATH));
  const manifest = parseManifest(await readObject(source, `${snapshotPath(id)}/manifest.json`));
  async function* shards(count = Infinity): AsyncGenerator<BenchShard> {
    const { runs, width, objects } = manifest.families.carriers;
    const step = Math.max(1, Math.floor(objects / count));
    let seen = 0;
    for (const [first, last] of runs) {
      for (let shard = first; shard <= last; shard++) {
        if (seen++ % step !== 0) continue;
        const bytes = await readObject(
          source,
          `${snapshotPath(id)}/${shardPath("carriers", shard)}`,
        );
        yield { bytes: bytes.length, records: await decodeCarriers(bytes, { shard, width }) };
      }
    }
  }
  async function* records(): AsyncGenerator<CarrierRecord> {
    for await (const shard of shards()) yield* shard.records;
  }
  return { id, manifest, shards, records };
}

/** Thrown by a case whose program is not on this machine. */
export class PeerMissing extends Error {}

/**
 * Runs cases in turn, so that whatever else the machine does falls on all; a case that throws
 * {@link PeerMissing} is skipped with its message.
 *
 * @returns What each case returned, in `rounds` rounds; a skipped case has no entry.
 */
export async function inTurn<Name extends string, Result>(
  cases: Record<Name, () => Promise<Result>>,
  { rounds, show }: { rounds: number; show?: (result: Result) => string },
): Promise<Map<Name, Result[]>> {
  const results = new Map<Name, Result[]>();
  const missing = new Set<string>();
  for (let round = 1; round <= rounds; round++) {
    for (const [name, run] of Object.entries(cases) as [Name, () => Promise<Result>][]) {
      if (missing.has(name)) continue;
      try {
        const result = await run();
        if (show) note(`round ${round}, ${name}: ${show(result)}`);
        results.set(name, [...results.get(name) ?? [], result]);
      } catch (error) {
        if (!(error instanceof PeerMissing)) throw error;
        note(`Skipped ${name}: ${error.message}`);
        missing.add(name);
      }
    }
  }
  return results;
}

/** The value that a share of the values does not exceed (nearest rank); NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const ascending = values.toSorted((a, b) => a - b);
  return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? NaN;
}

/** The median of a figure of some results. */
export function median<T>(results: readonly T[], of: (result: T) => number): number {
  return quantile(results.map(of), 0.5);
}

/** The lines of a table: the first column flush left, the others flush right. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row.map((cell, at) => at === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[at]!)).join(
      "  ",
    )
  );
}

export function printTable(rows: readonly (readonly string[])[]): void {
  for (const line of tableLines(rows)) print(line);
}
