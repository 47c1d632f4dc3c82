/**
 * Which readings of a query hold for the place that a carrier is in. Web APIs only.
 *
 * @module
 */

import { placeForms } from "./fold.ts";
import { FoldedText, LINE_FEED, TAB } from "./folded_text.ts";
import type { Reading } from "./query.ts";

interface WantedPlace {
  bit: number;
  /** By word of the city, the ways it is filed. */
  city: string[][] | undefined;
  /** Code, lower case. */
  state: string | undefined;
}

/** Reads places as lists hold them: `city TAB state LF`. */
export class PlaceReader {
  /** Of the place read last: a bit for each reading that holds; one without a place always does. */
  held = 0;
  readonly #always: number;
  readonly #wanted: WantedPlace[] = [];
  readonly #city = new FoldedText();

  constructor(readings: readonly Reading[]) {
    let always = 0;
    readings.forEach(({ place }, r) => {
      const bit = 1 << r;
      if (place === undefined) always |= bit;
      else {
        const city = place.city?.split(" ").map(placeForms);
        this.#wanted.push({ bit, city, state: place.state });
      }
    });
    this.#always = always;
  }

  /** Reads a place; returns the offset after it. */
  read(bytes: Uint8Array, at: number): number {
    this.held = this.#always;
    let state = at;
    if (this.#wanted.length > 0) state = this.#city.read(bytes, at, TAB);
    let end = state;
    while (end < bytes.length && bytes[end] !== LINE_FEED) end++;
    for (const { bit, city, state: code } of this.#wanted) {
      if (code !== undefined && !isCode(bytes.subarray(state, end), code)) continue;
      if (city === undefined || this.#isCity(city)) this.held |= bit;
    }
    return end + 1;
  }

  #isCity(city: readonly string[][]): boolean {
    return this.#city.length === city.length &&
      city.every((forms, i) => forms.some((form) => this.#city.is(i, form)));
  }
}

function isCode(bytes: Uint8Array, code: string): boolean {
  if (bytes.length !== code.length) return false;
  for (let i = 0; i < code.length; i++) {
    const letter = bytes[i]!;
    const lower = letter >= 65 && letter <= 90 ? letter + 32 : letter;
    if (lower !== code.charCodeAt(i)) return false;
  }
  return true;
}
