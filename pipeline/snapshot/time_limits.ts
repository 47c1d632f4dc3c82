/**
 * How long one read from a host may take.
 *
 * @module
 */

import type { After } from "../clock.ts";

/** What a read may take, in milliseconds. */
export interface Limits {
  silence: number;
  total: number;
  after: After;
}

/** Ends a read after some silence, after a time in all, or when the caller says so. */
export class TimeLimits {
  /** Hand this to fetch. */
  readonly signal: AbortSignal;
  readonly #arm: () => () => void;
  readonly #cancelTotal: () => void;
  #cancelSilence: () => void;

  constructor({ silence, total, after }: Limits, caller?: AbortSignal) {
    const own = new AbortController();
    const end = (why: string) => (): void => own.abort(new Error(why));
    this.signal = caller === undefined ? own.signal : AbortSignal.any([own.signal, caller]);
    this.#arm = () => after(silence, end(`no answer in ${silence} ms`));
    this.#cancelSilence = this.#arm();
    this.#cancelTotal = after(total, end(`not all of it came in ${total} ms`));
  }

  /** Something came: silence begins anew. */
  heard(): void {
    this.#cancelSilence();
    this.#cancelSilence = this.#arm();
  }

  /** To be called when the read has ended, or the timers stay behind. */
  stop(): void {
    this.#cancelSilence();
    this.#cancelTotal();
  }
}
