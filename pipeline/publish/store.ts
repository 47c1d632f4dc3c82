/**
 * Where a snapshot is published to: a folder or an S3 bucket, behind one interface.
 *
 * @module
 */

/** What a store tells of an object without reading it. */
export interface StoredObject {
  /** Below the store's root. */
  path: string;
  bytes: number;
  /** When it was last written, in milliseconds since the epoch, by the store's clock. */
  modified: number;
  /** MD5 of the content, hex; undefined where the store cannot tell. */
  md5(): Promise<string | undefined>;
}

/** An object as read. */
export interface ReadObject {
  bytes: Uint8Array<ArrayBuffer>;
  /** Names this content, for {@link Condition}. */
  etag: string;
}

/** Write only over the content that was read, or only where nothing is. */
export type Condition = { ifMatch: string } | { ifAbsent: true };

/** How to write an object. */
export interface PutOptions {
  contentType: string;
  cacheControl: string;
  condition?: Condition;
  signal?: AbortSignal;
}

/**
 * Objects by path (see `checkObjectPath`). Every method may be called again after it failed: a write
 * puts the whole object or nothing. A write that failed for want of an answer may have been done.
 */
export interface Store {
  /** The folder or address, for messages; holds no secret. */
  readonly name: string;
  /** Reads an object, null when there is none. */
  get(path: string, signal?: AbortSignal): Promise<ReadObject | null>;
  /**
   * Writes an object.
   *
   * @throws {ConditionFailed} When the condition does not hold; nothing is written then.
   */
  put(path: string, bytes: Uint8Array<ArrayBuffer>, options: PutOptions): Promise<void>;
  /** Makes what was written below a `prefix` that ends in `/` outlive a loss of power. */
  settle(prefix: string): Promise<void>;
  /** All objects whose paths begin with `prefix`, in any order. */
  list(prefix: string, signal?: AbortSignal): AsyncIterable<StoredObject>;
  /** The names directly below a `prefix` that ends in `/` and have objects below them. */
  folders(prefix: string, signal?: AbortSignal): Promise<string[]>;
  /** Removes objects, in no order; one that is not there is no error. */
  delete(paths: readonly string[], signal?: AbortSignal): Promise<void>;
}

/** Another writer was first. */
export class ConditionFailed extends Error {
  override readonly name = "ConditionFailed";
}
