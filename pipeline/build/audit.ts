/**
 * All gates of a build, in the order to show them.
 *
 * @module
 */

import { folderSource } from "../snapshot/folder_source.ts";
import type { Manifest } from "../snapshot/manifest.ts";
import { PinnedSnapshot } from "../snapshot/pinned_snapshot.ts";
import { SharedCache } from "../snapshot/shared_cache.ts";
import { driftGates } from "./drift_gates.ts";
import { fileGates } from "./file_gates.ts";
import type { Gate, Paths } from "./gates.ts";
import { landmarkGates } from "./landmark_gates.ts";
import type { BuildReport } from "./report.ts";
import { STAGED } from "./staging.ts";

/** What is audited beside the report. */
export interface AuditOptions {
  /** The report of the snapshot before. */
  previous?: BuildReport;
  paths: Paths;
  /** Whether the last line of each file has a line end. */
  whole: Record<keyof Paths, boolean>;
  /** The build's own folder. */
  dir: string;
  /** The manifest, so far. */
  draft: Omit<Manifest, "files">;
}

/** Measures every bound; judges none. */
export async function audit(
  report: BuildReport,
  { previous, paths, whole, dir, draft }: AuditOptions,
): Promise<Gate[]> {
  const alone = fileGates(report, { paths, whole });
  if (previous === undefined) return alone;
  const name = { id: STAGED, manifestSha256: "" };
  const snapshot = new PinnedSnapshot(name, {
    manifest: draft as Manifest,
    source: folderSource(dir),
    cache: new SharedCache(0),
    sparse: true,
  });
  const comparison = { report, previous, paths };
  return [
    ...alone,
    ...driftGates(comparison),
    ...await landmarkGates(snapshot, comparison),
  ];
}
