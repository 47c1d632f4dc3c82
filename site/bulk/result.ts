/**
 * The result of each row: the facts for the table and for the CSV file.
 *
 * @module
 */

import type { BatchItem } from "../../api/operations/batch.ts";
import { compareName, type MatchResult } from "../../pipeline/search/shared/name_match.ts";
import type { Carrier, CheckState, InspectionRate } from "../../api/rules/schemas.ts";
import { saferOf } from "../../api/rules/official_sources.ts";
import { factOf } from "../../api/rules/verdict.ts";
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

/** A fact of a row, in words, with its weight. */
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
  /** What {@link CARRIER_COLUMNS} say of the carrier, empty without one. */
  columns: readonly string[];
}

/** What the lookups of a row found. */
export interface Answer {
  item: BatchItem;
  /** USDOT numbers that list the row's docket, in order of precedence; for a USDOT number itself. */
  holders: readonly number[];
}

/** What the CSV file has of a carrier. What the census leaves blank is blank. */
const CARRIER_COLUMNS: readonly [name: string, value: (carrier: Carrier) => string][] = [
  ["name", ({ name }) => name],
  ["dba_name", ({ dba_name }) => dba_name ?? ""],
  ["street", ({ address }) => address.street ?? ""],
  ["city", ({ city }) => city],
  ["state", ({ state }) => state],
  ["zip", ({ address }) => address.zip ?? ""],
  ["phone", ({ phone }) => phone ?? ""],
  ["status", ({ status }) => status],
  ["operation", (carrier) => reported(carrier, "operation")],
  ["power_units", (carrier) => reported(carrier, "power_units")],
  ["drivers", (carrier) => reported(carrier, "drivers")],
  ["mc_number", ({ mc_number }) => mc_number ?? ""],
  ["safety_rating", ({ safety_rating }) => safety_rating],
  ["mcs150_last_filed", ({ mcs150 }) => mcs150.last_filed ?? ""],
  ["mcs150_next_due", ({ mcs150 }) => mcs150.next_due],
  ["mcs150_state", ({ mcs150 }) => mcs150.state],
  [
    "inspections_24m",
    ({ inspections_24m, snapshot }) =>
      String(inspections_24m?.total ?? (snapshot.notice === undefined ? 0 : "")),
  ],
  ["vehicle_oos_pct", ({ inspections_24m }) => percent(inspections_24m?.vehicle)],
  ["driver_oos_pct", ({ inspections_24m }) => percent(inspections_24m?.driver)],
  ["usdot_status_check", (carrier) => stateOf(carrier, "usdot_status")],
  ["mcs150_check", (carrier) => stateOf(carrier, "mcs150")],
  ["operating_authority_check", (carrier) => stateOf(carrier, "operating_authority")],
  ["safety_rating_check", (carrier) => stateOf(carrier, "safety_rating")],
  ["oos_rates_check", (carrier) => stateOf(carrier, "oos_rates")],
  ["page_url", ({ page_url }) => page_url],
  ["census_date", ({ snapshot }) => snapshot.data_date],
  ["inspections_date", ({ snapshot }) => snapshot.inspections_date],
  ["data_age_days", ({ snapshot }) => String(snapshot.age_days)],
  ["notice", ({ snapshot }) => snapshot.notice ?? ""],
];

const CSV_NAMES = [
  "row",
  "read_as",
  "your_name",
  "your_place",
  "dot",
  "result",
  "facts",
  "repeats_row",
  "other_dots",
  ...CARRIER_COLUMNS.map(([name]) => name),
  "name_match",
  "safer_url",
];

const TONES: readonly CheckState[] = ["bad", "warn", "info", "ok"];

/** Returns a function to call with the rows in order, each with its answer if it has a number. */
export function resultMaker(): (row: UploadRow, answer?: Answer) => ResultRow {
  const firsts = new Map<string, number>();
  return (row, answer) => {
    const result = resultOf(row, answer);
    const carrier = result.dot === "" ? result.readAs : `USDOT ${result.dot}`;
    if (carrier === "") return result;
    const first = firsts.get(carrier);
    if (first === undefined) firsts.set(carrier, row.row);
    return first === undefined ? result : { ...result, repeats: first };
  };
}

