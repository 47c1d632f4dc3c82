/**
 * Gates on the file of out-of-service orders. When one fails, the file is left out of the snapshot.
 *
 * @module
 */

import { daysBetween } from "../dates.ts";
import { type Gate, gateOf, type GateRow, noisy, percentOf, rounded, rowGates } from "./gates.ts";
import type { OrdersReport, SnapshotReport } from "./report.ts";

/** The report of the last file of orders that was included; undefined without one. */
export function lastOrders({ manifest, report }: SnapshotReport): OrdersReport | undefined {
  return manifest.orders_date === undefined ? report.orders_before : report.orders;
}

interface OrderGateOptions {
  path: string;
  /** Whether its last line has a line end. */
  whole: boolean;
  dataDate: string;
  /** The result of {@link lastOrders}. */
  before: OrdersReport | undefined;
  /**
   * Orders in the previous snapshot, and how many of them are missing from the new file or lost their
   * rescission.
   */
  losses: { orders: number; lost: number };
}

/**
 * Percent of all rows without a rescission: the usual value in FMCSA's file (Sep 2026), and how far it may
 * deviate.
 */
const UNRESCINDED = { usual: 56, by: 20 };

/** FMCSA adds one order a day per 5,000 in the file, so a small file may have no new ones for a long time. */
const DAYS_BEHIND_OF_ONE = 50_000;

export function orderGates(orders: OrdersReport, options: OrderGateOptions): Gate[] {
  const { path, whole, before } = options;
  return [
    ...rowGates("orders", orders, { path, whole }),
    ...stateGates(orders, options),
    ...(before === undefined ? [] : lastGates(orders, { ...options, before })),
  ].map(gateOf);
}

function stateGates(
  orders: OrdersReport,
  { path, dataDate, losses }: OrderGateOptions,
): GateRow[] {
  const { accepted, newest, unusable } = orders;
  const share = unrescindedShare(orders);
  const by = noisy(UNRESCINDED.by, accepted);
  const { usual } = UNRESCINDED;
  return [
    [
      "orders_newest",
      daysBetween(newest, dataDate),
      "days",
      { max: Math.max(21, Math.round(DAYS_BEHIND_OF_ONE / accepted)) },
      `${path}: the newest order is of ${newest}, long before the data date ${dataDate}`,
    ],
    [
      "orders_unrescinded",
      share,
      "%",
      { min: rounded(usual - by), max: rounded(usual + by) },
      `${path}: RESCIND_DATE is blank for ${share}% of the orders`,
    ],
    [
      "orders_unusable",
      percentOf(unusable, accepted),
      "%",
      { max: noisy(1, accepted) },
      `${path}: ${unusable} of ${accepted} orders have no possible OOS_DATE or RESCIND_DATE`,
    ],
    [
      "orders_lost",
      percentOf(losses.lost, losses.orders),
      "%",
      { max: noisy(1, losses.orders) },
      `${path}: ${losses.lost} of ${losses.orders} orders of the previous snapshot, or their ` +
      "rescissions, are gone",
    ],
  ];
}

/** Compared with the last file that was included. */
function lastGates(
  orders: OrdersReport,
  { path, before }: OrderGateOptions & { before: OrdersReport },
): GateRow[] {
  const unknown = ({ unknown_carrier, accepted }: OrdersReport): number =>
    percentOf(unknown_carrier, accepted);
  const points = noisy(1, Math.min(orders.accepted, before.accepted));
  return [
    [
      "orders_newest_moved",
      daysBetween(before.newest, orders.newest),
      "days",
      { min: 0 },
      `${path} is older than the last file of orders: its newest is of ${orders.newest}, the last one ` +
      `had ${before.newest}`,
    ],
    [
      "orders_rows",
      percentOf(orders.rows - before.rows, before.rows),
      "%",
      { min: -noisy(1, before.rows), max: noisy(5, before.rows) },
      `${path} has ${orders.rows} rows, the last file of orders had ${before.rows}`,
    ],
    [
      "orders_unrescinded_moved",
      rounded(unrescindedShare(orders) - unrescindedShare(before)),
      "points",
      { min: -points, max: points },
      `${path}: RESCIND_DATE is blank for ${unrescindedShare(orders)}% of the orders, ` +
      `for ${unrescindedShare(before)}% in the last file`,
    ],
    [
      "orders_unknown_carrier",
      rounded(unknown(orders) - unknown(before)),
      "points",
      { max: points },
      `${path}: ${unknown(orders)}% of the orders have USDOT numbers that are not in the census, ` +
      `${unknown(before)}% in the last file`,
    ],
  ];
}

function unrescindedShare({ unrescinded, accepted }: OrdersReport): number {
  return percentOf(unrescinded, accepted);
}
