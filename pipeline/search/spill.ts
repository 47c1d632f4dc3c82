/**
 * First step of building the index: what search needs of a partition's records, set aside as they pass.
 *
 * @module
 */

import type { CarrierRecord } from "../snapshot/record.ts";
import { ByteWriter } from "./byte_writer.ts";
import { fold, foldPlace } from "./fold.ts";
import { CITY_MARK, STATE_MARK } from "./manifest.ts";

/** Classes of static rank that terms are counted by. */
export const CLASSES = 32;

/** Bytes of a row before its terms: USDOT number, fleet, rank, class, counts of terms, length of text. */
export const ROW_HEAD = 22;

/** Longest text of a row in bytes: four census fields are shorter by far. */
const MAX_TEXT = 0xffff;
const INACTIVE_CLASSES = 16;
const MAX_UNITS = 2 ** 20 - 1;
const ENCODER = new TextEncoder();

/** Collects the records of one partition; {@link SearchSpill.finish} writes them. */
export class SearchSpill {
  readonly #rows = new ByteWriter();
  readonly #ids = new Map<string, number>();
  readonly #cities = new Map<string, number>();
  readonly #lastRow: number[] = [];
  #counts = new Uint32Array(1024 * CLASSES);
  #size = 0;

  /** Takes one record. Records in another order make the same index. */
  add(record: CarrierRecord): void {
    const { dot, legal_name, dba_name = "", city = "", state = "" } = record;
    const active = record.status === "A";
    const units = Math.min(record.power_units ?? -1, MAX_UNITS);
    const days = record.mcs150_date === undefined ? 0 : dayOrder(record.mcs150_date);
    const rankClass = classOf(active, units);
    const name = this.#words(legal_name || dba_name, rankClass);
    const dba = legal_name !== "" && dba_name !== "" ? this.#words(dba_name, rankClass) : [];
    const places = this.#places(city, state, rankClass);
    this.#size++;
    const text = oneLine(legal_name || dba_name) + "\n" + (legal_name ? oneLine(dba_name) : "") +
      "\n" + oneLine(city) + "\t" + oneLine(state) + "\n";
    const head = ROW_HEAD + 4 * (name.length + dba.length + places.length);
    const room = head + Math.min(text.length * 3, MAX_TEXT);
    const at = this.#rows.reserve(room);
    const { bytes, view } = this.#rows;
    const { written } = ENCODER.encodeInto(text, bytes.subarray(at + head, at + room));
    view.setUint32(at, dot, true);
    view.setUint32(at + 4, (units + 1) * 2 + (active ? 1 : 0), true);
    view.setFloat64(at + 8, staticRank(active, units, days), true);
    view.setUint8(at + 16, rankClass);
    view.setUint8(at + 17, name.length);
    view.setUint8(at + 18, dba.length);
    view.setUint8(at + 19, places.length);
    view.setUint16(at + 20, written, true);
    let next = at + ROW_HEAD;
    for (const ids of [name, dba, places]) {
      for (const id of ids) {
        view.setUint32(next, id, true);
        next += 4;
      }
    }
    this.#rows.release(room - head - written);
  }

  /**
   * Writes `<dir>/<partition>.rows`, and `<dir>/<partition>.terms`: a line a term in the order of the
   * numbers that rows name them by, with the carriers it is in, and those by class.
   */
  finish(dir: string, partition: number): void {
    Deno.writeFileSync(`${dir}/${partition}.rows`, this.#rows.written());
    const lines: string[] = [];
    for (const [term, id] of this.#ids) {
      let total = 0;
      let classes = "";
      for (let i = id * CLASSES; i < (id + 1) * CLASSES; i++) {
        if (this.#counts[i] === 0) continue;
        total += this.#counts[i]!;
        classes += `\t${i - id * CLASSES}\t${this.#counts[i]}`;
      }
      lines.push(`${term}\t${total}${classes}\n`);
    }
    Deno.writeTextFileSync(`${dir}/${partition}.terms`, lines.join(""));
  }

  #words(name: string, rankClass: number): number[] {
    const ids: number[] = [];
    for (const word of fold(name)) ids.push(this.#count(this.#idOf(word), rankClass));
    return ids;
  }

  #places(city: string, state: string, rankClass: number): number[] {
    const ids: number[] = [];
    if (city !== "") {
      let id = this.#cities.get(city);
      if (id === undefined) {
        const folded = foldPlace(city);
        this.#cities.set(city, id = folded === "" ? -1 : this.#idOf(CITY_MARK + folded));
      }
      if (id >= 0) ids.push(this.#count(id, rankClass));
    }
    if (state !== "") {
      ids.push(this.#count(this.#idOf(STATE_MARK + state.toLowerCase()), rankClass));
    }
    return ids;
  }

  #idOf(term: string): number {
    let id = this.#ids.get(term);
    if (id === undefined) {
      this.#ids.set(term, id = this.#ids.size);
      this.#lastRow.push(-1);
      if ((id + 1) * CLASSES > this.#counts.length) {
        const grown = new Uint32Array(this.#counts.length * 2);
        grown.set(this.#counts);
        this.#counts = grown;
      }
    }
    return id;
  }

  /** Counts a term once a row. */
  #count(id: number, rankClass: number): number {
    if (this.#lastRow[id] !== this.#size) {
      this.#lastRow[id] = this.#size;
      this.#counts[id * CLASSES + rankClass]!++;
    }
    return id;
  }
}

/** A class of static rank: every carrier of a higher class goes before every one of a lower. */
export function classOf(active: boolean, units: number): number {
  const size = units <= 0 ? 0 : Math.min(32 - Math.clz32(units), INACTIVE_CLASSES - 1);
  return active ? INACTIVE_CLASSES + size : size;
}

/** Static rank as a number, best highest: active, power units, then {@link dayOrder}. */
export function staticRank(active: boolean, units: number, days: number): number {
  return (active ? 2 ** 38 : 0) + (units + 1) * 2 ** 17 + days;
}

/** A day `YYYY-MM-DD` as a number of 17 bits that grows with it, 0 before 1900. */
export function dayOrder(day: string): number {
  const order = (Number(day.slice(0, 4)) - 1900) * 512 + Number(day.slice(5, 7)) * 32 +
    Number(day.slice(8, 10));
  return Math.max(0, Math.min(order || 0, 2 ** 17 - 1));
}

/** Line breaks and tabs part columns: a text that has them gets blanks. */
function oneLine(text: string): string {
  return /[\n\t]/.test(text) ? text.replace(/[\n\t]/g, " ") : text;
}
