/**
 * Draws the queries of a run from all carriers, the same ones whatever their order.
 *
 * @module
 */

import { mix } from "../../pipeline/mix.ts";
import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import { hasOtherNames } from "../synthetic/names.ts";
import type { BenchSnapshot } from "./harness.ts";
import type { BenchCarrier } from "./search_engine.ts";
import { isTwin, KINDS, type KnownItem, makeQuery, twinIndexes } from "./search_queries.ts";
import { fold, linesOf, STATE_NAMES } from "./search_text.ts";

/** Carriers that a `dropped_word` query fits at most: a page of answers can show them all. */
export const MOST_FITS = 10;
/** Of so many drawn there are enough that fit few. */
const OVERDRAWN = 30;

const UNIFORM_STREAM = 100;
const WEIGHTED_STREAM = 200;
const LINES_A_WRITE = 20_000;

/** The carriers of a snapshot, from a file of lines: reading a country's shards each time takes minutes. */
export async function keepCarriers(
  file: string,
  snapshot: BenchSnapshot,
): Promise<() => AsyncGenerator<BenchCarrier>> {
  if (!await Deno.stat(file).then(() => true, () => false)) {
    const out = await Deno.open(`${file}.part`, { write: true, create: true, truncate: true });
    const writer = out.writable.getWriter();
    let lines: string[] = [];
    const flush = () => writer.write(new TextEncoder().encode(lines.join("")));
    for await (const record of snapshot.records()) {
      if (lines.push(`${JSON.stringify(benchCarrier(record))}\n`) < LINES_A_WRITE) continue;
      await flush();
      lines = [];
    }
    await flush();
    await writer.close();
    await Deno.rename(`${file}.part`, file);
  }
  return async function* () {
    for await (const line of linesOf((await Deno.open(file)).readable)) yield JSON.parse(line);
  };
}

/** A carrier as engines are fed it. */
export function benchCarrier(record: CarrierRecord): BenchCarrier {
  const { dot, status, power_units, legal_name: name } = record;
  const { dba_name: dba = "", city = "", state = "" } = record;
  const states = [state, STATE_NAMES.get(state) ?? ""].map(fold).filter((it) => it !== "");
  const folded = { name: fold(name), dba: fold(dba), city: fold(city), states };
  return { dot, active: status === "A", units: power_units ?? 0, name, dba, city, state, folded };
}

/** A query with the USDOT numbers of every answer that is a hit. */
export interface BenchQuestion extends KnownItem {
  hits: number[];
}

/** Answers that count. */
export const DEPTH = 10;

/** The place of the first hit among the first ten, from 1; 0 when there is none. */
export function rankOf({ hits }: BenchQuestion, dots: readonly number[]): number {
  return dots.slice(0, DEPTH).findIndex((dot) => hits.includes(dot)) + 1;
}

/** How to draw. */
interface DrawOptions {
  perKind: number;
  seed: number;
  /** Draws from the carriers named by the second model, or from the others. */
  otherNames: boolean;
  /** Further queries, asked where the snapshot has their carriers. */
  typed?: readonly KnownItem[];
}

/**
 * Draws `perKind` queries of each kind: half by the fleet of active carriers, half with every carrier as
 * likely as any other. Fewer when fewer carriers have what the kind needs.
 */
export async function drawQuestions(
  carriers: () => AsyncIterable<BenchCarrier>,
  { perKind, seed, otherNames, typed = [] }: DrawOptions,
): Promise<BenchQuestion[]> {
  const kinds = KINDS.map((kind) => {
    const size = kind === "dropped_word" ? OVERDRAWN * perKind : perKind;
    return {
      kind,
      weighted: new Lowest<KnownItem>(size),
      uniform: new Lowest<KnownItem>(2 * size),
    };
  });
  const chance = (dot: number, stream: number): number =>
    (mix(seed, dot, stream) + 0.5) / 0x1_0000_0000;
  for await (const carrier of carriers()) {
    const { dot, active, units } = carrier;
    if (hasOtherNames(dot) !== otherNames) continue;
    kinds.forEach(({ kind, weighted, uniform }, at) => {
      const make = (): KnownItem | null => makeQuery(kind, carrier, seed);
      uniform.offer(chance(dot, UNIFORM_STREAM + at), make);
      if (!active || units === 0) return;
      // Efraimidis and Spirakis: the lowest -ln(u) / weight are a draw by weight without replacement.
      weighted.offer(-Math.log(chance(dot, WEIGHTED_STREAM + at)) / units, make);
    });
  }
  const drawn = kinds.map(({ weighted, uniform }) => [weighted.items(), uniform.items()] as const);
  const { hits, fits } = await findHits([...drawn.flat(2), ...typed], carriers());
  const questionOf = (item: KnownItem): BenchQuestion => ({ ...item, hits: hits.get(item)! });
  const questions = drawn.flatMap((halves) => {
    const [weighted, uniform] = halves.map((items) =>
      items.filter((item) => (fits.get(item) ?? 0) <= MOST_FITS)
    );
    const items = weighted!.slice(0, Math.ceil(perKind / 2));
    const taken = new Set(items.map(({ dot }) => dot));
    const others = uniform!.filter(({ dot }) => !taken.has(dot));
    return [...items, ...others.slice(0, perKind - items.length)].map(questionOf);
  });
  return [...questions, ...typed.map(questionOf).filter(({ hits }) => hits.length > 0)];
}

/**
 * The numbers of each query's carrier and its twins, ascending; for those that lack a word of the name the
 * carriers they fit: all words of the query are in one of the names, whatever else is there.
 */
async function findHits(
  items: readonly KnownItem[],
  carriers: AsyncIterable<BenchCarrier>,
): Promise<{ hits: Map<KnownItem, number[]>; fits: Map<KnownItem, number> }> {
  const hits = new Map(items.map((item) => [item, new Set(item.dot === 0 ? [] : [item.dot])]));
  const fits = new Map<KnownItem, number>();
  const byIndex = Map.groupBy(
    items.flatMap((item) => item.twins.map((twins) => ({ item, twins }))),
    ({ twins }) => twins.index,
  );
  const narrowed = items.filter(({ kind }) => kind === "dropped_word")
    .map((item) => ({ item, words: fold(item.query).split(" ") }));
  const used = Map.groupBy(narrowed.flatMap(({ words }) => words), (word) => word);
  const byWord = new Map<string, Set<typeof narrowed[number]>>();
  for (const each of narrowed) {
    const rarest = each.words.reduce((a, b) => used.get(b)!.length < used.get(a)!.length ? b : a);
    byWord.set(rarest, (byWord.get(rarest) ?? new Set()).add(each));
  }
  for await (const carrier of carriers) {
    const { name, dba } = carrier.folded;
    const names = dba === "" ? [name] : [name, dba];
    for (const name of names) {
      for (const { item, twins } of twinIndexes(name).flatMap((at) => byIndex.get(at) ?? [])) {
        if (isTwin(twins, name, carrier)) hits.get(item)!.add(carrier.dot);
      }
    }
    const words = names.map((name) => name.split(" "));
    for (const word of new Set(words.flat())) {
      const candidates = byWord.get(word) ?? new Set();
      for (const each of candidates) {
        if (!words.some((name) => each.words.every((word) => name.includes(word)))) continue;
        fits.set(each.item, (fits.get(each.item) ?? 0) + 1);
        if (fits.get(each.item)! > MOST_FITS) candidates.delete(each);
      }
    }
  }
  const ascending = [...hits].map(([item, dots]) =>
    [item, [...dots].sort((a, b) => a - b)] as const
  );
  return { hits: new Map(ascending), fits };
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
