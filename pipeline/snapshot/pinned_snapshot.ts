/**
 * One snapshot: shards fetched, decoded and cached. Web APIs only.
 *
 * @module
 */

import { messageOf } from "../text.ts";
import { type ChainedSnapshot, keptOf, parsePast } from "./chain.ts";
import { BrokenObject, checkSha256, parseSums, readListed, readObject } from "./contents.ts";
import { changesIn, hasShard, type Keeps, type Manifest } from "./manifest.ts";
import { shardPath, snapshotPath } from "./paths.ts";
import { type CarrierRecord, isRecord, type LeftCarrier } from "./record/record.ts";
import {
  carrierIn,
  type CarrierShard,
  decodeCarrierShard,
  decodeDockets,
  type DecodedShard,
  type DocketShard,
  findDocket,
  type ShardRange,
} from "./record/shards.ts";
import type { SharedCache } from "./shared_cache.ts";
import type { Source } from "./source.ts";

/** Names one snapshot for good, whichever is current later. */
export interface SnapshotName {
  readonly id: string;
  /** SHA-256 of the manifest's bytes, hex. */
  readonly manifestSha256: string;
}

/** One snapshot, pinned: whatever is read through it comes from that snapshot only. */
export interface Snapshot extends SnapshotName {
  readonly manifest: Manifest;
  /** The http(s) address of its root, without a final slash; undefined for a folder. */
  readonly address?: string | undefined;
  /** Limit on the estimated bytes of search lists to cache; when absent, the search's default applies. */
  readonly listCacheBytes?: number;
  /** The record of a USDOT number, or what is kept of a carrier that left the census, in a single read. */
  find(dot: number): Promise<CarrierRecord | LeftCarrier | null>;
  /** The record of a USDOT number, null when the census has none. */
  carrier(dot: number): Promise<CarrierRecord | null>;
  /** What is kept of a carrier that left the census in the last 24 months, null when none did. */
  leftCarrier(dot: number): Promise<LeftCarrier | null>;
  /** The chain up to this snapshot, the oldest first and this one last. */
  chain(): Promise<readonly ChainedSnapshot[]>;
  /** Those of the chain that the root keeps. */
  kept(): Promise<readonly ChainedSnapshot[]>;
  /** USDOT numbers that list a docket such as `MC` 143229, in order of precedence; often one. */
  docket(prefix: string, number: number): Promise<number[]>;
  /** The bytes of an object as stored, by its path below the snapshot. */
  read(path: string): Promise<Uint8Array<ArrayBuffer>>;
  /** The bytes of an object whose hash is in the manifest. */
  file(name: keyof Manifest["files"]): Promise<Uint8Array<ArrayBuffer>>;
}

type CachedShard = DocketShard | CarrierShard;

/** Decoded shards, by path. */
export type ShardCache = SharedCache<CachedShard>;

interface SnapshotParts {
  manifest: Manifest;
  source: Source;
  cache: ShardCache;
  listCacheBytes: number;
  /** Compare every object with its line of SHA256SUMS. */
  verify?: boolean;
  /** How long the root keeps old snapshots; by default forever. */
  keeps?: () => Keeps | undefined;
}

// In V8, parsed dockets take about three times the size of their JSON text, and a shard kept as text up to
// twice.
const MEMORY_PER_TEXT_BYTE = 3;

/** A snapshot that throws {@link BrokenObject} when an object of it cannot be read. */
export class PinnedSnapshot implements Snapshot {
  readonly id: string;
  readonly manifestSha256: string;
  readonly manifest: Manifest;
  readonly address: string | undefined;
  readonly listCacheBytes: number;
  readonly #parts: SnapshotParts;
  #sums: Promise<Map<string, string>> | null = null;
  #chain: Promise<readonly ChainedSnapshot[]> | null = null;

  constructor(name: SnapshotName, parts: SnapshotParts) {
    this.id = name.id;
    this.manifestSha256 = name.manifestSha256;
    this.manifest = parts.manifest;
    const { name: root } = parts.source;
    this.address = /^https?:/i.test(root) ? root : undefined;
    this.listCacheBytes = parts.listCacheBytes;
    this.#parts = parts;
  }

