/**
 * FMCSA's out-of-service orders of a carrier. Only its dates decide the state of an order. That the file
 * lists an order does not prove that it is in force, so none is called active.
 *
 * @module
 */
import type { OutOfServiceOrder } from "../../pipeline/snapshot/record/record.ts";
import { capitalized, listed, plural, quoted } from "../../pipeline/text.ts";
import { addMonths, formatForPeople, isDate, parseDate } from "../../pipeline/dates.ts";
import type { CheckInput } from "./check.ts";
import REASONS from "./order_reasons.json" with { type: "json" };
import { ORDERS as ORDERS_FILE } from "./official_sources.ts";
import type { Carrier, CarrierOrder, Check, CheckState, Finding } from "./schemas.ts";

/** Months for which an order without a recorded rescission is a problem; an older one needs review. */
export const ORDER_MONTHS = 24;

/** Orders that sentences name; the JSON and the page list all. */
const NAMED = 5;

/** Longest reason that is shown as filed, in characters. */
const REASON_LENGTH = 80;

type DatedOrder = OutOfServiceOrder & { date: string };

interface Orders {
  /** Orders without a recorded rescission, or with one dated after the data; newest first. */
  unrescinded: readonly DatedOrder[];
  rescinded: readonly DatedOrder[];
  unusable: readonly Required<Pick<OutOfServiceOrder, "reason" | "unusable">>[];
  /**
   * Number of orders in the file that the record doesn't list. The oldest rescinded ones are dropped first,
   * so all of them are rescinded if the record lists a rescinded one.
   */
  unlisted: number;
}

const NO_ORDERS: Orders = { unrescinded: [], rescinded: [], unusable: [], unlisted: 0 };

type OrderInput = Pick<CheckInput, "record" | "dates">;

/** The orders of a record by state; undefined where the snapshot does not include orders. */
function sorted({ record, dates }: OrderInput): Orders | undefined {
  if (dates.orders_date === undefined) return undefined;
  const { orders = [], orders_total = orders.length } = record;
  const dated = orders.filter((order): order is DatedOrder => order.unusable === undefined);
  const isOver = ({ rescinded }: OutOfServiceOrder) =>
    rescinded !== undefined && rescinded <= dates.data_date;
  return {
    unrescinded: dated.filter((order) => !isOver(order)),
    rescinded: dated.filter(isOver),
    unusable: orders.flatMap(({ reason, unusable }) => unusable ? [{ reason, unusable }] : []),
    unlisted: orders_total - orders.length,
  };
}

/** Whether an out-of-service order decides a check. */
export function isOfOrders({ basis }: Pick<Check, "basis">): boolean {
  return basis.file === ORDERS_FILE.name;
}

/** The orders, in the form of the JSON. */
export function listOrders(
  { orders = [], orders_total }: CheckInput["record"],
): Pick<Carrier, "orders" | "orders_total"> {
  return {
    orders: orders.map(({ date = null, reason, rescinded = null, unusable }) => ({
      date,
      reason,
      rescinded,
      ...(unusable && { unusable }),
    })),
    ...(orders_total && { orders_total }),
  };
}

/** A reason in words: FMCSA's own, some of them shortened, and any other in quotes. */
export function reasonWords(reason: string): string {
  if (reason === "") return "no reason filed";
  return (REASONS as Partial<Record<string, string>>)[reason] ?? quoted(reason, REASON_LENGTH);
}

/**
 * An order of the JSON in words, as of the data date: `Aug 11, 2026`, `rescinded Aug 20, 2026`, and what is
 * missing.
 */
export function orderFacts(
  { date, rescinded, unusable }: CarrierOrder,
  dataDate: string,
): [day: string, end: string] {
  if (unusable !== undefined) {
    const [day, end] = [unusable.date, unusable.rescinded].map((text) => text && quoted(text));
    return [day || "no date", `${end || "no rescission"} (not usable)`];
  }
  const end = rescinded === null
    ? "no rescission recorded"
    : `${rescinded > dataDate ? "rescission dated" : "rescinded"} ${formatForPeople(rescinded)}`;
  return [formatForPeople(date!), end];
}

