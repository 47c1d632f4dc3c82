/**
 * Search over an index of static files: from a query to the carriers it means. Web APIs only.
 *
 * @module
 */

import { messageOf } from "../../text.ts";
import { BrokenObject } from "../../snapshot/contents.ts";
import type { SearchManifest } from "../../snapshot/manifest.ts";
import type { Snapshot } from "../../snapshot/reader.ts";
import type { CarrierRecord } from "../../snapshot/record.ts";
import { gunzip } from "../../bytes.ts";
import { SharedCache } from "../../snapshot/shared_cache.ts";
import { NameFilter } from "../shared/bloom_filter.ts";
import { listsPath, NAMES_PATH, SEARCH_FORMAT, TERMS_PATH } from "../shared/layout.ts";
import { ListFile, type ListRows } from "../shared/lists_file.ts";
import {
  type Expansion,
  type LoadedIndex,
  type NameCandidate,
  partialCandidates,
  plainCandidates,
  type QueryIndex,
  typoCandidates,
} from "./candidates.ts";
import { Dictionary } from "./dictionary.ts";
import { type ListRef, NARROW, planLists, WIDE } from "./planner.ts";
import {
  checkQuery,
  numberIntents,
  type ParsedQuery,
  parseQuery,
  withNearCities,
} from "./query.ts";
import { bestEntries, type RankedEntry, Ranker } from "./ranker.ts";

interface SearchOptions {
  /** Results at most. */
  limit: number;
  explain?: boolean;
  signal?: AbortSignal;
}

interface SearchHit {
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

/** Looks up numbers; a snapshot does. */
export type NumberLookup = Pick<Snapshot, "carrier" | "docket">;

interface CarrierSearchOptions {
  /** Bound of the estimated bytes of cached lists. @default {67108864} */
  cacheBytes?: number;
  /** Without it a number finds only names that contain it. */
  numbers?: NumberLookup;
}

// A search loads its dictionary once, so a snapshot has one for all its queries.
const SEARCHES = new WeakMap<Snapshot, CarrierSearch>();

/**
 * Finds carriers in a snapshot, the likeliest first.
 *
 * @returns Null when the snapshot has no index that this code can read.
 * @throws {RangeError} When the query is too short or too long.
 * @throws {BrokenObject} When the index cannot be read or is malformed.
 */
export async function searchSnapshot(
  snapshot: Snapshot,
  query: string,
  options: SearchOptions,
): Promise<SearchHit[] | null> {
  checkQuery(query);
  const { search: manifest } = snapshot.manifest;
  if (manifest?.format !== SEARCH_FORMAT) return null;
  let search = SEARCHES.get(snapshot);
  if (search === undefined) {
    const read = (path: string) => snapshot.read(path);
    search = new CarrierSearch(read, manifest, { numbers: snapshot });
    SEARCHES.set(snapshot, search);
  }
  try {
    return await search.search(query, options);
  } catch (error) {
    if (error instanceof BrokenObject || options.signal?.aborted) throw error;
    throw new BrokenObject(`Cannot use the search index: ${messageOf(error)}`, { cause: error });
  }
}

/** Carriers found so far. */
interface Found {
  ranked: RankedEntry[];
  /** The first has all that was asked for, except for typos. */
  whole: boolean;
}

const CACHE_BYTES = 64 * 1024 * 1024;
const MAX_FILE_BYTES = 256 * 1024 * 1024;
const MAX_PLAIN = 5;
const MAX_TYPO = 6;
const MAX_PARTIAL = 4;

/** The index of one snapshot. Loads its dictionary on the first search, once. */
export class CarrierSearch {
  readonly #read: (path: string) => Promise<Uint8Array<ArrayBuffer>>;
  readonly #manifest: SearchManifest;
  readonly #numbers: NumberLookup | undefined;
  readonly #cache: SharedCache<ListFile>;
  #index: Promise<LoadedIndex> | undefined;

  /** @param read Reads a file by its path below the snapshot. */
  constructor(
    read: (path: string) => Promise<Uint8Array<ArrayBuffer>>,
    manifest: SearchManifest,
    { cacheBytes = CACHE_BYTES, numbers }: CarrierSearchOptions = {},
  ) {
    this.#read = read;
    this.#manifest = manifest;
    this.#numbers = numbers;
    this.#cache = new SharedCache(cacheBytes);
  }

