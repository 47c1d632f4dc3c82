/**
 * The result of each row: the facts for the table and for the CSV file.
 *
 * @module
 */

import { type BatchItem, isRead } from "../../api/operations/batch.ts";
import { matched } from "../../api/operations/match.ts";
import {
  CARRIER_COLUMNS,
  type CarrierColumn,
  csvLine,
  type CsvValue,
  findingsText,
  type Outcome,
  outcomeOf,
  OUTCOMES,
  sharedDocket,
  withDoubts,
} from "../../api/operations/csv.ts";
import { verdictOf } from "../../api/rules/findings.ts";
import type { Carrier, Finding } from "../../api/rules/schemas.ts";
import { placeOf } from "../../api/rules/words.ts";
import { inert } from "../../pipeline/text.ts";
import { type Identifier, named, problemWords } from "./numbers.ts";
import type { UploadRow } from "./rows.ts";

/** A finding about the carrier, or a reason to doubt that it is the carrier that the row means. */
export type RowFinding = Pick<Finding, "kind" | "text">;

export interface ResultRow {
  /** Row of the list, from 1. */
  row: number;
  /** The number that was read, such as `MC 186800`; empty for none. */
  readAs: string;
  /** The USDOT number looked up; empty where there is none. */
  dot: string;
  outcome: Outcome;
  /** The headline of the findings, or why there are none. */
  verdict: string;
  /** All findings about the carrier and the row, the most urgent first. Empty if no carrier was found. */
  findings: RowFinding[];
  /** The name and place that the list gives for the carrier; empty if it gives none. */
  ownName: string;
  ownPlace: string;
  /** The row's text if its number is among other words; empty otherwise. */
  ownText: string;
  /** How the name and place in the list compare with FMCSA's. */
  nameMatch: MatchResult;
  placeMatch: MatchResult;
  /** FMCSA's name and place; empty without a carrier. */
  name: string;
  place: string;
  /** Other USDOT numbers that list the same docket. */
  others: string[];
  /** The first row with the same carrier; null if this is the first. */
  repeats: number | null;
  /** `YYYY-MM-DD`, empty without a carrier. */
  due: string;
  csv: string;
}

/** A row with everything known about its carrier, if there is one. */
type CsvRow = Omit<ResultRow, "csv"> & Partial<Omit<Carrier, "findings">>;

const { oos_orders, orders_date, safer_url, ...FIRST_COLUMNS } = CARRIER_COLUMNS;

/** The columns of the CSV file. A value that is blank in the census is blank here. Add new columns only at the end. */
const COLUMNS: Readonly<Record<string, (row: CsvRow) => CsvValue>> = {
  row: ({ row }) => row,
  read_as: ({ readAs }) => readAs,
  your_name: ({ ownName }) => ownName,
  your_place: ({ ownPlace }) => ownPlace,
  your_text: ({ ownText }) => ownText,
  dot: ({ dot }) => dot,
  result: ({ outcome }) => OUTCOMES[outcome],
  verdict: ({ verdict }) => verdict,
  findings: ({ findings }) => findingsText(findings),
  repeats_row: ({ repeats }) => repeats,
  other_dots: ({ others }) => others.join(" "),
  ...valuesOf(FIRST_COLUMNS),
  name_match: ({ nameMatch }) => nameMatch === "unknown" ? "" : nameMatch,
  place_match: ({ placeMatch }) => placeMatch === "unknown" ? "" : placeMatch,
  ...valuesOf({ oos_orders, orders_date, safer_url }),
};

function valuesOf(columns: Readonly<Record<string, CarrierColumn>>) {
  return Object.fromEntries(Object.entries(columns).map(([name, { value }]) => [name, value]));
}

/**
 * Returns a function to call with each row in order, and with the row's item if it has a number. It
 * remembers earlier rows in order to mark duplicates.
 */
export function resultMaker(): (row: UploadRow, item: BatchItem | null) => ResultRow {
  const firsts = new Map<string, number>();
  return (row, item) => {
    const found = resultOf(row, item);
    const carrier = found.dot === "" ? found.readAs : `USDOT ${found.dot}`;
    const result = { ...found, repeats: firsts.get(carrier) ?? null };
    if (carrier !== "" && result.repeats === null) firsts.set(carrier, row.row);
    const known = item?.ok ? { ...item.carrier, ...result } : result;
    return { ...result, csv: csvLine(Object.values(COLUMNS).map((value) => value(known))) };
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
  const findings = withDoubts(carrier, doubtsOf(row, { carrier, fields }));
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

/** Reasons to doubt that the carrier is the one that the row means. */
function doubtsOf(
  { wanted, also = [], holders = [] }: UploadRow,
  { carrier, fields }: { carrier: Carrier; fields: readonly Compared[] },
): string[] {
  return [
    ...sharedDocket(named(wanted!), holders),
    ...fields.flatMap((field) => doubtOf(field) ?? []),
    ...[wanted!, ...also].filter((number) => !belongs(number, carrier))
      .map((number) => `${named(number)} isn't listed for USDOT ${carrier.dot}`),
  ];
}

/** What differs between the row and FMCSA's record; null if nothing does. */
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

/**
 * The header line of the CSV file (RFC 4180). Begins with a byte order mark, because Excel garbles
 * accented letters without one.
 */
export const CSV_HEAD = `\ufeff${csvLine(Object.keys(COLUMNS))}`;
