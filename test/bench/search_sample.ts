/**
 * Draws the queries of a run from all carriers; the result doesn't depend on their order.
 *
 * @module
 */

import { mix } from "../../pipeline/mix.ts";
import { hasOtherNames } from "../synthetic/names.ts";
import type { BenchCarrier } from "./search_engine.ts";
import {
  keysOf,
  KIND_NAMES,
  KNOWN_KINDS,
  type KnownItem,
  makeQuery,
  meaningsOf,
} from "./search_queries.ts";
import { fold } from "./search_text.ts";

/** Number of answers that count. */
export const DEPTH = 10;

/** Maximum carriers that match a `dropped_word` query: a page of answers can show them all. */
export const MAX_FITS = 10;
/** Draws this many times more queries for kinds in which {@link isAnswerable} rejects many. */
const OVERSAMPLING = 30;

const UNIFORM_STREAM = 100;
const WEIGHTED_STREAM = 200;

/** A query with the USDOT numbers of every answer that is a hit, ascending. */
export interface BenchQuestion extends KnownItem {
  hits: number[];
  /** Carriers with all words of a `dropped_word` query in one of their names. */
  fits: number;
  /** Inspections of all carriers that a query for a known carrier may mean. */
  meant: number;
}

/** The rank of the first hit among the first ten, from 1; 0 when there is none. */
export function rankOf({ hits }: BenchQuestion, dots: readonly number[]): number {
  return dots.slice(0, DEPTH).findIndex((dot) => hits.includes(dot)) + 1;
}

/** How to draw. */
interface DrawOptions {
  perKind: number;
  seed: number;
  /** Whether to draw from the carriers named by the second model, or from the others. */
  otherNames: boolean;
  /** Additional queries, used if the snapshot has their carriers. */
  typed?: readonly KnownItem[];
}

/**
 * Draws `perKind` queries of each kind: half with fleet size as the weight, among active carriers, and half
 * uniformly, among all carriers. For {@link KNOWN_KINDS}, inspections are the weight for all. Returns fewer when
 * fewer carriers allow the kind.
 */
export async function drawQuestions(
  carriers: () => AsyncIterable<BenchCarrier>,
  { perKind, seed, otherNames, typed = [] }: DrawOptions,
): Promise<BenchQuestion[]> {
  const draws = KIND_NAMES.map((kind) => {
    const isKnown = KNOWN_KINDS.has(kind);
    const size = isKnown || kind === "dropped_word" ? OVERSAMPLING * perKind : perKind;
    return {
      kind,
      isKnown,
      weighted: new Lowest(size),
      uniform: new Lowest(2 * size),
    };
  });
  const chance = (dot: number, stream: number): number =>
    (mix(seed, dot, stream) + 0.5) / 0x1_0000_0000;
  for await (const carrier of carriers()) {
    const { dot, active, units, inspections } = carrier;
    if (hasOtherNames(dot) !== otherNames) continue;
    for (const [at, { kind, isKnown, weighted, uniform }] of draws.entries()) {
      const make = (): KnownItem | null => makeQuery(kind, carrier, seed);
      if (!isKnown) uniform.offer(chance(dot, UNIFORM_STREAM + at), make);
      const weight = isKnown ? inspections : active ? units : 0;
      if (weight === 0) continue;
      // Efraimidis and Spirakis: the lowest -ln(u) / weight are a weighted draw without replacement.
      weighted.offer(-Math.log(chance(dot, WEIGHTED_STREAM + at)) / weight, make);
    }
  }
  const drawn = draws.map(({ weighted, uniform }) => [weighted.items(), uniform.items()] as const);
  const typedQuestions = typed.map((item) => ({ ...item, ...UNCOUNTED, hits: [] }));
  await findHits([...drawn.flat(2), ...typedQuestions], carriers());
  const questions = drawn.flatMap((halves) => {
    const [weighted, uniform] = halves.map((all) => all.filter(isAnswerable));
    const items = weighted!.slice(0, weighted![0]?.known ? perKind : Math.ceil(perKind / 2));
    const taken = new Set(items.map(({ dot }) => dot));
    const others = uniform!.filter(({ dot }) => !taken.has(dot));
    return [...items, ...others.slice(0, perKind - items.length)];
  });
  return [...questions, ...typedQuestions.filter(({ hits }) => hits.length > 0)];
}

const UNCOUNTED = { fits: 0, meant: 0 };

/**
 * Whether the intended carrier can be expected in an answer: few carriers match, or it has at least half of the
 * inspections of all that the query may mean.
 */
function isAnswerable({ fits, meant, known }: BenchQuestion): boolean {
  return known === undefined ? fits <= MAX_FITS : meant <= 2 * known.inspections;
}

/** Fills in the hits of each query, and how many carriers match one with a dropped word. */
async function findHits(
  questions: readonly BenchQuestion[],
  carriers: AsyncIterable<BenchCarrier>,
): Promise<void> {
  const byKey = index(questions.flatMap((it) => it.keys.map((key) => [key, it])));
  const byMeaning = index(
    questions.flatMap((it) => it.known === undefined ? [] : [[it.known.meaning, it] as const]),
  );
  const narrowed = questions.filter(({ kind }) => kind === "dropped_word")
    .map((question) => ({ question, words: fold(question.query).split(" ") }));
  const used = index(narrowed.flatMap(({ words }) => words.map((word) => [word, words])));
  const byRarestWord = index(
    narrowed.map((
      it,
    ) => [it.words.toSorted((a, b) => used.get(a)!.size - used.get(b)!.size)[0]!, it]),
  );
  for await (const carrier of carriers) {
    const { name, dba } = carrier.folded;
    for (const question of new Set(keysOf(carrier).flatMap((key) => [...byKey.get(key) ?? []]))) {
      question.hits.push(carrier.dot);
    }
    for (const meaning of meaningsOf(carrier)) {
      for (const question of byMeaning.get(meaning) ?? []) question.meant += carrier.inspections;
    }
    const names = [name, dba].map((name) => name.split(" "));
    for (const word of new Set(names.flat())) {
      for (const { question, words } of byRarestWord.get(word) ?? []) {
        if (question.fits > MAX_FITS) continue;
        if (names.some((name) => words.every((word) => name.includes(word)))) question.fits++;
      }
    }
  }
}

function index<Value>(
  entries: readonly (readonly [key: string, Value])[],
): Map<string, Set<Value>> {
  const groups = Map.groupBy(entries, ([key]) => key);
  return new Map(groups.entries().map(([key, all]) => [key, new Set(all.map(([, it]) => it))]));
}

/** The items with the lowest scores, at most `size`. */
class Lowest {
  #kept: { score: number; item: BenchQuestion }[] = [];
  #bound = Infinity;

  constructor(readonly size: number) {}

  /** Makes the item only if its score is low enough; null is skipped. */
  offer(score: number, make: () => KnownItem | null): void {
    const item = score < this.#bound ? make() : null;
    if (item === null) return;
    this.#kept.push({ score, item: { ...item, ...UNCOUNTED, hits: [] } });
    // Sorted occasionally: inserting in order each time is slower.
    if (this.#kept.length >= 2 * this.size) this.#cut();
  }

  /** By score, ascending. */
  items(): BenchQuestion[] {
    this.#cut();
    return this.#kept.map(({ item }) => item);
  }

  #cut(): void {
    this.#kept.sort((a, b) => a.score - b.score);
    this.#kept.length = Math.min(this.#kept.length, this.size);
    if (this.#kept.length === this.size) this.#bound = this.#kept.at(-1)!.score;
  }
}
