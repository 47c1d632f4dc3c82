import assert from "node:assert/strict";
import { failuresOf } from "../../../pipeline/audit/gates.ts";
import { lastOrders, orderGates } from "../../../pipeline/audit/order_gates.ts";
import type { OrdersReport, SnapshotReport } from "../../../pipeline/audit/report.ts";
import { sampleReport } from "../report/sample_report.ts";

/** The reports of two files of orders, and what the new one lost. */
interface Files {
  orders: OrdersReport;
  before: OrdersReport;
  losses: { orders: number; lost: number };
  dataDate: string;
}

/** A file that passes every gate, so large that no bound is widened. */
function fileOf(rows = 1_000_000): OrdersReport {
  return {
    rows,
    accepted: rows,
    rejected: 0,
    skipped: 0,
    problems: [],
    extra_columns: [],
    reordered_columns: false,
    newest: "2026-10-02",
    rescinded: rows * 0.44,
    unrescinded: rows * 0.56,
    rescinded_later: 0,
    unusable: 0,
    unknown_carrier: rows * 0.01,
    gates: [],
  };
}

function brokenBy(change: (files: Files) => void, rows?: number): string[] {
  const files: Files = {
    orders: fileOf(rows),
    before: fileOf(rows),
    losses: { orders: rows ?? 1_000_000, lost: 0 },
    dataDate: "2026-10-03",
  };
  change(files);
  const { orders, ...more } = files;
  const gates = orderGates(orders, { path: "orders.csv", whole: true, ...more });
  return failuresOf(gates).map(({ gate }) => gate);
}

type Change = (files: Files, to: number) => void;

/** A figure's change: the last value that passes its gate and the first that doesn't. */
const BOUNDS: [gate: string, change: Change, passes: number, breaks: number][] = [
  ["orders_rejected", ({ orders }, to) => orders.rejected = to, 1_000, 1_010],
  ["orders_newest", (files, day) => files.dataDate = `2026-10-${day}`, 23, 24],
  ["orders_unrescinded", unrescinded, 360_000, 359_990],
  ["orders_unrescinded", unrescinded, 760_000, 760_010],
  ["orders_unusable", ({ orders }, to) => orders.unusable = to, 10_000, 10_010],
  ["orders_lost", ({ losses }, to) => losses.lost = to, 10_000, 10_010],
  ["orders_newest_moved", ({ orders }, day) => orders.newest = `2026-10-0${day}`, 2, 1],
  ["orders_rows", ({ before }, to) => before.rows = to, 1_010_000, 1_010_200],
  ["orders_rows", ({ before }, to) => before.rows = to, 952_400, 952_300],
  ["orders_unrescinded_moved", ({ before }, to) => before.unrescinded = to, 550_000, 549_990],
  ["orders_unrescinded_moved", ({ before }, to) => before.unrescinded = to, 570_000, 570_010],
  ["orders_unknown_carrier", ({ orders }, to) => orders.unknown_carrier = to, 20_000, 20_010],
];

function unrescinded({ orders, before }: Files, to: number): void {
  orders.unrescinded = before.unrescinded = to;
}

Deno.test("each gate of the orders alone breaks when its figure exceeds its bound", () => {
  assert.deepEqual(brokenBy(() => {}), []);
  for (const [gate, change, passes, breaks] of BOUNDS) {
    assert.deepEqual(brokenBy((files) => change(files, passes)), [], `${gate} ${passes} passes`);
    assert.deepEqual(
      brokenBy((files) => change(files, breaks)),
      [gate],
      `${gate} ${breaks} breaks`,
    );
  }
});

Deno.test("a file of 1,000 orders may have its newest 50 days before the data date", () => {
  const behind = (dataDate: string) => brokenBy((files) => files.dataDate = dataDate, 1_000);
  assert.deepEqual([behind("2026-11-21"), behind("2026-11-22")], [[], ["orders_newest"]]);
});

Deno.test("a file of orders is compared with the last one that was included, if there is one", () => {
  const { report, manifest } = sampleReport();
  const [refused, included] = [fileOf(1), fileOf(2)];
  const last = (orders_date?: string): OrdersReport | undefined =>
    lastOrders({
      report: { ...report, orders: refused, orders_before: included },
      manifest: { ...manifest, ...(orders_date !== undefined && { orders_date }) },
    } as SnapshotReport);
  assert.deepEqual([last(), last("2026-10-02")], [included, refused]);
  const first = orderGates(fileOf(), {
    path: "orders.csv",
    whole: true,
    dataDate: "2026-10-03",
    before: undefined,
    losses: { orders: 0, lost: 0 },
  });
  assert.deepEqual(failuresOf(first), []);
  assert.ok(first.every(({ name }) => name !== "orders_rows"));
});
