/**
 * Reads the report of the snapshot that is current at a source.
 *
 * @module
 */

import type { BuildReport } from "../build/report.ts";
import { parseManifest, parsePointer } from "../snapshot/documents.ts";
import { FORMAT, POINTER_PATH, snapshotPath } from "../snapshot/manifest.ts";
import type { Source } from "../snapshot/source.ts";
import type { SnapshotReport } from "./figures.ts";

const REPORT_PATH = "report.json";

/**
 * Follows pointer, manifest and report, and checks both hashes on the way.
 *
 * @throws {Error} When an object is missing or is not the one that was published.
 * @throws {SyntaxError | TypeError | RangeError} When one is malformed or of another format.
 */
export async function readReport(source: Source): Promise<SnapshotReport> {
  const pointer = parsePointer(await read(source, POINTER_PATH));
  const base = snapshotPath(pointer.snapshot);
  const manifestBytes = await readHashed(source, {
    path: `${base}/manifest.json`,
    sha256: pointer.manifest_sha256,
  });
  const manifest = parseManifest(manifestBytes);
  const path = `${base}/${REPORT_PATH}`;
  const sha256 = manifest.files?.[REPORT_PATH]?.sha256;
  const report = parseReport(await readHashed(source, { path, sha256 }), path);
  return { snapshot: pointer.snapshot, manifest, report };
}

async function read(source: Source, path: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await source.get(path);
  if (bytes === null) throw new Error(`Cannot find "${path}" in ${source.name}`);
  return bytes;
}

async function readHashed(
  source: Source,
  { path, sha256 }: { path: string; sha256: string | undefined },
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await read(source, path);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  if (digest.toHex() !== sha256) {
    throw new Error(`Cannot use "${path}" in ${source.name}: its SHA-256 is not the one published`);
  }
  return bytes;
}

function parseReport(bytes: Uint8Array, path: string): BuildReport {
  let value: BuildReport;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new SyntaxError(`Cannot parse "${path}": not JSON in UTF-8`, { cause: error });
  }
  if (value?.format !== FORMAT) {
    throw new RangeError(`Cannot read "${path}": it is not of format ${FORMAT}`);
  }
  // The hash says that a build wrote it: a look at its members is enough.
  value.gates ??= [];
  value.landmarks ??= { largest: [], sampled: [] };
  for (const member of ["census", "inspections", "null_rates", "distributions"] as const) {
    if (typeof value[member] !== "object" || value[member] === null) {
      throw new TypeError(`Cannot read "${path}": member "${member}" is missing or malformed`);
    }
  }
  return value;
}