function resultOf(row: UploadRow, answer: Answer | undefined): ResultRow {
  const { wanted, name: ownName = "", place: ownPlace = "" } = row;
  const blank = { row: row.row, ownName, ownPlace, ...WITHOUT_CARRIER };
  if (wanted === null) {
    const { text, problem } = row.unread!;
    const words = text === "" ? capitalized(problem) : `“${text}”: ${problem}`;
    return { ...blank, readAs: "", outcome: "unread", facts: [{ tone: "info", words }] };
  }
  const readAs = named(wanted);
  if (answer === undefined) return { ...blank, readAs, ...UNAVAILABLE };
  const { item, holders: [holder, ...others] } = answer;
  if (holder === undefined) {
    const words = wanted.kind === "USDOT"
      ? `${readAs} is not in the data`
      : `No carrier in the data lists ${readAs}`;
    return { ...blank, readAs, outcome: "missing", facts: [{ tone: "info", words }] };
  }
  const found = { ...blank, readAs, dot: String(holder), others: others.map(String) };
  if (!item.ok) {
    if (item.error.code === "upstream_unavailable") return { ...found, ...UNAVAILABLE };
    const words = `USDOT ${holder} is not in the data`;
    return { ...found, outcome: "missing", facts: [{ tone: "info", words }] };
  }
  const { carrier } = item;
  const nameMatch = compareName(ownName, carrier);
  const facts = [...identityFacts(row, { carrier, others, nameMatch }), ...carrierFacts(carrier)]
    .sort((a, b) => TONES.indexOf(a.tone) - TONES.indexOf(b.tone));
  return {
    ...found,
    outcome: facts.length === 0 ? "clear" : "review",
    facts: facts.length === 0
      ? [{
        tone: carrier.checks.some(({ state }) => state === "info") ? "info" : "ok",
        words: carrier.verdict,
      }]
      : facts,
    nameMatch,
    name: carrier.name,
    place: placeOf(carrier),
    due: carrier.mcs150.next_due,
    columns: CARRIER_COLUMNS.map(([, value]) => value(carrier)),
  };
}

/** Reasons to doubt that the carrier found is the one that the row means. */
function identityFacts(
  { wanted, also = [] }: UploadRow,
  { carrier, others, nameMatch }: {
    carrier: Carrier;
    others: readonly number[];
    nameMatch: MatchResult;
  },
): Fact[] {
  const facts: Fact[] = [];
  if (others.length > 0) {
    const count = others.length + 1;
    facts.push({ tone: "warn", words: `${named(wanted!)} is shared by ${count} USDOT numbers` });
  }
  if (nameMatch === "different") {
    facts.push({ tone: "warn", words: "Your name differs from FMCSA's" });
  }
  for (const number of [wanted!, ...also]) {
    if (belongs(number, carrier)) continue;
    facts.push({ tone: "warn", words: `${named(number)} isn't listed for USDOT ${carrier.dot}` });
  }
  return facts;
}

function belongs({ kind, number }: Identifier, { dot, dockets }: Carrier): boolean {
  return kind === "USDOT"
    ? dot === String(number)
    : dockets.some((docket) => docket.prefix === kind && docket.number === String(number));
}

/** What the checks found, as facts. */
function carrierFacts(carrier: Carrier): Fact[] {
  return carrier.checks.filter(({ state }) => state === "bad" || state === "warn").map((check) => ({
    tone: check.state,
    words: factOf(carrier, check),
  }));
}

const WITHOUT_CARRIER: Pick<
  ResultRow,
  "dot" | "name" | "place" | "nameMatch" | "others" | "repeats" | "due" | "columns"
> = {
  dot: "",
  nameMatch: "unknown",
  name: "",
  place: "",
  others: [],
  repeats: null,
  due: "",
  columns: [],
};

const UNAVAILABLE: Pick<ResultRow, "outcome" | "facts"> = {
  outcome: "unavailable",
  facts: [{ tone: "info", words: "This number could not be looked up now; try again later" }],
};

function reported(carrier: Carrier, member: "operation" | "power_units" | "drivers"): string {
  return carrier.not_reported.includes(member) ? "" : String(carrier[member]);
}

function percent(rate: InspectionRate | undefined): string {
  return String(rate?.rate_pct ?? "");
}

function stateOf({ checks }: Carrier, id: string): string {
  return checks.find((check) => check.id === id)?.state ?? "";
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
export const CSV_HEAD = `\ufeff${CSV_NAMES.join(",")}\r\n`;

/** The lines of rows, in their order. */
export function csvLines(rows: readonly ResultRow[]): string {
  const lines = rows.map((result) => [
    String(result.row),
    result.readAs,
    result.ownName,
    result.ownPlace,
    result.dot,
    OUTCOMES[result.outcome],
    result.facts.map(({ words }) => words).join("; "),
    String(result.repeats ?? ""),
    result.others.join(" "),
    ...result.columns,
    ...Array<string>(CARRIER_COLUMNS.length - result.columns.length).fill(""),
    result.nameMatch === "unknown" ? "" : result.nameMatch,
    result.dot === "" ? "" : saferOf(result.dot).url,
  ]);
  return lines.map((cells) => cells.map(csvCell).join(",") + "\r\n").join("");
}

/**
 * A cell on one line that no spreadsheet evaluates: what looks like a formula gets an apostrophe in front.
 */
export function csvCell(text: string): string {
  if (PLAIN.test(text)) return text;
  const visible = inert(text, Infinity);
  const marked = (FORMULA.test(visible) ? "'" : "") + visible.replace(HIDDEN_FORMULA, "$1'");
  return /[",;']/.test(marked) ? `"${marked.replaceAll('"', '""')}"` : marked;
}
