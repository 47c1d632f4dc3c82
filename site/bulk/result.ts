/**
 * The result of each row: the facts for the table and for the CSV file.
 *
 * @module
 */

import { type BatchItem, isRead } from "../../api/operations/batch.ts";
import { matched } from "../../api/operations/match.ts";
import { findingHead, KIND_WORDS, verdictOf } from "../../api/rules/findings.ts";
import type { Carrier, CheckId, Finding } from "../../api/rules/schemas.ts";
import { saferOf } from "../../api/rules/official_sources.ts";
import { orderFacts, reasonWords } from "../../api/rules/orders.ts";
import { placeOf, stateWords } from "../../api/rules/words.ts";
import { inert } from "../../pipeline/text.ts";
import { type Identifier, named, problemWords } from "./numbers.ts";
import type { UploadRow } from "./rows.ts";

/** Outcomes of a row, the most urgent first. */
export const OUTCOMES = {
  problem: KIND_WORDS.problem,
  review: KIND_WORDS.review,
  missing: "Not found",
  unavailable: "Data unavailable",
  fix: "Needs fixing",
  clear: "No issues",
} as const;

export type Outcome = keyof typeof OUTCOMES;

/** What needs a look: a finding of the carrier, or a doubt that it is the one that the row means. */
export type RowFinding = Pick<Finding, "kind" | "text">;

export interface ResultRow {
  /** Row of the list, from 1. */
  row: number;
  /** The number it was read as, such as `MC 186800`; empty for none. */
  readAs: string;
  /** The USDOT number looked up; empty where there is none. */
  dot: string;
  outcome: Outcome;
  /** The headline of the findings, or why there are none. */
  verdict: string;
  /** All findings, those of the row among them, the most urgent first; none without a carrier. */
  findings: RowFinding[];
  /** The list's own name and place of the carrier; empty for none. */
  ownName: string;
  ownPlace: string;
  /** The row's text where its number stands among other words; empty for none. */
  ownText: string;
  /** The list's own name compared with FMCSA's names, and its place with FMCSA's. */
  nameMatch: MatchResult;
  placeMatch: MatchResult;
  /** FMCSA's name and place; empty without a carrier. */
  name: string;
  place: string;
  /** Other USDOT numbers that list the same docket. */
  others: string[];
  /** The first row with the same carrier, null when this is it. */
  repeats: number | null;
  /** `YYYY-MM-DD`, empty without a carrier. */
  due: string;
  csv: string;
}

/** A row with all that is known of its carrier, if there is one. */
type CsvRow = Omit<ResultRow, "csv"> & Partial<Omit<Carrier, "findings">>;

type Cell = string | number | null | undefined;