  /**
   * Finds carriers, the likeliest first.
   *
   * @throws {RangeError} For a query under 2 or over 200 characters, or over 12 words.
   */
  async search(query: string, options: SearchOptions): Promise<SearchHit[]> {
    checkQuery(query);
    const hits = await this.#byNumber(query);
    if (hits.length < options.limit) {
      const dots = new Set(hits.map(({ dot }) => dot));
      for (const ranked of await this.#byWords(query, options)) {
        if (!dots.has(ranked.entry.dot)) hits.push(hitOfEntry(ranked, options.explain ?? false));
      }
    }
    return hits.slice(0, options.limit);
  }

  async #byNumber(query: string): Promise<SearchHit[]> {
    const numbers = this.#numbers;
    if (numbers === undefined) return [];
    const found = await Promise.all(
      numberIntents(query).map(async ({ prefix, number }) => {
        const dots = prefix === "USDOT" ? [number] : await numbers.docket(prefix, number);
        return await Promise.all(dots.map((dot) => numbers.carrier(dot)));
      }),
    );
    const byDot = new Map(found.flat().filter((it) => it !== null).map((it) => [it.dot, it]));
    return [...byDot.values()].map(hitOfRecord);
  }

  /** At most three rounds of fetches: names as typed, corrected names, lists of parts and terms. */
  async #byWords(text: string, { limit, signal }: SearchOptions): Promise<RankedEntry[]> {
    const index: QueryIndex = { ...await this.#load(), corrected: new Map() };
    signal?.throwIfAborted();
    let query = parseQuery(text, index.dictionary);
    if (query.words.length === 0) return [];
    const weigh = weigher(query, index, this.#manifest);
    const expansions: Expansion[] = [];
    const lists: ListRows[] = [];
    const scan = async (refs: readonly ListRef[], more: readonly Expansion[]): Promise<Found> => {
      signal?.throwIfAborted();
      expansions.push(...more);
      lists.push(...await this.#readLists(refs));
      const ranker = new Ranker(query, { expansions, weigh });
      const ranked = bestEntries(lists, { ranker, limit });
      return { ranked, whole: ranked.length > 0 && ranker.isWhole(ranked[0]!.criteria) };
    };
    const scanNames = (names: readonly NameCandidate[]): Promise<Found> =>
      scan(
        names.map(({ list: { bucket, key } }) => ({ path: listsPath(bucket), key })),
        names.flatMap(({ expansions }) => expansions),
      );
    let found = await scanNames(plainCandidates(query, index, MAX_PLAIN));
    if (!found.whole) {
      query = withNearCities(query, index.dictionary);
      const names = typoCandidates(query, index, MAX_TYPO);
      const limit = names.length > 0 ? MAX_PARTIAL / 2 : MAX_PARTIAL;
      names.push(...partialCandidates(query, index, { limit, weigh }));
      if (names.length > 0) found = await scanNames(names);
    }
    if (!found.whole || found.ranked.length < limit || isOutdone(found, query, index)) {
      const plan = planLists(query, index, found.whole ? NARROW : WIDE);
      found = await scan(plan.lists, plan.expansions);
    }
    return found.ranked;
  }

  async #readLists(refs: readonly ListRef[]): Promise<ListRows[]> {
    const lists = await Promise.all(refs.map(async ({ path, key }) => {
      const file = await this.#cache.get(path, async () => {
        const file = new ListFile(await this.#readPacked(path));
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
    const [terms, names] = await Promise.all([
      this.#readPacked(TERMS_PATH),
      this.#read(NAMES_PATH),
    ]);
    return {
      dictionary: new Dictionary(terms, this.#manifest.rare),
      names: new NameFilter(names),
      buckets: this.#manifest.buckets,
    };
  }

  async #readPacked(path: string): Promise<Uint8Array> {
    return await gunzip(await this.#read(path), MAX_FILE_BYTES);
  }
}

/** Whether a longer name that has the words as they were typed may rank before the first found. */
function isOutdone(
  { ranked }: Found,
  { words }: ParsedQuery,
  { dictionary }: LoadedIndex,
): boolean {
  return ranked[0]!.criteria.typos > 0 && words.every((word) => dictionary.find(word) >= 0);
}

/** Inverse document frequency; a word that no carrier has weighs as much as a rare one. */
function weigher(
  query: ParsedQuery,
  { dictionary }: LoadedIndex,
  manifest: SearchManifest,
): (word: string) => number {
  const weights = new Map(query.words.map((word) => {
    const count = Math.max(dictionary.count(dictionary.find(word)), manifest.rare / 4);
    return [word, Math.max(0.1, Math.log2((manifest.carriers + 1) / count))];
  }));
  return (word) => weights.get(word) ?? 0;
}

function hitOfEntry({ entry, criteria }: RankedEntry, explain: boolean): SearchHit {
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

function hitOfRecord(record: CarrierRecord): SearchHit {
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