/** How many orders are listed, in a few words; undefined where the snapshot doesn't include orders. */
export function ordersLine(
  { orders, orders_total, snapshot }: Pick<Carrier, "orders" | "orders_total" | "snapshot">,
) {
  if (orders === undefined) return undefined;
  const [newest] = orders;
  if (newest === undefined) return `None through ${formatForPeople(snapshot.orders_date!)}`;
  const total = orders_total ?? orders.length;
  const more = total === 1 ? "" : ` and ${total - 1} more`;
  const [day, end] = orderFacts(newest, snapshot.data_date);
  return `${capitalized(day)}, ${end}${more}`;
}

/** From a manifest or from an answer. */
interface FileDates {
  orders_date?: string | undefined;
  notice?: string | undefined;
}

/** `FMCSA's out-of-service orders through Oct 1, 2026`, or that it is a sample. */
function ordersFile({ orders_date, notice }: FileDates): string {
  return notice === undefined
    ? `FMCSA's out-of-service orders through ${formatForPeople(orders_date!)}`
    : "this sample";
}

/** `Aug 11, 2026 (Refusal of audit / no contact)`. */
function orderWords({ date, reason }: DatedOrder): string {
  return `${formatForPeople(date)} (${reasonWords(reason)})`;
}

/** What orders add to the check of the USDOT number. */
interface OrderResult {
  state: CheckState;
  /** `Out-of-service order of Aug 11, 2026, no rescission recorded`. */
  text: string;
  detail: readonly string[];
}

/** The orders without a rescission by the data date; undefined where there is none. */
export function unrescindedOrders(input: OrderInput & { today: string }): OrderResult | undefined {
  const { unrescinded, rescinded, unusable, unlisted } = sorted(input) ?? NO_ORDERS;
  const [newest, ...others] = unrescinded;
  if (newest === undefined) return undefined;
  const { dates, today } = input;
  const isRecent = ({ date }: DatedOrder) =>
    addMonths(parseDate(date), ORDER_MONTHS) >= parseDate(today);
  const ending = newest.rescinded === undefined
    ? "no rescission recorded"
    : `rescission dated ${formatForPeople(newest.rescinded)}`;
  const isCut = unlisted > 0 && rescinded.length + unusable.length === 0;
  const which = others.length === 0
    ? "Out-of-service order of"
    : `${unrescinded.length}${isCut ? " or more" : ""} out-of-service orders, the newest of`;
  const lister = dates.notice === undefined ? "FMCSA's file" : "This sample";
  const sentences = unrescinded.slice(0, NAMED).map((order, i) => {
    const listed = `${
      i === 0 ? `${lister} lists an out-of-service order` : "It also lists one"
    } of ${orderWords(order)}`;
    return order.rescinded === undefined
      ? `${listed}, with no rescission recorded.`
      : `${listed}, with a rescission dated ${
        formatForPeople(order.rescinded)
      }, after the data of ${formatForPeople(dates.data_date)}.`;
  });
  return {
    state: unrescinded.some(isRecent) ? "bad" : "warn",
    text: `${which} ${formatForPeople(newest.date)}, ${ending}`,
    detail: [
      ...sentences,
      ...restWords(unrescinded.length),
      ...totalWords(input),
      "Check SAFER.",
      `Source: ${ordersFile(dates)}.`,
    ],
  };
}

/** How many orders a sentence does not name. */
function restWords(count: number): string[] {
  return count > NAMED ? [`And ${count - NAMED} more.`] : [];
}

/** States that the record does not list all orders, when that is so. */
function totalWords({ record: { orders = [], orders_total: total = orders.length } }: OrderInput) {
  return total > orders.length
    ? [`The file has ${plural(total, "order")} for this number; ${orders.length} are kept.`]
    : [];
}

/** States that the file shows no order in force, or that there is no file; empty where the file doesn't show that. */
export function withoutOrders(input: OrderInput): string[] {
  const orders = sorted(input);
  if (orders === undefined) return ["Out-of-service orders are not included."];
  if (orders.unusable.length > 0) return [];
  return [noneWords(orders.rescinded.length + orders.unlisted, input.dates)];
}

function noneWords(rescinded: number, { orders_date, notice }: FileDates): string {
  const isSample = notice !== undefined;
  if (rescinded === 0) {
    return isSample
      ? "This sample lists no out-of-service order."
      : `FMCSA's file through ${
        formatForPeople(orders_date!)
      } lists no out-of-service order; a newer one wouldn't be in it.`;
  }
  const which = rescinded === 1
    ? "The only out-of-service order"
    : `Each of the ${rescinded} out-of-service orders`;
  const file = isSample
    ? "this sample was rescinded"
    : `FMCSA's file through ${
      formatForPeople(orders_date!)
    } was rescinded; a newer one wouldn't be in it`;
  return `${which} for this number in ${file}.`;
}

