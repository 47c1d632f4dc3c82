/**
 * The package's main module: carriers of a snapshot on any static host, without a service. Search and rules
 * are loaded when they are first asked for. Web APIs only.
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

/** The snapshot that an answer is from. */
export interface AnsweringSnapshot {
  id: string;
  /** Date of the census file, `YYYY-MM-DD`. */
  data_date: string;
  manifest_sha256: string;
  /** Present when the data is not, or not only, FMCSA's. */
  notice?: string;
}

/** A carrier that a search found. */
export type FoundCarrier = Omit<SearchHit, "explain">;

export interface DayOption {
  /** Answers from the snapshot of a past day, `YYYY-MM-DD`. */
  asOf?: string | undefined;
}

/** Day of an answer of the rules. */
export interface RulesOptions extends DayOption {
  /** The day of the checks, `YYYY-MM-DD`: by default `asOf`, or the day in New York. */
  today?: string | undefined;
}

/**
 * Opens the snapshots at an http(s) address, or from a source of your own. Reads nothing yet.
 *
 * @throws {TypeError} When the address is not a plain http(s) URL.
 */
export function openCarriers(from: string | Source): Carriers {
  return new Carriers(
    typeof from === "string" ? httpSource(from, { fetch: (url, init) => fetch(url, init) }) : from,
  );
}

/** Carriers of the current snapshot of a root, or of past ones. Methods throw {@link SnapshotUnavailable} and {@link NotKept}. */
export class Carriers {
  readonly #reader: SnapshotReader;

  constructor(source: Source) {
    this.#reader = new SnapshotReader(source);
  }

  /** The record of a USDOT number, or what is kept of a carrier that left; null when there is neither. */
  carrier(
    dot: number,
    { asOf }: DayOption = {},
  ): Promise<{ snapshot: AnsweringSnapshot; carrier: CarrierRecord | LeftCarrier | null }> {
    return this.#answer(asOf, async (snapshot) => ({ carrier: await snapshot.find(dot) }));
  }

  /** USDOT numbers that list a docket such as `MC` 143229; often one. */
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
   * Carriers by name, with a city or state if given, the likeliest first. Null when the snapshot has no index.
   *
   * @throws {RangeError} For a query under 2 or over 200 characters, or over 12 words.
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

  /** The carrier with verdict, findings and six checks, as the API has it; null when the census has none. */
  check(
    dot: number,
    options: RulesOptions = {},
  ): Promise<{ snapshot: AnsweringSnapshot; carrier: CheckedCarrier | null }> {
    return this.#answer(options.asOf, async (snapshot) => {
      const { checkCarrier } = await import("./rules.ts");
      return { carrier: await checkCarrier(snapshot, { dot, ...options }) };
    });
  }

  /** Compares a name, place, phone and docket with a carrier; null when the census has none. */
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
