/**
 * The options of a build, and the state that its parts share.
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
  /** Other roots on this machine that may have the previous snapshot; `out` is always tried. */
  folders?: readonly string[];
  /** How long old snapshots are kept in `out`. @default 8 days */
  keeps?: Keeps;
  /** Allows a build without a snapshot to compare with. */
  first?: boolean;
  /** Why failed gates of the two files are overridden. */
  force?: string;
  /** Why failed gates of the file of orders are overridden; without it such a file is left out. */
  forceOrders?: string;
  /** Describes the data when it is not only FMCSA's. */
  notice?: string;
  /** Whether to build the search index. @default {true} */
  search?: boolean;
  /** Whether to write the files of all carriers, which takes `hyparquet-writer`. @default {false} */
  export?: boolean;
  /** @default {navigator.hardwareConcurrency} no workers when the files are small */
  workers?: number;
  onProgress?: (step: BuildStep, done: number) => void;
  signal?: AbortSignal;
}

/** The steps of a build: the files are read in parallel, then records are written, then indexed. */
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
