/**
 * Where the bytes of a snapshot come from: a folder or an http(s) address. Web APIs only.
 *
 * @module
 */

export interface Source {
  /** The folder or address, for messages. */
  readonly name: string;
  /**
   * Reads one object.
   *
   * @returns The bytes as stored, or null when no such object exists.
   * @throws {SourceFailure} When the host could not be reached, answered in part, or refused.
   * @throws {Error} When the caller's signal ended the read.
   */
  get(path: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null>;
}

/** A host that did not return an object. */
export class SourceFailure extends Error {
  override readonly name = "SourceFailure";
  /** The same request may succeed in a moment: no whole answer came, or one with status 429 or 5xx. */
  readonly transient: boolean;

  constructor(message: string, options: { transient: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.transient = options.transient;
  }
}
