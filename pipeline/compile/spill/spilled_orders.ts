/**
 * Out-of-service orders between the two passes, and those of a partition by carrier. Only dates decide the
 * state of an order, and rows are joined only by USDOT number.
 *
 * @module
 */

import { ORDER_COLUMNS, ORDER_WANTED, placesOf } from "../../fmcsa/columns.ts";
import { type CsvRow, fieldBytes } from "../../fmcsa/csv_row.ts";
import { decodeField, foldText, parseIsoDay } from "../../fmcsa/fields.ts";
import { isoDay } from "../../dates.ts";
import { addProblem, type ProblemTallies } from "../../fmcsa/problems.ts";
import { MAX_ORDERS, type OutOfServiceOrder } from "../../snapshot/record/record.ts";
import {
  type FirstPass,
  type FirstPassTask,
  readRows,
  type RowProblem,
  rowUsdotNumber,
} from "./first_pass.ts";
import { fileDate } from "./spilled_inspections.ts";
import { SpillWriter } from "./staging.ts";

const W = placesOf(ORDER_WANTED);

/** Characters of a reason that are kept; FMCSA's longest has 49. */
const REASON_LENGTH = 200;

/** Characters of unusable dates that are kept. */
const DATE_LENGTH = 24;

/** A row between the passes, each on a line as JSON. */
type SpilledOrder = [dot: number, date: string, reason: string, rescinded: string];

const ENCODER = new TextEncoder();

/**
 * Runs the first pass over the file of orders.
 *
 * @throws {TypeError} When it is a different file, or has no plausible order date.
 */
export async function spillOrders(task: FirstPassTask): Promise<FirstPass> {
  const spill = new SpillWriter(task.dir);
  const perDay = new Map<number, number>();
  const pass = await readRows(task, {
    known: ORDER_COLUMNS,
    wanted: ORDER_WANTED,
    row(row, problem): boolean {
      const dot = rowUsdotNumber(row, { field: W.DOT_NUMBER, problem, blank: "bad_usdot_number" });
      if (dot === undefined) return false;
      const date = textOf(row, W.OOS_DATE, problem);
      const reason = textOf(row, W.OOS_REASON, problem).slice(0, REASON_LENGTH).toWellFormed();
      const order: SpilledOrder = [dot, date, reason, textOf(row, W.RESCIND_DATE, problem)];
      const line = ENCODER.encode(`${JSON.stringify(order)}\n`);
      const { bytes, offset } = spill.reserve(dot, line.length);
      bytes.set(line, offset);
      const day = parseIsoDay(date, task.latest);
      if (day > 0) perDay.set(day, (perDay.get(day) ?? 0) + 1);
      return true;
    },
  });
  spill.close();
  const newest = fileDate(perDay);
  if (newest === 0) {
    throw new TypeError(
      `Cannot read ${task.path}: no row has a day up to ${
        isoDay(task.latest)
      } as YYYY-MM-DD in OOS_DATE`,
    );
  }
  return { ...pass, newest };
}

function textOf(row: CsvRow, field: number, problem: RowProblem): string {
  const decoded = decodeField(fieldBytes(row, field));
  const folded = foldText(decoded.text);
  const repair = decoded.repair ?? folded.repair;
  if (repair) problem(repair, ORDER_WANTED[field]!);
  return folded.text;
}

/** Orders by state on the data date, according to their dates. Plain data: a worker posts it. */
export interface OrderCounts {
  rescinded: number;
  unrescinded: number;
  /** Rescinded on a day after the data date. */
  rescinded_later: number;
  unusable: number;
  /** Orders, in any of the states above, of carriers in the census. */
  known_carrier: number;
}

export function noOrders(): OrderCounts {
  return { rescinded: 0, unrescinded: 0, rescinded_later: 0, unusable: 0, known_carrier: 0 };
}

export function addOrders(into: OrderCounts, from: OrderCounts): void {
  for (const name of Object.keys(into) as (keyof OrderCounts)[]) into[name] += from[name];
}

