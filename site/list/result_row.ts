/**
 * What became of each row of a list, in the words of the table and of the CSV file.
 *
 * @module
 */

import type { Item } from "../../api/operations/items.ts";
import type { Carrier, CheckState } from "../../api/rules/schemas.ts";
import { explainNumber } from "../../pipeline/regulator/number_text.ts";
import { placeOf } from "../parts/place.ts";
import { bareNumber } from "./number_cell.ts";
import type { WrongRow } from "./read_list.ts";

/** What a row comes to, the most urgent first. */
export const VERDICTS = {
  problem: { words: "Problem", tone: "bad" },
  closer: { words: "Look closer", tone: "warn" },
  missing: { words: "Not in the census", tone: "info" },
  unread: { words: "Could not be read", tone: "info" },
  wrong: { words: "Not a USDOT number", tone: "info" },
  clear: { words: "No issue found", tone: "ok" },
} as const satisfies Record<string, { words: string; tone: CheckState }>;

/** A key of {@link VERDICTS}. */
export type Verdict = keyof typeof VERDICTS;

/** A row of the result. */
export interface ResultRow {
  /** Row of the list, from 1. */
  row: number;
  /** Empty where the row holds no number. */
  dot: string;
  verdict: Verdict;
  name: string;
  /** City and state, empty for neither. */
  place: string;
  /** Labels of the checks that need a look, or why there is no carrier. */
  reasons: string;
  /** `YYYY-MM-DD`, empty without a carrier. */
  due: string;
  /** What {@link CARRIER_COLUMNS} tell of the carrier, empty without one. */
  facts: readonly string[];
}

/** What the CSV file tells of a carrier beside verdict and reasons. What the census leaves blank is blank. */
export const CARRIER_COLUMNS: readonly [name: string, tell: (carrier: Carrier) => string][] = [
  ["name", ({ name }) => name],
  ["dba_name", ({ dba_name }) => dba_name ?? ""],
  ["city", ({ city }) => city],
  ["state", ({ state }) => state],
  ["status", ({ status }) => status],
  ["operation", (carrier) => reported(carrier, "operation")],
  ["power_units", (carrier) => reported(carrier, "power_units")],
  ["drivers", (carrier) => reported(carrier, "drivers")],
  ["mc_number", ({ mc_number }) => mc_number ?? ""],
  ["safety_rating", ({ safety_rating }) => safety_rating],
  ["mcs150_last_filed", ({ mcs150 }) => mcs150.last_filed ?? ""],
  ["mcs150_next_due", ({ mcs150 }) => mcs150.next_due],
  ["mcs150_state", ({ mcs150 }) => mcs150.state],
  ["inspections_24m", ({ inspections_24m }) => String(inspections_24m?.total ?? 0)],
  ["vehicle_oos_pct", ({ inspections_24m }) => percent(inspections_24m?.vehicle.rate_pct)],
  ["driver_oos_pct", ({ inspections_24m }) => percent(inspections_24m?.driver.rate_pct)],
  ["usdot_status_check", (carrier) => stateOf(carrier, "usdot_status")],
  ["mcs150_check", (carrier) => stateOf(carrier, "mcs150")],
  ["operating_authority_check", (carrier) => stateOf(carrier, "operating_authority")],
  ["safety_rating_check", (carrier) => stateOf(carrier, "safety_rating")],
  ["oos_rates_check", (carrier) => stateOf(carrier, "oos_rates")],
  ["page_url", ({ page_url }) => page_url],
];

/** The row of a number that was looked up. */
export function rowOfItem(item: Item, row: number): ResultRow {
  if (!item.ok) {
    const { code, message } = item.error;
    const verdict = code === "not_found"
      ? "missing"
      : code === "upstream_unavailable"
      ? "unread"
      : "wrong";
    return { ...WITHOUT_CARRIER, row, dot: item.dot, verdict, reasons: message };
  }
  const { carrier } = item;
  const { dot, name, mcs150 } = carrier;
  const calling = carrier.checks.filter(({ state }) => state === "bad" || state === "warn");
  return {
    row,
    dot,
    verdict: calling.length === 0
      ? "clear"
      : calling.some(({ state }) => state === "bad")
      ? "problem"
      : "closer",
    name,
    place: placeOf(carrier),
    reasons: calling.map(({ label }) => label).join(", "),
    due: mcs150.next_due,
    facts: CARRIER_COLUMNS.map(([, tell]) => tell(carrier)),
  };
}

/** The row of what is no number. */
export function rowOfWrong({ row, text }: WrongRow): ResultRow {
  const reasons = explainNumber(bareNumber(text), "USDOT number");
  return { ...WITHOUT_CARRIER, row, verdict: "wrong", reasons };
}

const WITHOUT_CARRIER = { dot: "", name: "", place: "", due: "", facts: [] } as const;

function reported(carrier: Carrier, member: "operation" | "power_units" | "drivers"): string {
  return carrier.not_reported.includes(member) ? "" : String(carrier[member]);
}

function percent(rate: number | null | undefined): string {
  return rate === null || rate === undefined ? "" : String(rate);
}

function stateOf({ checks }: Carrier, id: string): string {
  return checks.find((check) => check.id === id)?.state ?? "";
}
