/**
 * Draws the queries of a run from all carriers, the same ones whatever their order.
 *
 * @module
 */

import { mix } from "../../pipeline/mix.ts";
import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import {
  isTwin,
  KINDS,
  type KnownItem,
  makeQuery,
  nameKey,
  type QueryKind,
} from "./search_queries.ts";
import { hasOtherNames } from "../synthetic/other_names.ts";
import { fold } from "./search_text.ts";

/** A query with the USDOT numbers of every answer that is a hit. */
export interface BenchQuestion extends KnownItem {
  hits: number[];
}

/** How to draw. */
interface PickOptions {
  perKind: number;
  seed: number;
  /** Draws from the carriers named by the second model, or from the others. */
  otherNames: boolean;
}

/** Carriers that a query of {@link NARROWED} fits at most: a page of answers can show them all. */
export const MOST_FITS = 10;

/** A name that lost a word is often the beginning of hundreds of others: no engine can know which was meant. */
const NARROWED: ReadonlySet<QueryKind> = new Set(["dropped_word"]);
/** Kinds that compare names in different ways. */
const KEYED: readonly QueryKind[] = ["exact", "no_suffix", "first_word_city"];
/** Of so many drawn there are enough that fit few. */
const OVERDRAWN = 30;

const UNIFORM_STREAM = 100;
const WEIGHTED_STREAM = 200;

/**
 * Draws `perKind` queries of each kind: half by the fleet of active carriers, half with every carrier as
 * likely as any other. Fewer when fewer carriers have what the kind needs.
 *
 * @param records Reads all carriers; called twice.
 */
export async function pickItems(
  records: () => AsyncIterable<CarrierRecord>,
  { perKind, seed, otherNames }: PickOptions,
): Promise<KnownItem[]> {
  const kinds = KINDS.map((kind) => {
    const size = NARROWED.has(kind) ? OVERDRAWN * perKind : perKind;
    return {
      kind,
      weighted: new Lowest<KnownItem>(size),
      uniform: new Lowest<KnownItem>(2 * size),
    };
  });
  for await (const record of records()) {
    if (hasOtherNames(record.dot) !== otherNames) continue;
    const fleet = record.status === "A" ? record.power_units ?? 0 : 0;
    kinds.forEach(({ kind, weighted, uniform }, at) => {
      const make = (): KnownItem | null => makeQuery(kind, record, { seed });
      uniform.offer(chance(seed, record.dot, UNIFORM_STREAM + at), make);
      if (fleet === 0) return;
      // Efraimidis and Spirakis: the lowest -ln(u) / weight are a draw by weight without replacement.
      weighted.offer(-Math.log(chance(seed, record.dot, WEIGHTED_STREAM + at)) / fleet, make);
    });
  }
  const drawn = kinds.flatMap(({ kind, weighted, uniform }) =>
    NARROWED.has(kind) ? [...weighted.items(), ...uniform.items()] : []
  );
  const few = await fittingFew(drawn, { records: records(), limit: MOST_FITS });
  const isKept = (item: KnownItem): boolean => !NARROWED.has(item.kind) || few.has(item);
  return kinds.flatMap(({ weighted, uniform }) => {
    const items = weighted.items().filter(isKept).slice(0, Math.ceil(perKind / 2));
    const taken = new Set(items.map(({ dot }) => dot));
    const others = uniform.items().filter((item) => isKept(item) && !taken.has(item.dot));
    return [...items, ...others.slice(0, perKind - items.length)];
  });
}

/** Adds to each query the numbers of its carrier and that carrier's twins, ascending. */
export async function findTwins(
  items: readonly KnownItem[],
  records: AsyncIterable<CarrierRecord>,
): Promise<BenchQuestion[]> {
  const questions: BenchQuestion[] = items.map((item) => ({ ...item, hits: [] }));
  const byName = new Map<string, BenchQuestion[]>();
  const byDot = new Map<number, BenchQuestion[]>();
  for (const question of questions) {
    append(byDot, question.dot, question);
    if (question.kind !== "dot") append(byName, question.name, question);
  }
  for await (const record of records) {
    const names = [record.legal_name, record.dba_name ?? ""];
    const keys = names.flatMap((name) => KEYED.map((kind) => nameKey(kind, name)));
    const near = new Set(byDot.get(record.dot));
    for (const key of keys) byName.get(key)?.forEach((question) => near.add(question));
    for (const question of near) {
      if (isTwin(question, record)) question.hits.push(record.dot);
    }
  }
  for (const { hits } of questions) hits.sort((a, b) => a - b);
  return questions;
}

/** The items of the lowest scores offered, at most `size`. */
class Lowest<T> {
  readonly #size: number;
  #kept: { score: number; item: T }[] = [];
  #bound = Infinity;

  constructor(size: number) {
    this.#size = size;
  }

  /** Makes the item only when its score is low enough to be kept; null is skipped. */
  offer(score: number, make: () => T | null): void {
    if (score >= this.#bound) return;
    const item = make();
    if (item === null) return;
    this.#kept.push({ score, item });
    // Sorted now and then: an insertion into the middle each time costs more.
    if (this.#kept.length >= 2 * this.#size) this.#cut();
  }

  /** By score, ascending. */
  items(): T[] {
    this.#cut();
    return this.#kept.map(({ item }) => item);
  }

  #cut(): void {
    this.#kept.sort((a, b) => a.score - b.score);
    this.#kept.length = Math.min(this.#kept.length, this.#size);
    if (this.#kept.length === this.#size) this.#bound = this.#kept.at(-1)!.score;
  }
}

function chance(seed: number, dot: number, stream: number): number {
  return (mix(seed, dot, stream) + 0.5) / 0x1_0000_0000;
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

interface Counted {
  item: KnownItem;
  words: string[];
  fits: number;
}

/**
 * The queries that at most `limit` carriers fit: all words of the query, folded, are in the legal name or
 * all are in the DBA, whatever the order and whatever else is there.
 */
async function fittingFew(
  items: readonly KnownItem[],
  { records, limit }: { records: AsyncIterable<CarrierRecord>; limit: number },
): Promise<Set<KnownItem>> {
  const few = new Set(items);
  const byWord = new Map<string, Set<Counted>>();
  for (const item of items) {
    const words = fold(item.query).split(" ");
    const longest = words.reduce((a, b) => b.length > a.length ? b : a);
    const counted = byWord.get(longest) ?? new Set();
    byWord.set(longest, counted.add({ item, words, fits: 0 }));
  }
  for await (const { legal_name, dba_name } of records) {
    const names = [legal_name, dba_name ?? ""].map((name) => new Set(fold(name).split(" ")));
    for (const word of names[0]!.union(names[1]!)) {
      const candidates = byWord.get(word);
      if (candidates === undefined) continue;
      for (const counted of candidates) {
        if (!names.some((name) => counted.words.every((each) => name.has(each)))) continue;
        if (++counted.fits <= limit) continue;
        few.delete(counted.item);
        candidates.delete(counted);
      }
    }
  }
  return few;
}
