/**
 * The file of places: cities and states as filed, by the numbers that posting lists have. Web APIs only.
 *
 * @module
 */

import { tokenize } from "./tokenizer.ts";

/** A city and a state as filed, either may be blank. */
export interface Place {
  city: string;
  state: string;
}

/** A place as it is compared: the words of its city without blanks, and its state in lower case. */
interface NamedPlace extends Place {
  spelled: string;
  code: string;
}

/** Lays out the file, not compressed; each place is `city TAB state`. */
export function encodePlaces(places: readonly string[]): Uint8Array {
  return new TextEncoder().encode(places.map((place) => `${place}\n`).join(""));
}

/** The places of an index by number. */
export class Places {
  readonly #lines: string[];
  /** Those that were asked for. */
  readonly #named: NamedPlace[];

  /** @throws {TypeError} When the bytes are not such a file. */
  constructor(bytes: Uint8Array) {
    this.#lines = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).split("\n");
    if (this.#lines.pop() !== "") throw new TypeError("Cannot read search places: cut short");
    this.#named = new Array(this.#lines.length);
  }

  /** @throws {TypeError} When there is no place of that number. */
  get(number: number): NamedPlace {
    return this.#named[number] ??= this.#read(number);
  }

  #read(number: number): NamedPlace {
    const [city, state] = this.#lines[number]?.split("\t") ?? [];
    if (city === undefined || state === undefined) {
      throw new TypeError(`Cannot read search lists: there is no place ${number}`);
    }
    return { city, state, spelled: tokenize(city).join(""), code: state.toLowerCase() };
  }
}
