/**
 * The package's main module: reads carriers from a snapshot on any static host, without the service. Loads
 * the code for search and rules on first use. Web APIs only.
 *
 * @module
 */

import "./missing_apis.ts";
import { httpSource } from "../../pipeline/snapshot/sources/http_source.ts";
import { NotKept, SnapshotReader, SnapshotUnavailable } from "../../pipeline/snapshot/reader.ts";
import type { Snapshot } from "../../pipeline/snapshot/reader.ts";
import type { CarrierRecord, LeftCarrier } from "../../pipeline/snapshot/record/record.ts";
import type { Source } from "../../pipeline/snapshot/source.ts";
import type { SearchHit } from "../../pipeline/search/query/search.ts";
import type { CheckedCarrier, GivenFields, MatchedFields } from "./rules.ts";

export { NotKept, SnapshotUnavailable };
export type { CarrierRecord, LeftCarrier, Source };

/** The snapshot that an answer comes from. */
export interface AnsweringSnapshot {
  id: string;
  /** Date of the census file, `YYYY-MM-DD`. */
  data_date: string;
  manifest_sha256: string;
  /** Present when some or all of the data is not FMCSA's. */
  notice?: string;
}

/** A search result. */
export type FoundCarrier = Omit<SearchHit, "explain">;

export interface DayOption {
  /** Answers from the snapshot with the newest data date on or before this day, `YYYY-MM-DD`. */
  asOf?: string | undefined;
}

/** Options of `check` and `match`. */
export interface RulesOptions extends DayOption {
  /** Day to run the checks for, `YYYY-MM-DD`. @default {asOf, or else today in New York} */
  today?: string | undefined;
}

/**
 * Opens the snapshots at an http(s) URL, or from your own source. Reads nothing until the first call.
 *
 * @throws {TypeError} When the address is not a plain http(s) URL.
 */
export function openCarriers(from: string | Source): Carriers {
  return new Carriers(
    typeof from === "string" ? httpSource(from, { fetch: (url, init) => fetch(url, init) }) : from,
  );
}

/**
 * The carriers of a root's current snapshot, or of a past one.
 *
 * Methods reject with {@link SnapshotUnavailable} or {@link NotKept}.
 */
export class Carriers {
  readonly #reader: SnapshotReader;

  constructor(source: Source) {
    this.#reader = new SnapshotReader(source);
  }

  /** The record of a USDOT number, or what is left of one that is no longer in the census; null if there is neither. */
  carrier(
    dot: number,
    { asOf }: DayOption = {},
  ): Promise<{ snapshot: AnsweringSnapshot; carrier: CarrierRecord | LeftCarrier | null }> {
    return this.#answer(asOf, async (snapshot) => ({ carrier: await snapshot.find(dot) }));
  }

  /** The USDOT numbers, usually one, that list a docket such as `MC` 143229. */
  docket(
    prefix: "MC" | "MX" | "FF",
    number: number,
    { asOf }: DayOption = {},
  ): Promise<{ snapshot: AnsweringSnapshot; dots: number[] }> {
    return this.#answer(
      asOf,
      async (snapshot) => ({ dots: await snapshot.docket(prefix, number) }),
    );
  }

  /**
   * Finds carriers by name, and by city or state if the query has one, best match first. The results are null
   * when the snapshot has no search index.
   *
   * @throws {RangeError} When the query has fewer than 2 or more than 200 characters, or more than 12 words.
   */
  search(
    query: string,
    { asOf, limit = 10 }: DayOption & { limit?: number } = {},
  ): Promise<{ snapshot: AnsweringSnapshot; results: FoundCarrier[] | null }> {
    return this.#answer(asOf, async (snapshot) => {
      const { searchSnapshot } = await import("../../pipeline/search/query/search.ts");
      return { results: await searchSnapshot(snapshot, query, { limit }) };
    });
  }

  /** The carrier as the API returns it, with verdict, findings and six checks; null if it is not in the census. */
  check(
    dot: number,
    options: RulesOptions = {},
  ): Promise<{ snapshot: AnsweringSnapshot; carrier: CheckedCarrier | null }> {
    return this.#answer(options.asOf, async (snapshot) => {
      const { checkCarrier } = await import("./rules.ts");
      return { carrier: await checkCarrier(snapshot, { dot, ...options }) };
    });
  }

  /** Compares a name, place, phone and docket with what a carrier filed; null if it is not in the census. */
  match(
    dot: number,
    given: GivenFields,
    options: RulesOptions = {},
  ): Promise<{ snapshot: AnsweringSnapshot; match: MatchedFields | null }> {
    return this.#answer(options.asOf, async (snapshot) => {
      const { matchCarrierFields } = await import("./rules.ts");
      return { match: await matchCarrierFields(snapshot, { dot, given, ...options }) };
    });
  }

  async #answer<T extends object>(
    asOf: string | undefined,
    work: (snapshot: Snapshot) => Promise<T>,
  ): Promise<T & { snapshot: AnsweringSnapshot }> {
    const answer = async (snapshot: Snapshot) => {
      const { id, manifestSha256: manifest_sha256, manifest: { data_date, notice } } = snapshot;
      const named = { id, data_date, manifest_sha256, ...notice !== undefined && { notice } };
      return { ...await work(snapshot), snapshot: named };
    };
    return asOf === undefined
      ? await this.#reader.use(answer)
      : await this.#reader.useAsOf(asOf, answer);
  }
}
