/**
 * The second pass over inspections: a partition's spilled rows, rolled up by carrier.
 *
 * @module
 */

import { decodeField, foldText } from "../../fmcsa/fields.ts";
import { civilOfCompact, type DayNumber, dayNumber, isoDay } from "../../dates.ts";
import { compareName, nameComparer } from "../../company_name.ts";
import {
  type CarrierRecord,
  INSPECTION_FLAG,
  type InspectionRow,
  type InspectionSpan,
  type InspectionSummary,
  type InspectionSums,
  MAX_INSPECTIONS,
  MAX_NAMES,
  sumInspections,
  type Summed,
} from "../../snapshot/record/record.ts";
import type { Distribution } from "../../audit/distributions.ts";
import { FLAG, HEAD_WORDS, NAME_BYTES, WORD, wordsOf } from "./spilled_inspections.ts";

/** The days counted, `YYYYMMDD` as numbers, both included. */
export interface InspectionWindow {
  from: number;
  to: number;
}

/** A kind of violation: where its counts are, and the levels that count for it. */
interface Kind {
  word: number;
  /** From FMCSA's roadside inspection report. */
  levels: readonly number[];
  /** A flag that a row must also have; 0 for none. */
  flag: number;
}

const VEHICLE: Kind = { word: WORD.vehicle, levels: [1, 2, 5, 6], flag: 0 };
const DRIVER: Kind = { word: WORD.driver, levels: [1, 2, 3, 6], flag: 0 };
const HAZMAT: Kind = { word: WORD.hazmat, levels: [1, 2, 3, 4, 5, 6], flag: FLAG.hazmat };
const KINDS = [VEHICLE, DRIVER, HAZMAT];

const ENCODER = new TextEncoder();

/** A partition's inspections by carrier. No result depends on the order of the rows. */
export class InspectionRollUp {
  /** Ids of rows that repeat another inspection of the same carrier. */
  readonly duplicates: number[] = [];
  /** Rows in the window, whether or not the carrier is in the census. */
  inWindow = 0;
  /** The newest day in the window, 0 without a row. */
  newest = 0;
  /** By month, `YYYY-MM`. */
  readonly months: Distribution;
  readonly levels: Distribution;
  readonly states: Distribution;
  #bytes: Uint8Array;
  #words: Uint32Array;
  #window: InspectionWindow;
  #byDot = new Map<number, number[]>();
  #ago = new Map<number, number>();

