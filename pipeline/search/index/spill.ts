/**
 * Step 1 of the index build: spills what search needs of each record to disk, a partition at a time.
 *
 * @module
 */

import type { CarrierRecord } from "../../snapshot/record/record.ts";
import { TextIds } from "../../text_ids.ts";
import { CITY_MARK, STATE_MARK } from "../shared/layout.ts";
import {
  inspectionStep,
  LINE_FEED,
  packSize,
  RAW_HEAD,
  RAW_RANK,
  RAW_SIZE,
} from "../shared/lists_file.ts";
import { LONGEST_WORD, MAX_WORDS, normalizePlace, tokenize } from "../shared/tokenizer.ts";

/**
 * Bytes of a row before its raw entry: class, and how many terms of the legal name, the DBA and the place
 * follow the entry. The entry has the number of the place in the partition.
 */
export const ROW_HEAD = 4;

/** Maximum number of terms in a row: two names, a city and a state. */
const MAX_TERMS = 2 * MAX_WORDS + 2;

/**
 * Maximum characters of a field shown with a result. The size of two names, at three bytes a character, fits
 * in 16 bits.
 */
const LONGEST_FIELD = 5_000;
const INACTIVE_CLASSES = 16;
const UNINSPECTED_CLASSES = 8;
const MAX_UNITS = 2 ** 20 - 2;
const ENCODER = new TextEncoder();

/** A place as filed. */
interface SpilledPlace {
  number: number;
  /** Ids of its terms. A city or state without words has no term. */
  terms: number[];
  /** Whether search uses only the beginning of it. */
  isCut: boolean;
}

/** Collects the records of one partition; {@link SearchSpill.finish} writes them. */
export class SearchSpill {
  readonly #rows = new ByteWriter();
  readonly #terms = new TextIds();
  /** By the number of a place: `city TAB state`, and how many carriers it has. */
  readonly #filed: string[] = [];
  readonly #carriers: number[] = [];
  readonly #cities = new TextIds();
  readonly #states = new TextIds();
  /** A cache by state, then city, as filed: most carriers share a place with others. */
  readonly #places: SpilledPlace[][] = [];
  /** The last row that has each term. */
  readonly #lastRow: number[] = [];
  readonly #counts = new ClassCounts();
  #size = 0;
  #isCut = false;

  /**
   * Adds one record. Records must be added in the order of their USDOT numbers.
   *
   * @returns Whether search uses only the beginning of a word or of a field.
   */
  add(record: CarrierRecord): boolean {
    const { legal_name, dba_name = "", mcs150_date } = record;
    const active = record.status === "A";
    const units = Math.min(record.power_units ?? -1, MAX_UNITS);
    const step = inspectionStep(record.inspections?.total ?? 0);
    const months = mcs150_date === undefined ? 0 : monthOrder(mcs150_date);
    const rankClass = classOf({ active, units, step });
    const name = shown(legal_name || dba_name);
    const dba = legal_name === "" ? "" : shown(dba_name);
    const place = this.#placeOf(record);
    this.#carriers[place.number]!++;
    this.#size++;
    this.#isCut = place.isCut || name.length === LONGEST_FIELD || dba.length === LONGEST_FIELD;
    const row = this.#rows.reserve(ROW_HEAD + RAW_HEAD);
    const entry = row + ROW_HEAD;
    this.#rows.addLine(name);
    const ids = this.#rows.addLine(dba);
    this.#rows.reserve(4 * MAX_TERMS);
    const names = this.#name(name, { at: ids, rankClass });
    const dbas = this.#name(dba, { at: names, rankClass });
    let end = dbas;
    for (const id of place.terms) end = this.#term(id, { at: end, rankClass });
    this.#rows.release(ids + 4 * MAX_TERMS - end);
    const { bytes, view } = this.#rows;
    bytes[row] = rankClass;
    bytes[row + 1] = (names - ids) / 4;
    bytes[row + 2] = (dbas - names) / 4;
    bytes[row + 3] = place.terms.length;
    view.setUint32(entry, record.dot, true);
    view.setUint32(entry + 4, packSize({ units, active, step }), true);
    view.setUint32(entry + 8, place.number, true);
    view.setFloat64(entry + RAW_RANK, staticRank({ active, units, step }, months), true);
    view.setUint16(entry + RAW_SIZE, ids - entry - RAW_HEAD, true);
    return this.#isCut;
  }