/** The columns of the CSV file. What the census leaves blank is blank. */
const COLUMNS: Readonly<Record<string, (row: CsvRow) => Cell>> = {
  row: ({ row }) => row,
  read_as: ({ readAs }) => readAs,
  your_name: ({ ownName }) => ownName,
  your_place: ({ ownPlace }) => ownPlace,
  your_text: ({ ownText }) => ownText,
  dot: ({ dot }) => dot,
  result: ({ outcome }) => OUTCOMES[outcome],
  verdict: ({ verdict }) => verdict,
  findings: ({ findings }) => findings.map(findingHead).join("; "),
  repeats_row: ({ repeats }) => repeats,
  other_dots: ({ others }) => others.join(" "),
  name: ({ name }) => name,
  dba_name: ({ dba_name }) => dba_name,
  street: ({ address }) => address?.street,
  city: ({ city }) => city,
  state: ({ state }) => state,
  zip: ({ address }) => address?.zip,
  phone: ({ phone }) => phone,
  status: ({ status }) => status,
  operation: reported("operation"),
  power_units: reported("power_units"),
  drivers: reported("drivers"),
  mc_number: ({ mc_number }) => mc_number,
  safety_rating: ({ safety_rating }) => safety_rating,
  mcs150_last_filed: ({ mcs150 }) => mcs150?.last_filed,
  mcs150_next_due: ({ due }) => due,
  mcs150_state: ({ mcs150 }) => mcs150?.state,
  // A sample lacks the inspections of its real carriers.
  inspections_24m: ({ inspections_24m, snapshot }) =>
    inspections_24m?.total ?? (snapshot && snapshot.notice === undefined ? 0 : null),
  vehicle_oos_pct: ({ inspections_24m }) => inspections_24m?.vehicle.rate_pct,
  driver_oos_pct: ({ inspections_24m }) => inspections_24m?.driver.rate_pct,
  usdot_status_check: stateOf("usdot_status"),
  mcs150_check: stateOf("mcs150"),
  operating_authority_check: stateOf("operating_authority"),
  safety_rating_check: stateOf("safety_rating"),
  oos_rates_check: stateOf("oos_rates"),
  page_url: ({ page_url }) => page_url,
  census_date: ({ snapshot }) => snapshot?.data_date,
  inspections_date: ({ snapshot }) => snapshot?.inspections_date,
  data_age_days: ({ snapshot }) => snapshot?.age_days,
  notice: ({ snapshot }) => snapshot?.notice,
  name_match: ({ nameMatch }) => nameMatch === "unknown" ? "" : nameMatch,
  place_match: ({ placeMatch }) => placeMatch === "unknown" ? "" : placeMatch,
  oos_orders: ({ orders, snapshot }) =>
    orders?.map((order) =>
      `${orderFacts(order, snapshot!.data_date).join(", ")} (${reasonWords(order.reason)})`
    ).join("; "),
  orders_date: ({ snapshot }) => snapshot?.orders_date,
  safer_url: ({ dot }) => dot === "" ? "" : saferOf(dot).url,
};

function reported(member: "operation" | "power_units" | "drivers"): (row: CsvRow) => Cell {
  return (row) => row.not_reported?.includes(member) ? null : row[member];
}

function stateOf(id: CheckId): (row: CsvRow) => Cell {
  return ({ checks }) => {
    const found = checks?.find((check) => check.id === id);
    return found === undefined ? null : stateWords(found);
  };
}

/** Returns a function to call with the rows in order, each with its item if it has a number. */
export function resultMaker(): (row: UploadRow, item: BatchItem | null) => ResultRow {
  const firsts = new Map<string, number>();
  return (row, item) => {
    const found = resultOf(row, item);
    const carrier = found.dot === "" ? found.readAs : `USDOT ${found.dot}`;
    const result = { ...found, repeats: firsts.get(carrier) ?? null };
    if (carrier !== "" && result.repeats === null) firsts.set(carrier, row.row);
    const known = item?.ok ? { ...item.carrier, ...result } : result;
    const cells = Object.values(COLUMNS).map((value) => csvCell(String(value(known) ?? "")));
    return { ...result, csv: `${cells.join(",")}\r\n` };
  };
}

type FoundRow = Omit<ResultRow, "csv" | "repeats">;

function resultOf(row: UploadRow, item: BatchItem | null): FoundRow {
  const { wanted, name: ownName = "", city = "", state = "", text: ownText = "" } = row;
  const [holder, ...others] = row.holders ?? [wanted?.number];
  const blank: Omit<FoundRow, "outcome" | "verdict"> = {
    row: row.row,
    readAs: wanted === null ? "" : named(wanted),
    dot: String(holder ?? ""),
    ownName,
    ownPlace: [city, state].filter(Boolean).join(", "),
    ownText,
    nameMatch: "unknown",
    placeMatch: "unknown",
    name: "",
    place: "",
    others: others.map(String),
    due: "",
    findings: [],
  };
  const without = (outcome: Outcome, verdict: string): FoundRow => ({ ...blank, outcome, verdict });
  if (item === null) return without("fix", problemWords(row.unread!));
  if (holder === undefined) {
    return without("missing", `No carrier in the data lists ${blank.readAs}`);
  }
  if (!item.ok) {
    return isRead(item)
      ? without("missing", `USDOT ${holder} isn't in the data`)
      : without("unavailable", "This number could not be looked up now; try again later");
  }
  const { carrier } = item;
  const { fields } = matched(carrier, { name: ownName, city, state });
  const findings = allFindings(carrier, doubtsOf(row, { carrier, fields }));
  return {
    ...blank,
    outcome: outcomeOf(findings),
    verdict: verdictOf(findings, carrier.checks),
    findings,
    nameMatch: worstOf(fields.filter(({ field }) => field === "name")),
    placeMatch: worstOf(fields.filter(({ field }) => field !== "name")),
    name: carrier.name,
    place: placeOf(carrier),
    due: carrier.mcs150.next_due,
  };
}