  async carrier(dot: number): Promise<CarrierRecord | null> {
    const row = await this.find(dot);
    return row !== null && isRecord(row) ? row : null;
  }

  async leftCarrier(dot: number): Promise<LeftCarrier | null> {
    const row = await this.find(dot);
    return row === null || isRecord(row) ? null : row;
  }

  async find(dot: number): Promise<CarrierRecord | LeftCarrier | null> {
    const shard = await this.#shard<CarrierShard>("carriers", dot, decodeCarrierShard);
    if (shard === null) return null;
    const { width } = this.manifest.families.carriers;
    const number = Math.floor(dot / width);
    try {
      return carrierIn(shard, { dot, shard: number, width });
    } catch (error) {
      const path = shardPath("carriers", number);
      this.#parts.cache.drop(`${this.id}/${path}`);
      throw this.#broken(path, error);
    }
  }

  async docket(prefix: string, number: number): Promise<number[]> {
    const shard = await this.#shard<DocketShard>("dockets", number, decodeDockets);
    return shard === null ? [] : [...findDocket(shard, prefix, number)];
  }

  chain(): Promise<readonly ChainedSnapshot[]> {
    this.#chain ??= this.#readChain().catch((error) => {
      this.#chain = null;
      throw error;
    });
    return this.#chain;
  }

  async kept(): Promise<readonly ChainedSnapshot[]> {
    return keptOf(await this.chain(), this.#parts.keeps?.());
  }

  async #readChain(): Promise<readonly ChainedSnapshot[]> {
    const { id, manifestSha256: manifest_sha256, manifest } = this;
    const past = manifest.files["past.json"] === undefined
      ? []
      : parsePast(await this.file("past.json"));
    const changes = changesIn(manifest);
    const { data_date } = manifest;
    return [...past, { id, data_date, manifest_sha256, ...(changes && { changes }) }];
  }

  async read(path: string): Promise<Uint8Array<ArrayBuffer>> {
    const full = `${snapshotPath(this.id)}/${path}`;
    const [bytes, sums] = await Promise.all([
      readObject(this.#parts.source, full),
      this.#parts.verify ? this.#readSums() : undefined,
    ]);
    if (sums !== undefined) {
      await checkSha256(full, bytes, { sha256: sums.get(path), by: "SHA256SUMS" });
    }
    return bytes;
  }

  async file(name: keyof Manifest["files"]): Promise<Uint8Array<ArrayBuffer>> {
    const { source, manifest } = this.#parts;
    return await readListed(source, { root: snapshotPath(this.id), manifest, name });
  }

  #shard<T extends CachedShard>(
    name: keyof Manifest["families"],
    key: number,
    decode: (bytes: Uint8Array<ArrayBuffer>, range: ShardRange) => Promise<DecodedShard<T>>,
  ): T | null | Promise<T> {
    const family = this.manifest.families[name];
    const shard = Math.floor(key / family.width);
    if (!hasShard(family, shard)) return null;
    const path = shardPath(name, shard);
    // Safe cast: within one cache a path is always decoded the same way.
    return this.#parts.cache.get(`${this.id}/${path}`, async () => {
      const bytes = await this.read(path);
      try {
        const { value, textBytes } = await decode(bytes, { shard, width: family.width });
        return { value, bytes: textBytes * MEMORY_PER_TEXT_BYTE };
      } catch (error) {
        throw this.#broken(path, error);
      }
    }) as T | Promise<T>;
  }

  /** SHA256SUMS, read once; a failure is not cached. */
  #readSums(): Promise<Map<string, string>> {
    this.#sums ??= this.file("SHA256SUMS").then(parseSums).catch((error) => {
      this.#sums = null;
      throw error instanceof BrokenObject ? error : new BrokenObject(messageOf(error));
    });
    return this.#sums;
  }

  #broken(path: string, cause: unknown): BrokenObject {
    const message = `Cannot use "${snapshotPath(this.id)}/${path}": ${messageOf(cause)}`;
    return new BrokenObject(message, { cause });
  }
}
