/**
 * Adds up what the passes and the partitions found. Every sum is the same in any order.
 *
 * @module
 */

import {
  countProblems,
  mergeProblems,
  problemCounts,
  type ProblemTallies,
} from "../fmcsa/problems.ts";
import { isoDay } from "../fmcsa/fields.ts";
import { FORMAT, type Manifest } from "../snapshot/manifest.ts";
import type { ShardSum } from "../snapshot/writer.ts";
import type { Assembled } from "./assemble.ts";
import type { FirstPass } from "./first_pass.ts";
import { landmarks, mergeLandmarks, noLandmarks } from "./landmarks.ts";
import type { BuildReport, FileReport } from "./report.ts";
import {
  byLabel,
  type Counts,
  distributions,
  mergeCounts,
  mergeStatistics,
  noStatistics,
  nullRates,
} from "./statistics.ts";

/** The sums of a build. */
export class Totals {
  readonly shards: ShardSum[] = [];
  readonly dockets: Uint32Array[] = [];
  readonly problems: Record<"census" | "inspections", ProblemTallies>;
  #passes: Record<"census" | "inspections", FirstPass>;
  #statistics = noStatistics();
  #landmarks = noLandmarks();
  #newestFiling = "";
  #newestInspection = 0;
  #months: Counts = new Map();
  #levels: Counts = new Map();
  #inWindow = 0;
  #unknownCarrier = 0;

  constructor(passes: Record<"census" | "inspections", FirstPass>) {
    this.#passes = passes;
    this.problems = { census: {}, inspections: {} };
    mergeProblems(this.problems.census, passes.census.problems);
    mergeProblems(this.problems.inspections, passes.inspections.problems);
  }

  /** Adds one partition. */
  add({ shards, census, inspections, statistics, landmarks, dockets }: Assembled): void {
    this.shards.push(...shards);
    this.dockets.push(dockets);
    mergeProblems(this.problems.census, census.problems);
    mergeProblems(this.problems.inspections, inspections.problems);
    mergeStatistics(this.#statistics, statistics);
    mergeCounts(this.#months, inspections.months);
    mergeCounts(this.#levels, inspections.levels);
    mergeLandmarks(this.#landmarks, landmarks);
    if (census.newest > this.#newestFiling) this.#newestFiling = census.newest;
    this.#newestInspection = Math.max(this.#newestInspection, inspections.newest);
    this.#inWindow += inspections.inWindow;
    this.#unknownCarrier += inspections.unknownCarrier;
  }

  /** The counts of the manifest. */
  counts(): Manifest["counts"] {
    const { status, carriers, docketEntries, inspections, carriersInspected } = this.#statistics;
    return {
      carriers,
      active: status.get("A") ?? 0,
      inactive: status.get("I") ?? 0,
      pending: status.get("P") ?? 0,
      dockets: docketEntries,
      inspections,
      carriers_inspected: carriersInspected,
    };
  }

  /** The report, before gates and drift. */
  report({ dataDate, notice }: { dataDate: string; notice?: string }): BuildReport {
    return {
      format: FORMAT,
      data_date: dataDate,
      ...(notice === undefined ? {} : { notice }),
      census: {
        ...this.#file("census"),
        ...(this.#newestFiling === "" ? {} : { newest: this.#newestFiling }),
      },
      inspections: {
        ...this.#file("inspections"),
        ...(this.#newestInspection === 0 ? {} : { newest: isoDay(this.#newestInspection) }),
        in_window: this.#inWindow,
        unknown_carrier: this.#unknownCarrier,
      },
      null_rates: nullRates(this.#statistics),
      distributions: {
        ...distributions(this.#statistics),
        inspections_per_month: byLabel(this.#months),
        inspection_levels: byLabel(this.#levels),
      },
      gates: [],
      landmarks: landmarks(this.#landmarks),
    };
  }

  #file(role: "census" | "inspections"): FileReport {
    const { rows, extraColumns, reordered } = this.#passes[role];
    const problems = this.problems[role];
    const rejected = countProblems(problems, "rejected");
    const skipped = countProblems(problems, "skipped");
    return {
      rows,
      accepted: rows - rejected - skipped,
      rejected,
      skipped,
      problems: problemCounts(problems),
      extra_columns: extraColumns,
      reordered_columns: reordered,
    };
  }
}
