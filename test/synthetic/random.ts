/**
 * Random numbers that are the same on every machine: sfc32 seeded from whole numbers, and draws that
 * use only + - * / (engines may differ in the last bit of `Math.log`).
 *
 * @module
 */

import { mix } from "../../pipeline/mix.ts";

const TABLE_BITS = 14;

/** The sfc32 generator (Chris Doty-Humphrey, PractRand), restarted for each row by {@link Random.restart}. */
export class Random {
  #a = 0;
  #b = 0;
  #c = 0;
  #d = 0;

  /** Starts the sequence that belongs to (seed, key, stream). */
  restart(seed: number, key: number, stream: number): this {
    this.#a = seed | 0;
    this.#b = key | 0;
    this.#c = mix(seed, key, stream) | 0;
    this.#d = 1 + stream;
    for (let i = 0; i < 8; i++) this.next();
    return this;
  }

  /** A whole number from 0 to 2^32 - 1. */
  next(): number {
    const t = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + t) | 0;
    return t >>> 0;
  }

  /** A number from 0 to less than 1. */
  unit(): number {
    return this.next() / 0x1_0000_0000;
  }

  /** A whole number from 0 to less than `limit`. */
  below(limit: number): number {
    return Math.floor(this.unit() * limit);
  }

  /** One of the items, all equally likely. */
  one<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.unit() < probability;
  }
}

/** A weighted choice in constant time. Weights are rounded to 1/16384 and no item is left out. */
export class Choice<T> {
  readonly #items: readonly T[];
  readonly #table = new Uint16Array(1 << TABLE_BITS);

  constructor(weighted: readonly (readonly [item: T, weight: number])[]) {
    this.#items = weighted.map(([item]) => item);
    const total = weighted.reduce((sum, [, weight]) => sum + weight, 0);
    const spare = this.#table.length - weighted.length;
    let cumulative = 0;
    let from = 0;
    weighted.forEach(([, weight], position) => {
      cumulative += weight;
      const to = position + 1 + Math.round((spare * cumulative) / total);
      this.#table.fill(position, from, to);
      from = to;
    });
  }

  /** The item for a random number. */
  pick(random: Random): T {
    return this.#items[this.#table[random.next() >>> (32 - TABLE_BITS)]!]!;
  }
}

/** Items with Zipf weights 1 / (rank + flatness): the first is the most frequent. */
export function zipf<T>(items: readonly T[], flatness: number): Choice<T> {
  return new Choice(items.map((item, rank) => [item, 1 / (rank + 1 + flatness)] as const));
}

/** Knots (probability, value), probabilities ascending from 0 to 1. */
export type Quantiles = readonly (readonly [probability: number, value: number])[];

/** The value at a probability, interpolated linearly between the knots. */
export function quantile(knots: Quantiles, probability: number): number {
  let i = 1;
  while (i < knots.length - 1 && probability >= knots[i]![0]) i++;
  const [p0, v0] = knots[i - 1]!;
  const [p1, v1] = knots[i]!;
  return v0 + ((v1 - v0) * (probability - p0)) / (p1 - p0);
}
