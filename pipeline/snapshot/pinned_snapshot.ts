/**
 * One snapshot as it is read: shards fetched, decoded and shared. Web APIs only.
 *
 * @module
 */

import { messageOf } from "../text.ts";
import { SEARCH_FORMAT } from "../search/shared/layout.ts";
import { checkQuery } from "../search/query/query.ts";
import { CarrierSearch, type SearchOptions, type SearchResult } from "../search/query/search.ts";
import { hasShard, type Manifest, maxBytesOf, shardPath, snapshotPath } from "./manifest.ts";
import type { CarrierRecord } from "./record.ts";
import {
  type CarrierShard,
  decodeCarriers,
  decodeDockets,
  decodeText,
  type DocketShard,
  findCarrier,
  findDocket,
  isRecord,
  recordIn,
} from "./shards.ts";
import type { SharedCache } from "./shared_cache.ts";
import type { Source } from "./source.ts";
import { parseSums, sha256Hex } from "./contents.ts";

/** Names one snapshot for good, whatever becomes the current one. */
export interface SnapshotName {
  readonly id: string;
  /** SHA-256 of the manifest's bytes, hex. */
  readonly manifestSha256: string;
}

/** One snapshot, pinned: whatever is read through it comes from that snapshot only. */
export interface Snapshot extends SnapshotName {
  readonly manifest: Manifest;
  /** The record of a USDOT number, null when the census has none. */
  carrier(dot: number): Promise<CarrierRecord | null>;
  /** USDOT numbers that hold a docket such as `MC` 143229, in order of precedence; often one. */
  docket(prefix: string, number: number): Promise<number[]>;
  /**
   * Carriers that a query means, the likeliest first; null when the snapshot has no index.
   *
   * @throws {RangeError} When the query is too short or too long.
   */
  search(query: string, options: SearchOptions): Promise<SearchResult[] | null>;
  /** The bytes of an object beside the shards, as they were published. */
  file(name: keyof Manifest["files"]): Promise<Uint8Array<ArrayBuffer>>;
}

/** An object that the manifest promises could not be read. The reader handles it. */
export class BrokenObject extends Error {
  override readonly name = "BrokenObject";
}

type Shard = CarrierShard | DocketShard | string;
/** Shards held, by path. */
export type ShardCache = SharedCache<Shard>;
type Decode = typeof decodeCarriers | typeof decodeDockets | typeof decodeText;

/** What a {@link PinnedSnapshot} is made from. */
export interface SnapshotParts {
  manifest: Manifest;
  source: Source;
  cache: ShardCache;
  /** One record of a shard is wanted, seldom more: parse no more than is asked for. */
  sparse: boolean;
  /** Compare every object with its line of SHA256SUMS. */
  verify?: boolean;
}

// Parsed records take about three times their JSON text in V8.
const MEMORY_PER_TEXT_BYTE = 3;

/** A snapshot that throws {@link BrokenObject} when an object of it cannot be read. */
export class PinnedSnapshot implements Snapshot {
  readonly id: string;
  readonly manifestSha256: string;
  readonly manifest: Manifest;
  readonly #source: Source;
  readonly #cache: ShardCache;
  readonly #sparse: boolean;
  readonly #verify: boolean;
  #sums: Promise<Map<string, string>> | null = null;
  readonly #search: CarrierSearch | null;