  /**
   * Writes `<dir>/<partition>.rows`; `.terms` and `.places`, with one line for each in the order of the
   * numbers that rows use; `.counts`, triples of a term id, a class and the number of carriers of that class
   * that have the term; and `.carriers`, the number of carriers of each place.
   */
  finish(dir: string, partition: number): void {
    const counts: number[] = [];
    for (let id = 0; id < this.#terms.texts.length; id++) {
      this.#counts.of(id).forEach((carriers, rankClass) => {
        if (carriers > 0) counts.push(id, rankClass, carriers);
      });
    }
    const path = `${dir}/${partition}`;
    Deno.writeFileSync(`${path}.rows`, this.#rows.written());
    Deno.writeTextFileSync(`${path}.terms`, [...this.#terms.texts, ""].join("\n"));
    Deno.writeTextFileSync(`${path}.places`, [...this.#filed, ""].join("\n"));
    writeNumbers(`${path}.counts`, Uint32Array.from(counts));
    writeNumbers(`${path}.carriers`, Uint32Array.from(this.#carriers));
  }

  /** Writes the ids of a name's words into the row; returns where they end. */
  #name(name: string, { at, rankClass }: { at: number; rankClass: number }): number {
    for (const word of tokenize(name)) {
      if (word.length === LONGEST_WORD) this.#isCut = true;
      at = this.#term(this.#terms.of(word), { at, rankClass });
    }
    return at;
  }

  #placeOf({ city = "", state = "" }: CarrierRecord): SpilledPlace {
    const cities = this.#places[this.#states.of(state)] ??= [];
    return cities[this.#cities.of(city)] ??= this.#newPlace(city, state);
  }

  #newPlace(city: string, state: string): SpilledPlace {
    const number = this.#filed.push(`${shown(city)}\t${shown(state)}`) - 1;
    this.#carriers.push(0);
    const [cityKey, stateKey] = [normalizePlace(city), state.toLowerCase().slice(0, LONGEST_WORD)];
    const terms: number[] = [];
    if (cityKey !== "") terms.push(this.#terms.of(CITY_MARK + cityKey));
    if (stateKey !== "") terms.push(this.#terms.of(STATE_MARK + stateKey));
    const isCut = city.length > LONGEST_FIELD || cityKey.length === LONGEST_WORD ||
      stateKey.length === LONGEST_WORD;
    return { number, terms, isCut };
  }

  /** Writes the id of a term into the row and counts it, once per row. */
  #term(id: number, { at, rankClass }: { at: number; rankClass: number }): number {
    if (this.#lastRow[id] !== this.#size) {
      this.#lastRow[id] = this.#size;
      this.#counts.add(id, rankClass, 1);
    }
    this.#rows.view.setUint32(at, id, true);
    return at + 4;
  }
}

/** The lines of a file of {@link SearchSpill.finish}: terms or places, by number. */
export function readLines(path: string): string[] {
  return Deno.readTextFileSync(path).split("\n").slice(0, -1);
}

/** Writes whole numbers for {@link readNumbers}. */
export function writeNumbers(path: string, numbers: Uint32Array<ArrayBuffer>): void {
  Deno.writeFileSync(path, new Uint8Array(numbers.buffer));
}

export function readNumbers(path: string): Uint32Array {
  return new Uint32Array(Deno.readFileSync(path).buffer);
}

/** What counts for static rank, except the date. */
interface Size {
  active: boolean;
  /** Power units, -1 where not filed. */
  units: number;
  /** Of {@link inspectionStep}. */
  step: number;
}

/** A class of static rank: every carrier of a higher class ranks before every one of a lower. */
function classOf({ active, units, step }: Size): number {
  const size = step === 0
    ? Math.min(units <= 0 ? 0 : 32 - Math.clz32(units), UNINSPECTED_CLASSES - 1)
    : Math.min(UNINSPECTED_CLASSES + (step >> 3), INACTIVE_CLASSES - 1);
  return active ? INACTIVE_CLASSES + size : size;
}

/** Static rank as a number, best highest: active, inspections, power units, then {@link monthOrder}. */
function staticRank({ active, units, step }: Size, months: number): number {
  return (active ? 2 ** 38 : 0) + step * 2 ** 31 + (units + 1) * 2 ** 11 + months;
}

/** The month of a `YYYY-MM-DD` day as an 11-bit number in calendar order; 0 before 1900. */
function monthOrder(day: string): number {
  const order = (Number(day.slice(0, 4)) - 1900) * 12 + Number(day.slice(5, 7));
  return Math.max(0, Math.min(order || 0, 2 ** 11 - 1));
}

/** What a result shows of a field: line breaks and tabs, which separate fields, become blanks. */
function shown(field: string): string {
  const start = field.length > LONGEST_FIELD ? field.slice(0, LONGEST_FIELD) : field;
  return /[\n\t]/.test(start) ? start.replace(/[\n\t]/g, " ") : start;
}

/** Classes of static rank that terms are counted by. */
export const CLASSES = 32;

/** Carriers counted by term and class; grows with the number of terms. */
export class ClassCounts {
  #counts = new Uint32Array(1024 * CLASSES);

  /** Adds carriers of a class to those that have a term. */
  add(term: number, rankClass: number, carriers: number): void {
    const at = term * CLASSES + rankClass;
    if (at >= this.#counts.length) {
      const grown = new Uint32Array(this.#counts.length * 2);
      grown.set(this.#counts);
      this.#counts = grown;
      return this.add(term, rankClass, carriers);
    }
    this.#counts[at]! += carriers;
  }

  /** The carriers that have a term, by class. */
  of(term: number): Uint32Array {
    return this.#counts.subarray(term * CLASSES, (term + 1) * CLASSES);
  }
}

/** A buffer that grows, with a view of it; growing replaces both. */
export class ByteWriter {
  bytes = new Uint8Array(1 << 14);
  view = new DataView(this.bytes.buffer);
  #length = 0;

  /** Reserves `size` bytes; the caller fills them from the offset returned. */
  reserve(size: number): number {
    const at = this.#length;
    if (at + size > this.bytes.length) {
      const grown = new Uint8Array(Math.max(this.bytes.length * 2, at + size));
      grown.set(this.bytes);
      this.bytes = grown;
      this.view = new DataView(grown.buffer);
    }
    this.#length += size;
    return at;
  }

  /** Adds a text and a line feed in UTF-8; returns the offset after it. */
  addLine(text: string): number {
    const most = 3 * text.length + 1;
    let at = this.reserve(most);
    const end = at + most;
    const { bytes } = this;
    let i = 0;
    for (; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) break;
      bytes[at++] = code;
    }
    if (i < text.length) at += ENCODER.encodeInto(text.slice(i), bytes.subarray(at)).written;
    bytes[at++] = LINE_FEED;
    this.release(end - at);
    return at;
  }

  /** Releases bytes reserved last and not used. */
  release(size: number): void {
    this.#length -= size;
  }

  /** The bytes reserved so far. */
  written(): Uint8Array {
    return this.bytes.subarray(0, this.#length);
  }
}