interface OrderDays {
  /** `YYYY-MM-DD`. */
  dataDate: string;
  /** The last plausible day of an order, `YYYYMMDD` as a number. */
  latest: number;
}

/** A rescission may have any date, because FMCSA may announce it in advance. */
const ANY_DAY = 99_991_231;

/** A partition's orders by carrier. No result depends on the order of the rows. */
export class OrderRollUp {
  readonly counts = noOrders();
  #byDot = new Map<number, OutOfServiceOrder[]>();
  #dataDate: string;

  /** Counts repeated rows, and rows with unusable dates, as problems. */
  constructor(spilled: Uint8Array, { dataDate, latest }: OrderDays, problems: ProblemTallies) {
    this.#dataDate = dataDate;
    const seen = new Set<string>();
    for (const line of new TextDecoder().decode(spilled).split("\n")) {
      if (line === "") continue;
      const [dot, date, reason, rescinded] = JSON.parse(line) as SpilledOrder;
      const order = orderOf({ date, reason, rescinded }, latest);
      const key = JSON.stringify([dot, order]);
      if (seen.has(key)) {
        const detail = `USDOT ${dot}: OOS_DATE ${JSON.stringify(date.slice(0, DATE_LENGTH))}`;
        addProblem(problems, "duplicate_order", { line: 0, detail });
        continue;
      }
      seen.add(key);
      if (order.unusable !== undefined) {
        const filed = JSON.stringify(Object.values(order.unusable)).slice(1, -1);
        const detail = `USDOT ${dot}: OOS_DATE, RESCIND_DATE ${filed}`;
        addProblem(problems, "bad_order_dates", { line: 0, detail });
      }
      this.counts[this.#stateOf(order)]++;
      const orders = this.#byDot.get(dot);
      if (orders === undefined) this.#byDot.set(dot, [order]);
      else orders.push(order);
    }
  }

  /** The members of a carrier's record; undefined without an order. */
  of(dot: number): { orders: OutOfServiceOrder[]; orders_total?: number } | undefined {
    const all = this.#byDot.get(dot);
    if (all === undefined) return undefined;
    this.counts.known_carrier += all.length;
    all.sort(compareOrders);
    if (all.length <= MAX_ORDERS) return { orders: all };
    // Orders that may be in force are listed before those that are over.
    const isOver = (order: OutOfServiceOrder) => this.#stateOf(order) === "rescinded";
    const kept = new Set([...all.filter((one) => !isOver(one)), ...all.filter(isOver)]
      .slice(0, MAX_ORDERS));
    return { orders: all.filter((order) => kept.has(order)), orders_total: all.length };
  }

  #stateOf({ rescinded, unusable }: OutOfServiceOrder): keyof OrderCounts {
    if (unusable !== undefined) return "unusable";
    if (rescinded === undefined) return "unrescinded";
    return rescinded <= this.#dataDate ? "rescinded" : "rescinded_later";
  }
}

function orderOf(
  { date, reason, rescinded }: { date: string; reason: string; rescinded: string },
  latest: number,
): OutOfServiceOrder {
  const [issued, over] = [parseIsoDay(date, latest), parseIsoDay(rescinded, ANY_DAY)];
  if (issued <= 0 || over < 0 || over > 0 && over < issued) {
    const [first, last] = [date, rescinded].map((text) =>
      text.slice(0, DATE_LENGTH).toWellFormed()
    );
    return { reason, unusable: { date: first!, rescinded: last! } };
  }
  const order = { date: isoDay(issued), reason };
  return over === 0 ? order : { ...order, rescinded: isoDay(over) };
}

/** Newest first; on the same day those without a rescission, then by later rescission; unusable dates last. */
function compareOrders(a: OutOfServiceOrder, b: OutOfServiceOrder): number {
  const [first, second] = [sortKey(a), sortKey(b)];
  if (first === second) return compareText(a.reason, b.reason);
  return compareText(second, first);
}

function sortKey({ date = "", rescinded = "9999-99-99", unusable }: OutOfServiceOrder): string {
  return `${date} ${rescinded} ${unusable === undefined ? "" : JSON.stringify(unusable)}`;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
