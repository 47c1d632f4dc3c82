/**
 * Step 1 of the index build: spills what search needs of each record to disk, a partition at a time.
 *
 * @module
 */

import type { CarrierRecord } from "../../snapshot/record.ts";
import { CITY_MARK, STATE_MARK } from "../shared/layout.ts";
import { LONGEST_WORD, MAX_WORDS, normalizePlace, tokenize } from "../shared/tokenizer.ts";

/** Bytes of a row before its terms: USDOT number, fleet, rank, class, counts of terms, length of text. */
export const ROW_HEAD = 22;

/** Terms of a row at most: two names, a city and a state. */
const MAX_TERMS = 2 * MAX_WORDS + 2;

/** Characters of a field shown with a result at most: four fields of three bytes each fit 16 bits. */
const LONGEST_FIELD = 5_000;
const INACTIVE_CLASSES = 16;
const MAX_UNITS = 2 ** 20 - 1;
const ENCODER = new TextEncoder();

/** Collects the records of one partition; {@link SearchSpill.finish} writes them. */
export class SearchSpill {
  readonly #rows = new ByteWriter();
  readonly #ids = new Map<string, number>();
  /** Cities and states as filed: the same few over and over. -1 where no word of one is left. */
  readonly #cities = new Map<string, number>();
  readonly #states = new Map<string, number>();
  /** The last row that has each term. */
  readonly #lastRow: number[] = [];
  readonly #counts = new ClassCounts();
  #size = 0;
  #isCut = false;

  /**
   * Adds one record. Records in another order make the same index.
   *
   * @returns Whether search uses only the beginning of a word or of a field.
   */
  add(record: CarrierRecord): boolean {
    const { dot, legal_name, dba_name = "", city = "", state = "" } = record;
    const active = record.status === "A";
    const units = Math.min(record.power_units ?? -1, MAX_UNITS);
    const days = record.mcs150_date === undefined ? 0 : dayOrder(record.mcs150_date);
    const rankClass = classOf(active, units);
    const name = legal_name || dba_name;
    const dba = legal_name === "" ? "" : dba_name;
    const text = `${oneLine(name)}\n${oneLine(dba)}\n${oneLine(city)}\t${oneLine(state)}\n`;
    const room = ROW_HEAD + 4 * MAX_TERMS + text.length * 3;
    const at = this.#rows.reserve(room);
    const { bytes, view } = this.#rows;
    this.#size++;
    this.#isCut = [name, dba, city, state].some((field) => field.length > LONGEST_FIELD);
    const names = this.#words(name, { at: at + ROW_HEAD, rankClass });
    const dbas = dba === "" ? names : this.#words(dba, { at: names, rankClass });
    const places = this.#places(city, state, { at: dbas, rankClass });
    const { written } = ENCODER.encodeInto(text, bytes.subarray(places, at + room));
    view.setUint32(at, dot, true);
    view.setUint32(at + 4, (units + 1) * 2 + (active ? 1 : 0), true);
    view.setFloat64(at + 8, staticRank(active, units, days), true);
    view.setUint8(at + 16, rankClass);
    view.setUint8(at + 17, (names - at - ROW_HEAD) / 4);
    view.setUint8(at + 18, (dbas - names) / 4);
    view.setUint8(at + 19, (places - dbas) / 4);
    view.setUint16(at + 20, written, true);
    this.#rows.release(at + room - places - written);
    return this.#isCut;
  }

  /**
   * Writes `<dir>/<partition>.rows`; `.terms`, a line per term in the order of the ids that rows use;
   * `.counts`, triples of term id, class and the carriers of that class that have the term.
   */
  finish(dir: string, partition: number): void {
    Deno.writeFileSync(`${dir}/${partition}.rows`, this.#rows.written());
    const counts: number[] = [];
    for (let id = 0; id < this.#ids.size; id++) {
      this.#counts.of(id).forEach((carriers, rankClass) => {
        if (carriers > 0) counts.push(id, rankClass, carriers);
      });
    }
    Deno.writeTextFileSync(`${dir}/${partition}.terms`, [...this.#ids.keys(), ""].join("\n"));
    const bytes = new Uint8Array(Uint32Array.from(counts).buffer);
    Deno.writeFileSync(`${dir}/${partition}.counts`, bytes);
  }

  /** Writes the ids of a name's words into the row; returns where they end. */
  #words(name: string, { at, rankClass }: { at: number; rankClass: number }): number {
    for (const word of tokenize(name)) {
      if (word.length === LONGEST_WORD) this.#isCut = true;
      at = this.#term(this.#idOf(word), { at, rankClass });
    }
    return at;
  }

  #places(
    city: string,
    state: string,
    { at, rankClass }: { at: number; rankClass: number },
  ): number {
    const places = [
      this.#placeId(this.#cities, { place: city, mark: CITY_MARK, key: normalizePlace }),
      this.#placeId(this.#states, { place: state, mark: STATE_MARK, key: stateKey }),
    ];
    for (const id of places) if (id >= 0) at = this.#term(id, { at, rankClass });
    return at;
  }

  /** The id of a place's term, -1 where no word of it is left. */
  #placeId(
    known: Map<string, number>,
    { place, mark, key }: { place: string; mark: string; key: (place: string) => string },
  ): number {
    const cached = known.get(place);
    if (cached !== undefined) return cached;
    const normalized = key(place);
    const id = normalized === "" ? -1 : this.#idOf(mark + normalized);
    if (normalized.length === LONGEST_WORD) this.#isCut = true;
    else known.set(place, id);
    return id;
  }

  #idOf(term: string): number {
    let id = this.#ids.get(term);
    if (id === undefined) {
      this.#ids.set(term, id = this.#ids.size);
      this.#lastRow.push(-1);
    }
    return id;
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

/** The terms of a partition as {@link SearchSpill.finish} wrote them, by id. */
export function readTerms(dir: string, partition: number): string[] {
  return Deno.readTextFileSync(`${dir}/${partition}.terms`).split("\n").slice(0, -1);
}

/** A class of static rank: every carrier of a higher class ranks before every one of a lower. */
function classOf(active: boolean, units: number): number {
  const size = units <= 0 ? 0 : Math.min(32 - Math.clz32(units), INACTIVE_CLASSES - 1);
  return active ? INACTIVE_CLASSES + size : size;
}

/** Static rank as a number, best highest: active, power units, then {@link dayOrder}. */
function staticRank(active: boolean, units: number, days: number): number {
  return (active ? 2 ** 38 : 0) + (units + 1) * 2 ** 17 + days;
}

/** A day `YYYY-MM-DD` as a number of 17 bits that grows with it, 0 before 1900. */
function dayOrder(day: string): number {
  const order = (Number(day.slice(0, 4)) - 1900) * 512 + Number(day.slice(5, 7)) * 32 +
    Number(day.slice(8, 10));
  return Math.max(0, Math.min(order || 0, 2 ** 17 - 1));
}

function stateKey(state: string): string {
  return state.toLowerCase().slice(0, LONGEST_WORD);
}

/** Line breaks and tabs separate columns, so in a text they become blanks. */
function oneLine(text: string): string {
  const shown = text.length > LONGEST_FIELD ? text.slice(0, LONGEST_FIELD) : text;
  return /[\n\t]/.test(shown) ? shown.replace(/[\n\t]/g, " ") : shown;
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

  /** Releases bytes reserved last and not used. */
  release(size: number): void {
    this.#length -= size;
  }

  /** The bytes reserved so far. */
  written(): Uint8Array {
    return this.bytes.subarray(0, this.#length);
  }
}
