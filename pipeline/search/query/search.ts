/**
 * Search over an index of static files: from a query to the carriers it means. Web APIs only.
 *
 * @module
 */

import { concat } from "../../concat.ts";
import type { CarrierRecord } from "../../snapshot/record.ts";
import { SharedCache } from "../../snapshot/shared_cache.ts";
import { NameFilter } from "../shared/bloom_filter.ts";
import { listsPath, NAMES_PATH, type SearchManifest, TERMS_PATH } from "../shared/layout.ts";
import { ListFile, type ListRows } from "../shared/lists_file.ts";
import {
  type Guess,
  type GuessIndex,
  type Option,
  plainGuesses,
  typoGuesses,
} from "./candidates.ts";
import { Dictionary } from "./dictionary.ts";
import { type ListRef, NARROW, partLists, WIDE } from "./planner.ts";
import { checkQuery, numberIntents, type Query, readQuery } from "./query.ts";
import { bestOf, type Ranked, Ranker } from "./ranker.ts";

/** How to search. */
export interface SearchOptions {
  /** Results at most. */
  limit: number;
  explain?: boolean;
  signal?: AbortSignal;
}

/** Looks up numbers; a snapshot does. */
export interface NumberLookup {
  carrier(dot: number): Promise<CarrierRecord | null>;
  docket(prefix: string, number: number): Promise<number[]>;
}

/** Options of {@link CarrierSearch}. */
export interface CarrierSearchOptions {
  /** Bytes of lists to hold, about. @default {67108864} */
  cacheBytes?: number;
  /** Without it a number finds nothing but names it is in. */
  numbers?: NumberLookup;
}

type LoadedIndex = Omit<GuessIndex, "corrected">;

interface Found {
  ranked: Ranked[];
  /** The first has all that was asked for, but for typos. */
  whole: boolean;
}

const CACHE_BYTES = 64 * 1024 * 1024;
const MAX_PLAIN = 5;
const MAX_TYPO = 6;

/** The index of one snapshot. Loads its dictionary on the first search, once. */
export class CarrierSearch {
  readonly #files: (path: string) => Promise<Uint8Array<ArrayBuffer>>;
  readonly #manifest: SearchManifest;
  readonly #numbers: NumberLookup | undefined;
  readonly #cache: SharedCache<ListFile>;
  #index: Promise<LoadedIndex> | undefined;

  /** @param files Reads a file by its path below the snapshot. */
  constructor(
    files: (path: string) => Promise<Uint8Array<ArrayBuffer>>,
    manifest: SearchManifest,
    { cacheBytes = CACHE_BYTES, numbers }: CarrierSearchOptions = {},
  ) {
    this.#files = files;
    this.#manifest = manifest;
    this.#numbers = numbers;
    this.#cache = new SharedCache(cacheBytes);
  }

  /**
   * Finds carriers, the likeliest first.
   *
   * @throws {RangeError} For a query under 2 or over 200 characters, or over 12 words.
   */
  async search(query: string, options: SearchOptions): Promise<SearchResult[]> {
    checkQuery(query);
    const results = await this.#byNumber(query);
    if (results.length < options.limit) {
      const dots = new Set(results.map(({ dot }) => dot));
      for (const ranked of await this.#byWords(query, options)) {
        if (!dots.has(ranked.entry.dot)) results.push(toResult(ranked, options.explain ?? false));
      }
    }
    return results.slice(0, options.limit);
  }