type Compared = ReturnType<typeof matched>["fields"][number];
type MatchResult = Compared["result"];

function worstOf(fields: readonly Compared[]): MatchResult {
  return (["different", "close", "match"] as const)
    .find((result) => fields.some((field) => field.result === result)) ?? "unknown";
}

function outcomeOf(findings: readonly RowFinding[]): Outcome {
  return (["problem", "review"] as const)
    .find((kind) => findings.some((finding) => finding.kind === kind)) ?? "clear";
}

/** The findings of a carrier and the doubts of its row, in the order of their kinds. */
function allFindings({ findings }: Carrier, doubts: readonly string[]): RowFinding[] {
  const own = doubts.map((text): RowFinding => ({ kind: "review", text }));
  return (["problem", "review", "fact"] as const).flatMap((kind) => [
    ...kind === "review" ? own : [],
    ...findings.filter((finding) => finding.kind === kind).map(({ text }) => ({ kind, text })),
  ]);
}

/** Reasons to doubt that the carrier is the one that the row means. */
function doubtsOf(
  { wanted, also = [], holders = [] }: UploadRow,
  { carrier, fields }: { carrier: Carrier; fields: readonly Compared[] },
): string[] {
  return [
    ...holders.length > 1 ? [`${named(wanted!)} is shared by ${holders.length} USDOT numbers`] : [],
    ...fields.flatMap((field) => doubtOf(field) ?? []),
    ...[wanted!, ...also].filter((number) => !belongs(number, carrier))
      .map((number) => `${named(number)} isn't listed for USDOT ${carrier.dot}`),
  ];
}

/** What differs between the row and FMCSA's record, null where nothing does. */
function doubtOf({ field, given, result, note }: Compared): string | null {
  if (result !== "different" && result !== "close") return null;
  const own = `Your ${field} “${inert(given)}”`;
  if (note !== null) return `${own} ${result === "close" ? "is close" : "differs"}: ${note}`;
  return `${own} ${
    result === "close" ? "is close to FMCSA's, not the same" : "differs from FMCSA's"
  }`;
}

function belongs({ kind, number }: Identifier, { dot, dockets }: Carrier): boolean {
  return kind === "USDOT"
    ? dot === String(number)
    : dockets.some((docket) => docket.prefix === kind && docket.number === String(number));
}

/** What makes a spreadsheet take a cell for a formula, in any width. */
const FORMULA = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** The same after a mark at which a spreadsheet of another country splits cells. */
const HIDDEN_FORMULA = /([;|]\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** What needs none of this: most cells. */
const PLAIN = /^(?:\w[\w .:\/()-]*)?$/;

/**
 * The first line of the results as a CSV file (RFC 4180). It begins with a byte order mark: without one
 * Excel spoils names with accents.
 */
export const CSV_HEAD = `\ufeff${Object.keys(COLUMNS).join(",")}\r\n`;

/**
 * A cell on one line that no spreadsheet evaluates: what looks like a formula gets an apostrophe in front.
 */
export function csvCell(text: string): string {
  if (PLAIN.test(text)) return text;
  const visible = inert(text, Infinity);
  const marked = (FORMULA.test(visible) ? "'" : "") + visible.replace(HIDDEN_FORMULA, "$1'");
  return /[",;']/.test(marked) ? `"${marked.replaceAll('"', '""')}"` : marked;
}
