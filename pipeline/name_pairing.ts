/**
 * Pairs the words of a given name with the words of a filed one.
 *
 * @module
 */

import type { NameWord } from "./name_words.ts";
import { isOrdinary } from "./spelling.ts";

/** Words of the given name, and the words that the filed name has instead. Either may be empty. */
export interface Difference {
  given: readonly NameWord[];
  filed: readonly NameWord[];
}

/** Maximum number of names that a word of initials can stand for. */
const MAX_INITIALS = 3;

/** Marks an unpaired word. */
const NOWHERE = -1;
/** Marks a word that is paired as part of a group. */
const TOGETHER = -2;

/** The pairs found so far between the words of two names. */
export class Pairing {
  readonly #given: readonly NameWord[];
  readonly #filed: readonly NameWord[];
  /** For each given word, its index in the filed name, {@link NOWHERE} or {@link TOGETHER}. */
  readonly #places: number[];
  readonly #taken: boolean[];

  constructor(given: readonly NameWord[], filed: readonly NameWord[]) {
    this.#given = given;
    this.#filed = filed;
    this.#places = given.map(() => NOWHERE);
    this.#taken = filed.map(() => false);
  }

  isAnyPaired(): boolean {
    return this.#taken.includes(true);
  }

  isInOrder(): boolean {
    const places = this.#places.filter((place) => place >= 0);
    return places.every((place, i) => i === 0 || place > places[i - 1]!);
  }

  left(): Difference {
    return {
      given: this.#given.filter((_, at) => this.#places[at] === NOWHERE),
      filed: this.#filed.filter((_, at) => !this.#taken[at]),
    };
  }

  /** Pairs unpaired words that pass a test. Prefers the word at the same index. */
  pair(isSame: (given: NameWord, filed: NameWord) => boolean): Difference[] {
    const { given, filed } = this.left();
    const pairs: Difference[] = [];
    const free = new Set(filed);
    for (const [at, word] of given.entries()) {
      const sameIndex = filed[at];
      const other = sameIndex !== undefined && free.has(sameIndex) && isSame(word, sameIndex)
        ? sameIndex
        : filed.find((one) => free.has(one) && isSame(word, one));
      if (other === undefined) continue;
      free.delete(other);
      pairs.push({ given: [word], filed: [other] });
    }
    for (const { given, filed } of pairs) this.#take(given, filed);
    return pairs;
  }

  /** Pairs all unpaired words as one group if they differ only in spaces. */
  pairJoined(): Difference[] {
    const left = this.left();
    const [a, b] = [left.given, left.filed].map(joinedText);
    if (a === "" || a !== b) return [];
    this.#take(left.given, left.filed);
    return [{ given: [asOneWord(left.given)], filed: [asOneWord(left.filed)] }];
  }

  /**
   * Pairs the unpaired words if one side is the initials of the other: J GARCIA and JOSE GARCIA, JL and JOSE LUIS.
   * The names must already share a distinctive word, and what the initials stand for must not be ordinary words:
   * B RIVER is not BLUE RIVER.
   */
  pairInitials(): Difference[] {
    const left = this.left();
    const { given, filed } = left;
    if (given.length === 0 || filed.length === 0 || !this.#sharesName()) return [];
    const isInitials = ([word, more]: readonly NameWord[], names: readonly NameWord[]): boolean =>
      word !== undefined && more === undefined && names.length <= MAX_INITIALS &&
      names.some(({ text }) => text.length > 2) &&
      names.every(({ text }) => !isOrdinary(text) && /^\p{L}+$/u.test(text)) &&
      word.text === names.map(({ text }) => text[0]).join("");
    if (!isInitials(given, filed) && !isInitials(filed, given)) return [];
    this.#take(given, filed);
    return [left];
  }

  #sharesName(): boolean {
    return this.#given.some(({ text }, at) =>
      this.#places[at] !== NOWHERE && text.length > 2 && !isOrdinary(text)
    );
  }

  #take(given: readonly NameWord[], filed: readonly NameWord[]): void {
    const one = given.length === 1 && filed.length === 1;
    for (const word of given) {
      this.#places[this.#given.indexOf(word)] = one ? this.#filed.indexOf(filed[0]!) : TOGETHER;
    }
    for (const word of filed) this.#taken[this.#filed.indexOf(word)] = true;
  }
}

/** The words joined without spaces, except a space between two digits. */
function joinedText(words: readonly NameWord[]): string {
  return words.map(({ text }) => text).join(" ").replace(/(?<!\d) | (?!\d)/g, "");
}

function asOneWord(words: readonly NameWord[]): NameWord {
  return { ...words[0]!, raw: words.map(({ raw }) => raw).join(" ") };
}
