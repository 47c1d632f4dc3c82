/**
 * The result of each row: the facts for the table and for the CSV file.
 *
 * @module
 */

import { type BatchItem, isRead } from "../../api/operations/batch.ts";
import { compareName, type MatchResult } from "../../pipeline/company_name.ts";
import type { Carrier, CheckId, CheckState, FindingKind } from "../../api/rules/schemas.ts";
import { saferOf } from "../../api/rules/official_sources.ts";
import { placeOf } from "../../api/rules/words.ts";
import { capitalized, inert } from "../../pipeline/text.ts";
import { type Identifier, named } from "./numbers.ts";
import type { UploadRow } from "./parse_upload.ts";

/** Outcomes of a row, the most urgent first. */
export const OUTCOMES = {
  review: "Needs review",
  missing: "Not found",
  unavailable: "Data unavailable",
  unread: "Unreadable",
  clear: "No issues found",
} as const;

export type Outcome = keyof typeof OUTCOMES;

interface Fact {
  tone: CheckState;
  words: string;
}

export interface ResultRow {
  /** Row of the list, from 1. */
  row: number;
  /** The number it was read as, such as `MC 186800`; empty for none. */
  readAs: string;
  /** The USDOT number looked up; empty where there is none. */
  dot: string;
  outcome: Outcome;
  /** At least one, the most urgent first. */
  facts: Fact[];
  /** The list's own name and place of the carrier; empty for none. */
  ownName: string;
  ownPlace: string;
  /** The list's own name compared with FMCSA's names. */
  nameMatch: MatchResult;
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
type CsvRow = Omit<ResultRow, "csv"> & Partial<Carrier>;

type Cell = string | number | null | undefined;

/** The columns of the CSV file. What the census leaves blank is blank. */
const COLUMNS: Readonly<Record<string, (row: CsvRow) => Cell>> = {
  row: ({ row }) => row,
  read_as: ({ readAs }) => readAs,
  your_name: ({ ownName }) => ownName,
  your_place: ({ ownPlace }) => ownPlace,
  dot: ({ dot }) => dot,
  result: ({ outcome }) => OUTCOMES[outcome],
  facts: ({ facts }) => facts.map(({ words }) => words).join("; "),
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
  safer_url: ({ dot }) => dot === "" ? "" : saferOf(dot).url,
};

function reported(member: "operation" | "power_units" | "drivers"): (row: CsvRow) => Cell {
  return (row) => row.not_reported?.includes(member) ? null : row[member];
}

function stateOf(id: CheckId): (row: CsvRow) => Cell {
  return ({ checks }) => checks?.find((check) => check.id === id)?.state;
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
  const { wanted, name: ownName = "", place: ownPlace = "" } = row;
  const [holder, ...others] = row.holders ?? [wanted?.number];
  const blank: Omit<FoundRow, "outcome" | "facts"> = {
    row: row.row,
    readAs: wanted === null ? "" : named(wanted),
    dot: String(holder ?? ""),
    ownName,
    ownPlace,
    nameMatch: "unknown",
    name: "",
    place: "",
    others: others.map(String),
    due: "",
  };
  const without = (outcome: Outcome, words: string): FoundRow => (
    { ...blank, outcome, facts: [{ tone: "info", words }] }
  );
  if (item === null) {
    const { text, problem } = row.unread!;
    return without("unread", text === "" ? capitalized(problem) : `“${text}”: ${problem}`);
  }
  if (holder === undefined) {
    return without("missing", `No carrier in the data lists ${blank.readAs}`);
  }
  if (!item.ok) {
    return isRead(item)
      ? without("missing", `USDOT ${holder} is not in the data`)
      : without("unavailable", "This number could not be looked up now; try again later");
  }
  const { carrier } = item;
  const { result: nameMatch } = compareName(ownName, carrier);
  const facts = factsOf(row, { carrier, nameMatch });
  const tone = carrier.checks.some(({ state }) => state === "info") ? "info" : "ok";
  return {
    ...blank,
    outcome: facts.length === 0 ? "clear" : "review",
    facts: facts.length === 0 ? [{ tone, words: carrier.verdict }] : facts,
    nameMatch,
    name: carrier.name,
    place: placeOf(carrier),
    due: carrier.mcs150.next_due,
  };
}

/** What the checks found, and reasons to doubt that the carrier is the one that the row means; the worst first. */
function factsOf(
  { wanted, also = [], holders = [] }: UploadRow,
  { carrier, nameMatch }: { carrier: Carrier; nameMatch: MatchResult },
): Fact[] {
  const doubts = [
    ...holders.length > 1 ? [`${named(wanted!)} is shared by ${holders.length} USDOT numbers`] : [],
    ...nameMatch === "different" ? ["Your name differs from FMCSA's"] : [],
    ...[wanted!, ...also].filter((number) => !belongs(number, carrier))
      .map((number) => `${named(number)} isn't listed for USDOT ${carrier.dot}`),
  ];
  const found = (kind: FindingKind, tone: CheckState): Fact[] =>
    carrier.findings.filter((finding) => finding.kind === kind)
      .map(({ text: words }) => ({ tone, words }));
  return [
    ...found("problem", "bad"),
    ...doubts.map((words): Fact => ({ tone: "warn", words })),
    ...found("review", "warn"),
  ];
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
