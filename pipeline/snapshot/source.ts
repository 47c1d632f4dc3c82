/**
 * Where the bytes of a snapshot come from: a folder or an http(s) address.
 *
 * @module
 */

/** Reads whole objects by path. Must not retry or cache: the reader does. */
export interface Source {
  /** The folder or address, for messages. */
  readonly name: string;
  /**
   * Reads one object.
   *
   * @returns The bytes as stored, or null when no such object exists.
   * @throws {Error} When the store did not answer, answered in part, or refused.
   */
  get(path: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null>;
}
