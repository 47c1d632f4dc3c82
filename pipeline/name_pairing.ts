/**
 * Which words of one name stand for which words of another.
 *
 * @module
 */

import type { NameWord } from "./name_words.ts";
import { isOrdinary } from "./spelling.ts";

/** Words of the given name, and what the filed one has in their place; one of them may be empty. */
export interface Difference {
  given: readonly NameWord[];
  filed: readonly NameWord[];
}

/** Names that one word of initials stands for at most. */
const MAX_INITIALS = 3;

/** In place of a place: of a word that is paired with none, and of one paired together with others. */
const NOWHERE = -1;
const TOGETHER = -2;

/** Which words of two names are the same. */
export class Pairing {
  readonly #given: readonly NameWord[];
  readonly #filed: readonly NameWord[];
  /** The place in the filed name for each given word, {@link NOWHERE} or {@link TOGETHER}. */
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

  /** Pairs the words left that pass a test, the ones at the same place first. */
  pair(isSame: (given: NameWord, filed: NameWord) => boolean): Difference[] {
    const { given, filed } = this.left();
    const pairs: Difference[] = [];
    const free = new Set(filed);
    for (const [at, word] of given.entries()) {
      const beside = filed[at];
      const other = beside !== undefined && free.has(beside) && isSame(word, beside)
        ? beside
        : filed.find((one) => free.has(one) && isSame(word, one));
      if (other === undefined) continue;
      free.delete(other);
      pairs.push({ given: [word], filed: [other] });
    }
    for (const { given, filed } of pairs) this.#take(given, filed);
    return pairs;
  }

  /** Takes all words left when they differ in spaces only. */
  pairJoined(): Difference[] {
    const left = this.left();
    const [a, b] = [left.given, left.filed].map(joinedText);
    if (a === "" || a !== b) return [];
    this.#take(left.given, left.filed);
    return [{ given: [asOneWord(left.given)], filed: [asOneWord(left.filed)] }];
  }

  /**
   * Takes initials of names on either side: J GARCIA for JOSE GARCIA, JL for JOSE LUIS. A word that tells
   * the company must be the same, and the name must be no ordinary word: B RIVER is not BLUE RIVER.
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

/** The letters of words without spaces, which still part numbers. */
function joinedText(words: readonly NameWord[]): string {
  return words.map(({ text }) => text).join(" ").replace(/(?<!\d) | (?!\d)/g, "");
}

function asOneWord(words: readonly NameWord[]): NameWord {
  return { ...words[0]!, raw: words.map(({ raw }) => raw).join(" ") };
}
