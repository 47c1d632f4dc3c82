/**
 * What a build is asked to do, and what its parts share.
 *
 * @module
 */

import type { Unit } from "../progress.ts";
import type { Keeps } from "../snapshot/manifest.ts";
import type { Source } from "../snapshot/source.ts";
import type { FileSyncs } from "../snapshot/writer.ts";
import type { BuildRunner } from "./pool.ts";
import type { InputOptions } from "./read_files.ts";

export interface BuildOptions extends InputOptions {
  /** The snapshot root: receives `current.json` and `s/<id>/`. */
  out: string;
  /** The snapshot root whose current snapshot this one follows; `out` when absent. */
  previous?: Source;
  /** Roots on this machine that may have the previous snapshot, too; `out` is always asked. */
  folders?: readonly string[];
  /** How long old snapshots are kept in `out`. @default 8 days */
  keeps?: Keeps;
  /** Allows that there is nothing to compare with. */
  first?: boolean;
  /** Why broken bounds of the two files are overridden. */
  force?: string;
  /** Why broken bounds of the file of orders are overridden: without it such a file is left out. */
  forceOrders?: string;
  /** Describes the data when it is not only FMCSA's. */
  notice?: string;
  /** Whether to build the search index. @default {true} */
  search?: boolean;
  /** Whether to write the files of all carriers, which takes `hyparquet-writer`. @default {false} */
  export?: boolean;
  /** @default {navigator.hardwareConcurrency} none for small files */
  workers?: number;
  onProgress?: (step: BuildStep, done: number) => void;
  signal?: AbortSignal;
}

/** The steps of a build: the files are read at once, then records are written, then indexed. */
export interface BuildStep {
  label: "read" | "write" | "index";
  unit: Unit;
  total: number;
}

/** A build in progress. */
export interface BuildWork {
  /** The build's own folder. */
  dir: string;
  pool: BuildRunner;
  syncs: FileSyncs;
  options: BuildOptions;
}
