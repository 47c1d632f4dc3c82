/**
 * Lines that go out a few times a second, so that neither their number nor a reader who stalls can
 * hold up the answers they tell of.
 *
 * @module
 */

import type { After } from "../pipeline/clock.ts";

/** Options of {@link Outbox}. */
export interface OutboxOptions {
  /** Writes text; may take as long as it likes. A failure is as good as success: nobody could be told. */
  write: (text: string) => Promise<void>;
  after: After;
  /** Characters that may wait. @default {1048576} */
  most?: number;
  /** The line that tells how many could not wait. */
  dropped: (lines: number) => string;
}

/** Milliseconds in which lines are gathered. */
const GATHER_MS = 100;

/** Holds lines until they are written, and drops those that find no room. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #most: number;
  #waiting: string[] = [];
  #held = 0;
  #dropped = 0;
  #cancel: (() => void) | null = null;
  #writing: Promise<void> | null = null;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#most = options.most ?? 1024 * 1024;
  }

  /** Adds a line. */
  push(line: string): void {
    if (this.#held + line.length > this.#most) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(line);
    this.#held += line.length;
    this.#arm();
  }

  /** Writes what waits; resolves when it is written. */
  async flush(): Promise<void> {
    await this.#writing;
    this.#cancel?.();
    this.#cancel = null;
    if (this.#waiting.length > 0) await (this.#writing = this.#write());
  }

  #arm(): void {
    if (this.#cancel !== null || this.#writing !== null) return;
    this.#cancel = this.#options.after(GATHER_MS, () => {
      this.#cancel = null;
      this.#writing = this.#write();
    });
  }

  async #write(): Promise<void> {
    const lines = this.#waiting;
    if (this.#dropped > 0) lines.push(this.#options.dropped(this.#dropped));
    this.#waiting = [];
    this.#dropped = 0;
    await this.#options.write(lines.join("\n") + "\n").catch(() => {});
    // Only now: what is being written has not left yet.
    this.#held = this.#waiting.reduce((sum, line) => sum + line.length, 0);
    this.#writing = null;
    if (this.#waiting.length > 0) this.#arm();
  }
}
