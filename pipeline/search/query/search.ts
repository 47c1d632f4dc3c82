/**
 * Search over an index of static files: from a query to the carriers it means. Web APIs only.
 *
 * @module
 */

import { messageOf } from "../../text.ts";
import { BrokenObject } from "../../snapshot/contents.ts";
import type { SearchManifest } from "../../snapshot/manifest.ts";
import type { Snapshot } from "../../snapshot/reader.ts";
import type { CarrierRecord } from "../../snapshot/record/record.ts";
import { gunzip } from "../../bytes.ts";
import { SharedCache } from "../../snapshot/shared_cache.ts";
import { NameFilter } from "../shared/bloom_filter.ts";
import { NAMES_PATH, PLACES_PATH, READABLE_SEARCH_FORMATS, TERMS_PATH } from "../shared/layout.ts";
import { type ListEntry, ListFile, type ListRows } from "../shared/lists_file.ts";
import { Places } from "../shared/places_file.ts";
import { contentWords, tokenize } from "../shared/tokenizer.ts";
import { bestEntries, type RankedEntry } from "./best_entries.ts";
import { Dictionary } from "./dictionary.ts";
import { Expander, type Expansion } from "./expander.ts";
import { FoundNames, type ListPlan, type ListRef, type LoadedIndex } from "./found_names.ts";
import { ListPlanner } from "./planner.ts";
import {
  BEFORE_A_PLACE,
  numberIntents,
  parseQuery,
  queryProblem,
  withNearCities,
} from "./query.ts";
import { Ranker } from "./ranker.ts";

export interface SearchOptions {
  /** Maximum number of results. */
  limit: number;
  explain?: boolean;
  /** Only names spelled like the query, which takes one round of fetches. */
  spelled?: boolean;
  signal?: AbortSignal;
}

/** A carrier found; what is not filed is null, blank or 0. */
export interface SearchHit {
  dot: number;
  name: string;
  dba_name: string | null;
  city: string;
  state: string;
  power_units: number;
  active: boolean;
  /** Words of the query that its names and place do not have in any spelling. */
  unmatched: string[];
  /** What ranked it; unstable. */
  explain?: Record<string, unknown>;
}

/** Looks up numbers; a snapshot does. */
type NumberLookup = Pick<Snapshot, "carrier" | "docket">;

interface CarrierSearchOptions {
  /** Limit on the estimated bytes of cached lists. @default {67108864} */
  cacheBytes?: number;
  /** Without it a number finds only names that contain it. */
  numbers?: NumberLookup;
}

// One search per snapshot, because each search loads its dictionary once, for all queries.
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
  mustBeQuery(query);
  return await withSearch(snapshot, (search) => search.search(query, options), options.signal);
}

/** The texts that may be the name of a carrier; the others certainly are not. Reads no list. */
export async function likelyNames(
  snapshot: Snapshot,
  texts: readonly string[],
): Promise<ReadonlySet<string>> {
  return await withSearch(snapshot, (search) => search.likelyNames(texts)) ?? new Set();
}