  constructor(name: SnapshotName, parts: SnapshotParts) {
    this.id = name.id;
    this.manifestSha256 = name.manifestSha256;
    this.manifest = parts.manifest;
    this.#source = parts.source;
    this.#cache = parts.cache;
    this.#sparse = parts.sparse;
    this.#verify = parts.verify ?? false;
    const { search } = parts.manifest;
    this.#search = search?.format === SEARCH_FORMAT
      ? new CarrierSearch((path) => this.#read(path), search, { numbers: this })
      : null;
  }

  async carrier(dot: number): Promise<CarrierRecord | null> {
    const shard = await this.#shard("carriers", dot, this.#sparse ? decodeText : decodeCarriers);
    if (shard === null) return null;
    const found = typeof shard !== "string"
      ? findCarrier(shard as CarrierShard, dot)
      : recordIn(shard, dot) ?? findCarrier(await this.#parse(shard, dot), dot);
    if (found === null || isRecord(found)) return found;
    const path = shardPath("carriers", Math.floor(dot / this.manifest.families.carriers.width));
    throw new BrokenObject(`Cannot use "${path}" of "${this.id}": record ${dot} is malformed`);
  }

  async docket(prefix: string, number: number): Promise<number[]> {
    const shard = await this.#shard("dockets", number, decodeDockets);
    return shard === null ? [] : [...findDocket(shard as DocketShard, prefix, number)];
  }

  async search(query: string, options: SearchOptions): Promise<SearchResult[] | null> {
    checkQuery(query);
    if (this.#search === null) return null;
    try {
      return await this.#search.search(query, options);
    } catch (error) {
      if (error instanceof BrokenObject || options.signal?.aborted) throw error;
      throw new BrokenObject(`Cannot use the search index: ${messageOf(error)}`, { cause: error });
    }
  }

  async file(name: keyof Manifest["files"]): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await readPromised(this.#source, `${snapshotPath(this.id)}/${name}`);
    if (await sha256Hex(bytes) !== this.manifest.files?.[name]?.sha256) {
      throw new BrokenObject(
        `Cannot use "${snapshotPath(this.id)}/${name}": its SHA-256 is not the one published`,
      );
    }
    return bytes;
  }

  async #read(path: string): Promise<Uint8Array<ArrayBuffer>> {
    const [bytes, sums] = await Promise.all([
      readPromised(this.#source, `${snapshotPath(this.id)}/${path}`),
      this.#verify ? this.#sumsOnce() : undefined,
    ]);
    if (sums === undefined || await sha256Hex(bytes) === sums.get(path)) return bytes;
    throw new BrokenObject(
      `Cannot use "${snapshotPath(this.id)}/${path}": its SHA-256 is not the one of SHA256SUMS`,
    );
  }

  /** The list of hashes, read once; a failure is not kept. */
  #sumsOnce(): Promise<Map<string, string>> {
    this.#sums ??= this.file("SHA256SUMS").then((bytes) =>
      parseSums(new TextDecoder().decode(bytes))
    )
      .catch((error) => {
        this.#sums = null;
        throw error instanceof BrokenObject ? error : new BrokenObject(messageOf(error));
      });
    return this.#sums;
  }

  async #parse(text: string, dot: number): Promise<CarrierShard> {
    const { width } = this.manifest.families.carriers;
    const shard = Math.floor(dot / width);
    try {
      return (await decodeCarriers(new TextEncoder().encode(text), { shard, width })).value;
    } catch (error) {
      throw new BrokenObject(
        `Cannot use "${shardPath("carriers", shard)}" of "${this.id}": ${messageOf(error)}`,
        { cause: error },
      );
    }
  }

  #shard(
    name: "carriers" | "dockets",
    key: number,
    decode: Decode,
  ): Shard | null | Promise<Shard> {
    const family = this.manifest.families[name];
    const shard = Math.floor(key / family.width);
    if (!hasShard(family, shard)) return null;
    const path = `${snapshotPath(this.id)}/${shardPath(name, shard)}`;
    return this.#cache.get(path, async () => {
      const bytes = await this.#read(shardPath(name, shard));
      try {
        const decoded = await decode(bytes, { shard, width: family.width });
        return { value: decoded.value, bytes: decoded.textBytes * MEMORY_PER_TEXT_BYTE };
      } catch (error) {
        throw new BrokenObject(`Cannot use "${path}": ${messageOf(error)}`, { cause: error });
      }
    });
  }
}

/** Reads an object that must be there. */
export async function readPromised(
  source: Source,
  path: string,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  let bytes: Uint8Array<ArrayBuffer> | null;
  try {
    bytes = await source.get(path, signal);
  } catch (error) {
    throw new BrokenObject(messageOf(error), { cause: error });
  }
  if (bytes === null) throw new BrokenObject(`Cannot find "${path}" in ${source.name}`);
  if (bytes.length > maxBytesOf(path)) {
    throw new BrokenObject(`Cannot use "${path}": it has more than ${maxBytesOf(path)} bytes`);
  }
  return bytes;
}
