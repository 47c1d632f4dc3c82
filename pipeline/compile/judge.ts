/**
 * Runs the gates over what a build wrote, by itself and against the previous snapshot, and completes its
 * report.
 *
 * @module
 */

import { type Baseline, comparisonGates } from "../audit/comparison.ts";
import { dayReport } from "../audit/day_changes.ts";
import { failuresOf, fileGates, type GateFailure, gateResults } from "../audit/gates.ts";
import { lastOrders, orderGates } from "../audit/order_gates.ts";
import { recordChanges } from "../audit/record_changes.ts";
import { type BuildReport, drift } from "../audit/report.ts";
import type { ChainedSnapshot } from "../snapshot/chain.ts";
import type { Manifest } from "../snapshot/manifest.ts";
import { folderSource } from "../snapshot/sources/open_source.ts";
import { PinnedSnapshot } from "../snapshot/pinned_snapshot.ts";
import { SharedCache } from "../snapshot/shared_cache.ts";
import type { BuildWork } from "./build_options.ts";
import type { LeftOut, ReadFiles } from "./read_files.ts";
import { STAGED } from "./spill/staging.ts";
import type { Totals } from "./totals.ts";

/** A gate of the file of orders failed: the snapshot is built without it. */
export class OrdersRefused extends Error {
  readonly leftOut: LeftOut;

  constructor(failures: readonly GateFailure[], refused: NonNullable<LeftOut["refused"]>) {
    super(
      `Out-of-service orders are not included:\n` +
        failures.map(({ message }) => `  - ${message}`).join("\n") +
        `\nIf that file is correct, give --force-orders "REASON"; the reason is published with the snapshot`,
    );
    this.leftOut = { why: "refused", refused };
  }
}

interface Built {
  read: ReadFiles;
  totals: Totals;
  /** Receives the gates and the comparison. */
  report: BuildReport;
  draft: Omit<Manifest, "files">;
  baseline: Baseline | null;
  /** The chain up to the previous snapshot; undefined when none was merged. */
  chain: readonly ChainedSnapshot[] | undefined;
}

interface Verdict {
  /** Failed gates of the two files. */
  failures: GateFailure[];
  /** Failed gates of the file of orders that were overridden. */
  orderFailures: GateFailure[];
  /** Why failed gates are overridden; empty when none is. */
  forced: string;
}

/** @throws {OrdersRefused} When a gate of the file of orders fails, without `forceOrders`. */
export async function judgeBuild({ dir, options }: BuildWork, built: Built): Promise<Verdict> {
  const { read: { passes, dataDate }, totals, report, draft, chain } = built;
  const { force, forceOrders } = options;
  const baseline = built.baseline;
  const previous = baseline && "report" in baseline.found ? baseline.found : undefined;
  const orderFailures = judgeOrders(options, {
    ...built,
    before: previous && lastOrders(previous),
  });
  if (previous) report.drift = drift(report, previous, recordChanges(totals.changes));
  if (chain) {
    const { tally } = totals.log;
    report.changes = dayReport(tally, { counts: totals.log, dataDate, chain });
  }
  const whole = { census: passes.census.whole, inspections: passes.inspections.whole };
  const snapshot = stagedSnapshot(dir, draft);
  const gates = [
    ...fileGates(report, { paths: options, whole }),
    ...await comparisonGates({ report, snapshot, paths: options }, baseline),
  ];
  const failures = failuresOf(gates);
  report.gates = gateResults(gates, force !== undefined);
  const forced = overrideReasons({
    force: failures.length > 0 ? force : undefined,
    forceOrders: orderFailures.length > 0 ? forceOrders : undefined,
  });
  return { failures, orderFailures, forced };
}

/** Puts the gates of the file of orders into the report; returns those that failed. */
function judgeOrders(
  { orders: path, forceOrders }: BuildWork["options"],
  { read: { passes, sources, dataDate }, totals, report, before }: Built & {
    before: BuildReport["orders_before"];
  },
): GateFailure[] {
  const { orders } = report;
  if (orders === undefined || passes.orders === undefined) {
    if (before !== undefined) report.orders_before = before;
    return [];
  }
  const gates = orderGates(orders, {
    path: path as string,
    whole: passes.orders.whole,
    dataDate,
    before,
    losses: totals.losses,
  });
  const failures = failuresOf(gates);
  orders.gates = gateResults(gates, forceOrders !== undefined);
  if (failures.length > 0 && forceOrders === undefined) {
    const source = sources.find(({ role }) => role === "orders")!;
    throw new OrdersRefused(failures, { report: orders, source });
  }
  return failures;
}

/** The reasons for overriding gates, as recorded in the snapshot; empty when there are none. */
export function overrideReasons(
  { force, forceOrders }: { force?: string | undefined; forceOrders?: string | undefined },
): string {
  return [force, forceOrders && `orders: ${forceOrders}`].filter(Boolean).join("; ");
}

/** Reads the snapshot that was built, before it has a name. */
function stagedSnapshot(dir: string, draft: Omit<Manifest, "files">): PinnedSnapshot {
  return new PinnedSnapshot({ id: STAGED, manifestSha256: "" }, {
    manifest: draft as Manifest,
    source: folderSource(dir),
    cache: new SharedCache(16 * 1024 * 1024),
    listCacheBytes: 16 * 1024 * 1024,
  });
}