async function withSearch<T>(
  snapshot: Snapshot,
  work: (search: CarrierSearch) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | null> {
  const { search: manifest } = snapshot.manifest;
  if (manifest === undefined || !READABLE_SEARCH_FORMATS.includes(manifest.format)) return null;
  let search = SEARCHES.get(snapshot);
  if (search === undefined) {
    const read = (path: string) => snapshot.read(path);
    search = new CarrierSearch(read, manifest, {
      numbers: snapshot,
      ...(snapshot.listCacheBytes !== undefined && { cacheBytes: snapshot.listCacheBytes }),
    });
    SEARCHES.set(snapshot, search);
  }
  try {
    return await work(search);
  } catch (error) {
    if (error instanceof BrokenObject || signal?.aborted) throw error;
    throw new BrokenObject(`Cannot use the search index: ${messageOf(error)}`, { cause: error });
  }
}

const NOTHING: ListPlan = { lists: [], expansions: [] };

const CACHE_BYTES = 64 * 1024 * 1024;
const MAX_FILE_BYTES = 256 * 1024 * 1024;

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
    mustBeQuery(query);
    const { limit, explain = false } = options;
    const hits = (await this.#byNumber(query)).map((record) =>
      hitOf(entryOf(record), [], explain ? { number: true } : undefined)
    );
    if (hits.length < limit) {
      const dots = new Set(hits.map(({ dot }) => dot));
      const { words, ranked } = await this.#byWords(query, options);
      for (const { entry, criteria } of ranked) {
        if (dots.has(entry.dot)) continue;
        const unmatched = words.filter((word, k) =>
          (criteria.lacks & 1 << k) !== 0 && !BEFORE_A_PLACE.has(word)
        );
        hits.push(hitOf(entry, unmatched, explain ? { ...criteria } : undefined));
      }
    }
    return hits.slice(0, limit);
  }

  /** The texts whose words are, in some order, a name that the filter does not rule out. */
  async likelyNames(texts: readonly string[]): Promise<ReadonlySet<string>> {
    const index = await this.#load();
    const expander = new Expander(index.dictionary, undefined);
    return new Set(texts.filter((text) => {
      const found = new FoundNames(index, 1);
      found.tryWords(contentWords(tokenize(text)).map((word) => expander.exact(word)));
      return found.size > 0;
    }));
  }

  async #byNumber(query: string): Promise<CarrierRecord[]> {
    const numbers = this.#numbers;
    if (numbers === undefined) return [];
    const dots = await Promise.all(
      numberIntents(query).map(({ prefix, number }) =>
        prefix === "USDOT" ? [number] : numbers.docket(prefix, number)
      ),
    );
    const records = await Promise.all([...new Set(dots.flat())].map((dot) => numbers.carrier(dot)));
    return records.filter((record) => record !== null);
  }

  /** At most three rounds of fetches: names as typed, similar names, lists of parts and terms. */
  async #byWords(
    text: string,
    { limit, spelled, signal }: SearchOptions,
  ): Promise<{ words: string[]; ranked: RankedEntry[] }> {
    const index = await this.#load();
    signal?.throwIfAborted();
    const { dictionary, places } = index;
    let query = parseQuery(text, dictionary);
    const { words } = query;
    if (words.length === 0) return { words, ranked: [] };
    const planner = new ListPlanner(index, query);
    const weights = words.map((word) => dictionary.weight(word));
    const expansions: Expansion[] = [];
    const lists: ListRows[] = [];
    let ranked: RankedEntry[] = [];
    const scan = async (plan: ListPlan): Promise<void> => {
      signal?.throwIfAborted();
      expansions.push(...plan.expansions);
      lists.push(...await this.#readLists(plan.lists));
      const ranker = new Ranker(query, { expansions, weights, places });
      ranked = bestEntries(lists, { ranker, places, limit });
    };
    if (spelled) {
      await scan(planner.typed(query));
      return { words, ranked };
    }
    const known = planner.known(query);
    // Read with the first round but ranked last, because their contents do not show what else to read.
    const [knownLists] = await Promise.all([
      this.#readLists(known.lists),
      scan(planner.typed(query)),
    ]);
    const first = ranked[0]?.criteria;
    // The best name may have the same letters as the query with other spaces, and be the wrong one:
    // "balwinders singh".
    if (first?.missing !== 0 || first.exact > 0 && first.changed > 0) {
      query = withNearCities(query, dictionary);
      await scan(planner.similar(query));
    }
    const best = ranked[0]?.criteria;
    // A longer name with the words exactly as typed may rank before one that has them in another form.
    const isBest = best?.missing === 0 &&
      (best.exact > 0 || best.changed === 0 || !words.every((word) => dictionary.has(word)));
    const isFull = ranked[limit - 1]?.criteria.missing === 0;
    const longer = isBest && isFull ? NOTHING : planner.longer(query, isBest);
    const isKnown = (ref: ListRef): boolean =>
      known.lists.some(({ path, key }) => path === ref.path && key === ref.key);
    lists.push(...knownLists);
    expansions.push(...known.expansions);
    await scan({ ...longer, lists: longer.lists.filter((ref) => !isKnown(ref)) });
    return { words, ranked };
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
    const [terms, places, names] = await Promise.all([
      this.#readPacked(TERMS_PATH),
      this.#readPacked(PLACES_PATH),
      this.#read(NAMES_PATH),
    ]);
    return {
      dictionary: new Dictionary(terms, this.#manifest),
      places: new Places(places),
      names: new NameFilter(names),
      buckets: this.#manifest.buckets,
    };
  }

  async #readPacked(path: string): Promise<Uint8Array> {
    return await gunzip(await this.#read(path), MAX_FILE_BYTES);
  }
}

function mustBeQuery(query: string): void {
  const problem = queryProblem(query);
  if (problem !== undefined) throw new RangeError(problem);
}

function hitOf(
  entry: ListEntry,
  unmatched: string[],
  explained: Record<string, unknown> | undefined,
): SearchHit {
  return {
    ...entry,
    unmatched,
    dba_name: entry.dba_name || null,
    power_units: Math.max(0, entry.power_units),
    ...(explained === undefined ? {} : { explain: explained }),
  };
}

function entryOf({ legal_name, dba_name = "", status, ...record }: CarrierRecord): ListEntry {
  return {
    dot: record.dot,
    name: legal_name || dba_name,
    dba_name: legal_name === "" ? "" : dba_name,
    city: record.city ?? "",
    state: record.state ?? "",
    power_units: record.power_units ?? -1,
    active: status === "A",
  };
}