/** Everything that the data says about a carrier's orders, in a snapshot that includes them. */
export function ordersAnswer(
  { orders = [], orders_total = orders.length, checks, findings, snapshot }: Carrier,
): string {
  const check = checks.find(({ id }) => id === "usdot_status")!;
  const isUsable = orders.every(({ unusable }) => unusable === undefined);
  return [
    ...isOfOrders(check) ? [check.detail] : isUsable ? [noneWords(orders_total, snapshot)] : [],
    ...findings.filter(({ id }) => id === "unusable_orders" || id === "rescinded_orders")
      .map(({ detail }) => detail),
    ...isOfOrders(check) ? [] : ["Check SAFER."],
  ].join(" ");
}

/** Days from `from` to `to`, `YYYY-MM-DD`, both included. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Whether an order stood on a day of a period, by the dates of the orders that are listed. */
export function ordersIn(
  { orders = [], orders_total = orders.length }: Pick<Carrier, "orders" | "orders_total">,
  { from, to }: Period,
): string {
  const stood = orders.filter(({ date, rescinded, unusable }) =>
    unusable === undefined && date !== null && date <= to && (rescinded ?? "9999") > from
  );
  const others = orders_total > orders.length || orders.some(({ unusable }) => unusable);
  const when = from === to
    ? `On ${formatForPeople(from)},`
    : `From ${formatForPeople(from)} to ${formatForPeople(to)},`;
  if (stood.length === 0) {
    return others
      ? `${when} none of the orders whose dates are known here stood; others may have.`
      : `${when} no order stood, by the dates in the file.`;
  }
  const each = stood.map(({ date, rescinded }) =>
    `the order of ${formatForPeople(date!)} ${
      rescinded === null
        ? "had no recorded rescission"
        : `stood until ${formatForPeople(rescinded)}`
    }`
  );
  return `${when} ${listed(each)}, by the dates in the file.`;
}

/** Orders whose dates can't be used need review: they may be in force. */
export function unusableOrders(input: OrderInput): Finding[] {
  const { unusable } = sorted(input) ?? NO_ORDERS;
  if (unusable.length === 0) return [];
  const sentences = unusable.map(({ reason, unusable: { date, rescinded } }) => {
    const words = reasonWords(reason);
    if (date === "") return `An out-of-service order (${words}) is filed without a date.`;
    const isDated = rescinded !== "" && isDate(date) && date <= input.dates.data_date;
    return isDated
      ? `An out-of-service order of ${
        formatForPeople(date)
      } (${words}): the filed rescission date ${quoted(rescinded)} isn't usable.`
      : `An out-of-service order (${words}): the filed date ${quoted(date)} isn't usable.`;
  });
  return [{
    kind: "review",
    id: "unusable_orders",
    text: unusable.length === 1
      ? "Out-of-service order with unusable dates"
      : `${unusable.length} out-of-service orders with unusable dates`,
    detail: [
      ...sentences,
      ...totalWords(input),
      `We can't tell whether ${unusable.length === 1 ? "it stands" : "they stand"}: check SAFER.`,
      `Source: ${ordersFile(input.dates)}.`,
    ].join(" "),
    reasons: ["A date may be mistyped or left out."],
  }];
}

/** Orders that have been rescinded, as one fact. */
export function rescindedOrders(input: OrderInput): Finding[] {
  const { rescinded, unlisted } = sorted(input) ?? NO_ORDERS;
  const [newest] = rescinded;
  if (newest === undefined) return [];
  const count = rescinded.length + unlisted;
  const lines = rescinded.slice(0, NAMED).map((order) =>
    `Out-of-service order of ${orderWords(order)}, rescinded ${formatForPeople(order.rescinded!)}.`
  );
  return [{
    kind: "fact",
    id: "rescinded_orders",
    text: count === 1
      ? `Out-of-service order of ${formatForPeople(newest.date)}, rescinded ${
        formatForPeople(newest.rescinded!)
      }`
      : `${count} rescinded out-of-service orders, the newest of ${formatForPeople(newest.date)}`,
    detail: [
      ...lines,
      ...restWords(count),
      ...totalWords(input),
      `Source: ${ordersFile(input.dates)}.`,
    ].join(" "),
    reasons: ["A rescinded order is over. The file doesn't say why it was rescinded."],
  }];
}
