/**
 * Assigns consecutive numbers to distinct strings.
 *
 * @module
 */

import { fnv1a } from "./mix.ts";

/**
 * A hash table from strings to numbers. With millions of new strings, a `Map` takes five times as long, because V8
 * internalizes every string that is looked up in it.
 */
export class TextIds {
  /** The strings by number. */
  readonly texts: string[] = [];
  /** Pairs of a string's number plus 1 and its hash, with linear probing. 0 marks a free slot. */
  #slots = new Int32Array(1 << 8);

  of(text: string): number {
    const sum = fnv1a(text);
    const hash = sum ^ (sum >>> 15);
    const slots = this.#slots;
    let slot = this.#first(hash);
    for (; slots[slot] !== 0; slot = this.#next(slot)) {
      const id = slots[slot]! - 1;
      if (slots[slot + 1] === hash && this.texts[id] === text) return id;
    }
    slots[slot] = this.texts.push(text);
    slots[slot + 1] = hash;
    if (4 * this.texts.length > slots.length) this.#grow();
    return this.texts.length - 1;
  }

  #first(hash: number): number {
    return 2 * hash & (this.#slots.length - 1);
  }

  #next(slot: number): number {
    return slot + 2 & (this.#slots.length - 1);
  }

  #grow(): void {
    const from = this.#slots;
    const slots = this.#slots = new Int32Array(2 * from.length);
    for (let i = 0; i < from.length; i += 2) {
      if (from[i] === 0) continue;
      let slot = this.#first(from[i + 1]!);
      while (slots[slot] !== 0) slot = this.#next(slot);
      slots[slot] = from[i]!;
      slots[slot + 1] = from[i + 1]!;
    }
  }
}
