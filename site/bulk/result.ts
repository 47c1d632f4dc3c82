/**
 * The result of each row: the facts for the table and for the CSV file.
 *
 * @module
 */

import { type BatchItem, isRead } from "../../api/operations/batch.ts";
import { compareName, type MatchResult } from "../../pipeline/search/shared/name_match.ts";
import type { Carrier, CheckId, CheckState } from "../../api/rules/schemas.ts";
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

/** What the CSV file has of a carrier. What the census leaves blank is blank. */
const CARRIER_COLUMNS: readonly [
  name: string,
  value: (carrier: Carrier) => string | number | null | undefined,
][] = [
  ["name", ({ name }) => name],
  ["dba_name", ({ dba_name }) => dba_name],
  ["street", ({ address }) => address.street],
  ["city", ({ city }) => city],
  ["state", ({ state }) => state],
  ["zip", ({ address }) => address.zip],
  ["phone", ({ phone }) => phone],
  ["status", ({ status }) => status],
  ["operation", (carrier) => reported(carrier, "operation")],
  ["power_units", (carrier) => reported(carrier, "power_units")],
  ["drivers", (carrier) => reported(carrier, "drivers")],
  ["mc_number", ({ mc_number }) => mc_number],
  ["safety_rating", ({ safety_rating }) => safety_rating],
  ["mcs150_last_filed", ({ mcs150 }) => mcs150.last_filed],
  ["mcs150_next_due", ({ mcs150 }) => mcs150.next_due],
  ["mcs150_state", ({ mcs150 }) => mcs150.state],
  [
    "inspections_24m",
    ({ inspections_24m, snapshot }) =>
      inspections_24m?.total ?? (snapshot.notice === undefined ? 0 : null),
  ],
  ["vehicle_oos_pct", ({ inspections_24m }) => inspections_24m?.vehicle.rate_pct],
  ["driver_oos_pct", ({ inspections_24m }) => inspections_24m?.driver.rate_pct],
  ["usdot_status_check", (carrier) => stateOf(carrier, "usdot_status")],
  ["mcs150_check", (carrier) => stateOf(carrier, "mcs150")],
  ["operating_authority_check", (carrier) => stateOf(carrier, "operating_authority")],
  ["safety_rating_check", (carrier) => stateOf(carrier, "safety_rating")],
  ["oos_rates_check", (carrier) => stateOf(carrier, "oos_rates")],
  ["page_url", ({ page_url }) => page_url],
  ["census_date", ({ snapshot }) => snapshot.data_date],
  ["inspections_date", ({ snapshot }) => snapshot.inspections_date],
  ["data_age_days", ({ snapshot }) => snapshot.age_days],
  ["notice", ({ snapshot }) => snapshot.notice],
];

const COLUMNS: readonly [name: string, value: (row: ResultRow) => string | number | null][] = [
  ["row", ({ row }) => row],
  ["read_as", ({ readAs }) => readAs],
  ["your_name", ({ ownName }) => ownName],
  ["your_place", ({ ownPlace }) => ownPlace],
  ["dot", ({ dot }) => dot],
  ["result", ({ outcome }) => OUTCOMES[outcome]],
  ["facts", ({ facts }) => facts.map(({ words }) => words).join("; ")],
  ["repeats_row", ({ repeats }) => repeats],
  ["other_dots", ({ others }) => others.join(" ")],
  ...CARRIER_COLUMNS.map(([name], i): typeof COLUMNS[number] => [
    name,
    ({ columns }) => columns[i] ?? "",
  ]),
  ["name_match", ({ nameMatch }) => nameMatch === "unknown" ? "" : nameMatch],
  ["safer_url", ({ dot }) => dot === "" ? "" : saferOf(dot).url],
];

function reported(carrier: Carrier, member: "operation" | "power_units" | "drivers") {
  return carrier.not_reported.includes(member) ? null : carrier[member];
}

function stateOf({ checks }: Carrier, id: CheckId): CheckState | undefined {
  return checks.find((check) => check.id === id)?.state;
}

const TONES: readonly CheckState[] = ["bad", "warn", "info", "ok"];

/** Returns a function to call with the rows in order, each with its item if it has a number. */
export function resultMaker(): (row: UploadRow, item: BatchItem | null) => ResultRow {
  const firsts = new Map<string, number>();
  return (row, item) => {
    const result = resultOf(row, item);
    const carrier = result.dot === "" ? result.readAs : `USDOT ${result.dot}`;
    if (carrier === "") return result;
    const first = firsts.get(carrier) ?? null;
    if (first === null) firsts.set(carrier, row.row);
    return { ...result, repeats: first };
  };
}

function resultOf(row: UploadRow, item: BatchItem | null): ResultRow {
  const { wanted, name: ownName = "", place: ownPlace = "" } = row;
  const [holder, ...others] = row.holders ?? [wanted?.number];
  const blank: Omit<ResultRow, "outcome" | "facts"> = {
    row: row.row,
    readAs: wanted === null ? "" : named(wanted),
    dot: String(holder ?? ""),
    ownName,
    ownPlace,
    nameMatch: "unknown",
    name: "",
    place: "",
    others: others.map(String),
    repeats: null,
    due: "",
    columns: [],
  };
  const without = (outcome: Outcome, words: string): ResultRow => (
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
  const nameMatch = compareName(ownName, carrier);
  const facts = [...identityFacts(row, { carrier, nameMatch }), ...checkFacts(carrier)]
    .sort((a, b) => TONES.indexOf(a.tone) - TONES.indexOf(b.tone));
  const tone = carrier.checks.some(({ state }) => state === "info") ? "info" : "ok";
  return {
    ...blank,
    outcome: facts.length === 0 ? "clear" : "review",
    facts: facts.length === 0 ? [{ tone, words: carrier.verdict }] : facts,
    nameMatch,
    name: carrier.name,
    place: placeOf(carrier),
    due: carrier.mcs150.next_due,
    columns: CARRIER_COLUMNS.map(([, value]) => String(value(carrier) ?? "")),
  };
}

/** Reasons to doubt that the carrier found is the one that the row means. */
function identityFacts(
  { wanted, also = [], holders = [] }: UploadRow,
  { carrier, nameMatch }: { carrier: Carrier; nameMatch: MatchResult },
): Fact[] {
  const words = [
    ...holders.length > 1 ? [`${named(wanted!)} is shared by ${holders.length} USDOT numbers`] : [],
    ...nameMatch === "different" ? ["Your name differs from FMCSA's"] : [],
    ...[wanted!, ...also].filter((number) => !belongs(number, carrier))
      .map((number) => `${named(number)} isn't listed for USDOT ${carrier.dot}`),
  ];
  return words.map((words) => ({ tone: "warn", words }));
}

function belongs({ kind, number }: Identifier, { dot, dockets }: Carrier): boolean {
  return kind === "USDOT"
    ? dot === String(number)
    : dockets.some((docket) => docket.prefix === kind && docket.number === String(number));
}

function checkFacts(carrier: Carrier): Fact[] {
  return carrier.checks.filter(({ state }) => state === "bad" || state === "warn")
    .map((check) => ({ tone: check.state, words: factOf(carrier, check) }));
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
export const CSV_HEAD = `\ufeff${COLUMNS.map(([name]) => name).join(",")}\r\n`;

export function csvLines(rows: readonly ResultRow[]): string {
  const lines = rows.map((row) => COLUMNS.map(([, value]) => csvCell(String(value(row) ?? ""))));
  return lines.map((cells) => cells.join(",") + "\r\n").join("");
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