  async #byNumber(query: string): Promise<SearchResult[]> {
    const numbers = this.#numbers;
    if (numbers === undefined) return [];
    const found = await Promise.all(
      numberIntents(query).map(async ({ prefix, number }) => {
        const dots = prefix === "USDOT" ? [number] : await numbers.docket(prefix, number);
        return await Promise.all(dots.map((dot) => numbers.carrier(dot)));
      }),
    );
    const byDot = new Map(found.flat().filter((it) => it !== null).map((it) => [it.dot, it]));
    return [...byDot.values()].map(fromRecord);
  }

  async #byWords(text: string, { limit, signal }: SearchOptions): Promise<Ranked[]> {
    const index = { ...await this.#load(), corrected: new Map<string, Option[]>() };
    signal?.throwIfAborted();
    const query = readQuery(text, index.dictionary);
    if (query.words.length === 0) return [];
    const weigh = weigher(query, index, this.#manifest);
    const options: Option[] = [];
    const lists: ListRows[] = [];
    const look = async (refs: readonly ListRef[], more: readonly Option[]): Promise<Found> => {
      signal?.throwIfAborted();
      options.push(...more);
      lists.push(...await this.#read(refs));
      const ranker = new Ranker(query, { options, weigh });
      const ranked = bestOf(lists, { ranker, limit });
      return { ranked, whole: ranked.length > 0 && ranker.isWhole(ranked[0]!.criteria) };
    };
    const plain = plainGuesses(query, index, MAX_PLAIN);
    let found = await look(plain.map(guessRef), optionsOf(plain));
    if (!found.whole) {
      const typos = typoGuesses(query, index, MAX_TYPO);
      if (typos.length > 0) found = await look(typos.map(guessRef), optionsOf(typos));
    }
    if (!found.whole || found.ranked.length < limit || isOutdone(found, query, index)) {
      const parts = partLists(query, index, found.whole ? NARROW : WIDE);
      found = await look(parts.lists, parts.options);
    }
    return found.ranked;
  }

  async #read(refs: readonly ListRef[]): Promise<ListRows[]> {
    const lists = await Promise.all(refs.map(async ({ path, key }) => {
      const file = await this.#cache.get(path, async () => {
        const file = new ListFile(await unpack(await this.#files(path)));
        return { value: file, bytes: file.size };
      });
      return file.list(key) ?? [];
    }));
    return lists.flat();
  }

  #load(): Promise<LoadedIndex> {
    return this.#index ??= this.#loadIndex().catch((error) => {
      this.#index = undefined;
      throw error;
    });
  }

  async #loadIndex(): Promise<LoadedIndex> {
    const [terms, names] = await Promise.all([this.#files(TERMS_PATH), this.#files(NAMES_PATH)]);
    return {
      dictionary: new Dictionary(await unpack(terms), this.#manifest.rare),
      names: new NameFilter(names),
      buckets: this.#manifest.buckets,
    };
  }
}

/** Whether a longer name that has the words as they were typed may go before the first found. */
function isOutdone({ ranked }: Found, { words }: Query, { dictionary }: LoadedIndex): boolean {
  return ranked[0]!.criteria.typos > 0 && words.every((word) => dictionary.find(word) >= 0);
}

function guessRef({ list }: Guess): ListRef {
  return { path: listsPath(list.bucket), key: list.key };
}

function optionsOf(guesses: readonly Guess[]): Option[] {
  return guesses.flatMap(({ options }) => options);
}

/** A word weighs more the fewer carriers have it; one that nobody has weighs as one of a rare word. */
function weigher(
  query: Query,
  { dictionary }: LoadedIndex,
  manifest: SearchManifest,
): (word: string) => number {
  const weights = new Map(query.words.map((word) => {
    const count = Math.max(dictionary.count(dictionary.find(word)), manifest.rare / 4);
    return [word, Math.max(0.1, Math.log2((manifest.carriers + 1) / count))];
  }));
  return (word) => weights.get(word) ?? 0;
}

/** A carrier found. */
export interface SearchResult {
  dot: number;
  name: string;
  dba_name?: string;
  city?: string;
  state?: string;
  power_units?: number;
  active: boolean;
  /** What ranked it; unstable. */
  explain?: Record<string, unknown>;
}

/** What a search tells of a carrier found by words. */
export function toResult({ entry, criteria }: Ranked, explain: boolean): SearchResult {
  return {
    dot: entry.dot,
    name: entry.name,
    ...(entry.dba === "" ? {} : { dba_name: entry.dba }),
    ...(entry.city === "" ? {} : { city: entry.city }),
    ...(entry.state === "" ? {} : { state: entry.state }),
    ...(entry.powerUnits < 0 ? {} : { power_units: entry.powerUnits }),
    active: entry.active,
    ...(explain ? { explain: { ...criteria } } : {}),
  };
}

/** What a search tells of a carrier found by number. */
export function fromRecord(record: CarrierRecord): SearchResult {
  const { dot, legal_name, dba_name, city, state, power_units } = record;
  return {
    dot,
    name: legal_name || (dba_name ?? ""),
    ...(legal_name === "" || dba_name === undefined ? {} : { dba_name }),
    ...(city === undefined ? {} : { city }),
    ...(state === undefined ? {} : { state }),
    ...(power_units === undefined ? {} : { power_units }),
    active: record.status === "A",
    explain: { number: true },
  };
}

const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Unpacks gzip; bytes that some host unpacked on the way are given back as they are.
 *
 * @throws {TypeError} When the stream is damaged.
 * @throws {RangeError} When it unpacks to more than any file of an index holds.
 */
export async function unpack(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (
    const chunk of new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))
  ) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new RangeError("Cannot unpack search file: it is too large");
    chunks.push(chunk);
  }
  return concat(chunks, length);
}