  constructor(bytes: Uint8Array<ArrayBuffer>, window: InspectionWindow) {
    this.#bytes = bytes;
    this.#words = new Uint32Array(bytes.buffer);
    this.#window = window;
    const words = this.#words;
    const months = new Map<number, number>();
    const levels = new Map<number, number>();
    const states = new Map<number, number>();
    const byDot = new Map<number, number[]>();
    for (let at = 0; at < words.length; at += wordsOf(words, at)) {
      const dot = words[at + WORD.dot]!;
      const rows = byDot.get(dot);
      if (rows === undefined) byDot.set(dot, [at]);
      else rows.push(at);
    }
    for (const [dot, all] of byDot) {
      const rows = this.#once(all).filter((at) => {
        const day = words[at + WORD.day]!;
        return day >= window.from && day <= window.to;
      });
      if (rows.length > 0) this.#byDot.set(dot, rows);
      for (const at of rows) {
        const day = words[at + WORD.day]!;
        this.inWindow++;
        this.newest = Math.max(this.newest, day);
        const codes = words[at + WORD.codes]!;
        add(months, Math.floor(day / 100));
        add(levels, codes & 0xff);
        add(states, codes >>> 16);
      }
    }
    this.months = relabel(months, (month) => isoDay(month * 100 + 1).slice(0, 7));
    this.levels = relabel(levels, String);
    this.states = relabel(states, (letters) => stateOf(letters) || "not reported");
  }

  /**
   * A carrier's rows, each inspection once. Of rows with the same id, keeps the first by {@link compareRows}.
   */
  #once(rows: number[]): number[] {
    if (rows.length === 1) return rows;
    const words = this.#words;
    const idOf = (at: number): number => words[at + WORD.id]!;
    rows.sort((a, b) => idOf(a) - idOf(b) || compareRows(words, a, b));
    return rows.filter((at, i) => {
      const isTwin = i > 0 && idOf(at) === idOf(rows[i - 1]!);
      if (isTwin) this.duplicates.push(idOf(at));
      return !isTwin;
    });
  }

  /** The carrier's inspections in the window; undefined without one. */
  summary(record: CarrierRecord): InspectionSummary | undefined {
    const rows = this.#byDot.get(record.dot);
    if (rows === undefined) return undefined;
    const words = this.#words;
    // By day, then by all other words except the id, which has no meaning.
    rows.sort((a, b) => compareRows(words, a, b));
    const summary: InspectionSummary = {
      total: rows.length,
      last: isoDay(words[rows[0]! + WORD.day]!),
      violations: rows.reduce((sum, at) => sum + words[at + WORD.violations]!, 0),
      vehicle: this.#kind(rows, VEHICLE),
      driver: this.#kind(rows, DRIVER),
      hazmat: this.#kind(rows, HAZMAT),
      latest: rows.slice(0, MAX_INSPECTIONS).map((at) => this.#row(at)),
    };
    if (rows.length > MAX_INSPECTIONS) summary.sums = this.#sums(rows);
    this.#addDifferences(summary, rows, record);
    return summary;
  }

  #kind(rows: readonly number[], { word, levels, flag }: Kind): InspectionSummary["vehicle"] {
    const words = this.#words;
    const kind = { inspections: 0, out_of_service: 0 };
    for (const at of rows) {
      const codes = words[at + WORD.codes]!;
      if (!levels.includes(codes & 0xff) || (codes >> 8 & flag) !== flag) continue;
      kind.inspections++;
      if (words[at + word]! >>> 16 > 0) kind.out_of_service++;
    }
    return kind;
  }

  #has(at: number, flag: number): boolean {
    return (this.#words[at + WORD.codes]! >> 8 & flag) !== 0;
  }

  #row(at: number): InspectionRow {
    const words = this.#words;
    const codes = words[at + WORD.codes]!;
    const violations = words[at + WORD.violations]!;
    const row: InspectionRow = [
      this.#daysAgo(at),
      stateOf(codes >>> 16),
      codes & 0xff,
      violations,
    ];
    for (const { word } of KINDS) row.push(words[at + word]! & 0xffff, words[at + word]! >>> 16);
    row.push(
      (this.#has(at, FLAG.hazmat) ? INSPECTION_FLAG.hazmat : 0) |
        (this.#has(at, FLAG.postCrash) ? INSPECTION_FLAG.postCrash : 0),
    );
    while (row.at(-1) === 0) row.pop();
    return row;
  }

  #sums(rows: readonly number[]): InspectionSums {
    const words = this.#words;
    const { from, to } = this.#window;
    const summed = rows.map((at): Summed => {
      const isOut = KINDS.some(({ word }) => words[at + word]! >>> 16 > 0);
      const codes = words[at + WORD.codes]!;
      const month = monthsAfter(words[at + WORD.day]!, from);
      return [month, stateOf(codes >>> 16), codes & 0xff, isOut];
    });
    return sumInspections(summed, monthsAfter(to, from) + 1);
  }

  /** Adds what the inspections show and the census does not. */
  #addDifferences(
    summary: InspectionSummary,
    rows: readonly number[],
    record: CarrierRecord,
  ): void {
    const { operation, hazmat, legal_name } = record;
    const flagged = (flag: number): number[] => rows.filter((at) => this.#has(at, flag));
    const interstate = operation === "B" || operation === "C" ? flagged(FLAG.interstate) : [];
    if (interstate.length > 0) summary.interstate = this.#span(interstate);
    const placarded = hazmat === false ? flagged(FLAG.placarded) : [];
    if (placarded.length > 0) summary.placarded = this.#span(placarded);
    // Nearly all are under the legal name, and no strings are created for those.
    const legalName = ENCODER.encode(legal_name);
    const others = rows.filter((at) => !this.#isNamed(at, legalName));
    if (others.length > 0) this.#addNames(summary, others, record);
  }

  #addNames(summary: InspectionSummary, rows: readonly number[], record: CarrierRecord): void {
    const { legal_name, dba_name } = record;
    let compare: ReturnType<typeof nameComparer> | undefined;
    const differs = new Map<string, boolean>();
    const under = new Map<string, number[]>();
    const renamed = rows.filter((at) => {
      const name = foldText(decodeField(this.#nameBytes(at)).text).text;
      if (name === legal_name || name === dba_name || lacksForm(name, legal_name)) return false;
      let other = differs.get(name);
      if (other === undefined) {
        const isCut = this.#words[at + WORD.name] === NAME_BYTES;
        compare ??= nameComparer(record);
        other = compare(name).result === "different" && !(isCut && isBeginning(name, record));
        differs.set(name, other);
        if (other) under.set(name, []);
      }
      under.get(name)?.push(at);
      return other;
    });
    if (renamed.length === 0) return;
    summary.renamed = this.#span(renamed);
    summary.names = [...under]
      .sort(([a, m], [b, n]) => n.length - m.length || (a < b ? -1 : 1))
      .slice(0, MAX_NAMES)
      .map(([name, rows]): [string, ...InspectionSpan] => [name, ...this.#span(rows)]);
  }

  /** Takes at least one row, ordered from newest to oldest. */
  #span(rows: readonly number[]): InspectionSpan {
    return [rows.length, this.#daysAgo(rows.at(-1)!), this.#daysAgo(rows[0]!)];
  }

  #isNamed(at: number, name: Uint8Array): boolean {
    if (this.#words[at + WORD.name] !== name.length) return false;
    const start = 4 * (at + HEAD_WORDS);
    for (let i = 0; i < name.length; i++) if (this.#bytes[start + i] !== name[i]) return false;
    return true;
  }

  #nameBytes(at: number): Uint8Array {
    const start = 4 * (at + HEAD_WORDS);
    return this.#bytes.subarray(start, start + this.#words[at + WORD.name]!);
  }

  #daysAgo(at: number): number {
    const day = this.#words[at + WORD.day]!;
    let ago = this.#ago.get(day);
    if (ago === undefined) {
      ago = numberOf(this.#window.to) - numberOf(day);
      this.#ago.set(day, ago);
    }
    return ago;
  }
}

/** The day number of `YYYYMMDD`. */
function numberOf(compact: number): DayNumber {
  return dayNumber(civilOfCompact(compact));
}

/**
 * Whether a name equals the filed one without its legal form, as most names that differ do.
 * {@link nameComparer} also returns a match for these, but takes fifty times as long.
 */
function lacksForm(name: string, filed: string): boolean {
  return filed.startsWith(name) && /^,? (?:LLC|INC\.?)$/.test(filed.slice(name.length));
}

/** Whether a truncated name is the beginning of a filed one. */
function isBeginning(
  name: string,
  record: Pick<CarrierRecord, "legal_name" | "dba_name">,
): boolean {
  const [legal_name, dba_name] = [record.legal_name, record.dba_name ?? ""]
    .map((filed) => filed.slice(0, name.length)) as [string, string];
  return compareName(name, { legal_name, dba_name }).result !== "different";
}

/** The calendar month of a `YYYYMMDD` day, counted from that of `from`. */
function monthsAfter(compact: number, from: number): number {
  const [day, first] = [civilOfCompact(compact), civilOfCompact(from)];
  return (day.year - first.year) * 12 + day.month - first.month;
}

/**
 * Compares all words except the carrier and the id, larger values first, so that the result does not depend
 * on the order of the input.
 */
function compareRows(words: Uint32Array, a: number, b: number): number {
  // The length of the name comes before the name.
  const size = wordsOf(words, a);
  for (let i = WORD.day; i < size; i++) {
    if (words[a + i]! !== words[b + i]!) return words[b + i]! - words[a + i]!;
  }
  return 0;
}

function stateOf(letters: number): string {
  return letters === 0 ? "" : String.fromCharCode(letters & 0xff, letters >> 8);
}

function add<K>(counts: Map<K, number>, label: K): void {
  counts.set(label, (counts.get(label) ?? 0) + 1);
}

function relabel(counts: Map<number, number>, label: (key: number) => string): Distribution {
  return [...counts].map(([key, count]) => [label(key), count]);
}
