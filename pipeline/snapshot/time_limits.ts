/**
 * How long one read from a host may take.
 *
 * @module
 */

import { after } from "../clock.ts";

/** Ends a read after some silence, after a time in all, or when the caller says so. */
export class TimeLimits {
  /** Hand this to fetch. */
  readonly signal: AbortSignal;
  readonly #silence: number;
  readonly #late: () => void;
  readonly #cancelTotal: () => void;
  #cancelSilence: () => void;

  /** @param limits Milliseconds. */
  constructor({ silence, total }: { silence: number; total: number }, caller?: AbortSignal) {
    const own = new AbortController();
    this.signal = caller === undefined ? own.signal : AbortSignal.any([own.signal, caller]);
    this.#silence = silence;
    this.#late = () => own.abort(new Error(`no answer in ${silence} ms`));
    this.#cancelSilence = after(silence, this.#late);
    this.#cancelTotal = after(
      total,
      () => own.abort(new Error(`not all of it came in ${total} ms`)),
    );
  }

  /** Something came: silence begins anew. */
  heard(): void {
    this.#cancelSilence();
    this.#cancelSilence = after(this.#silence, this.#late);
  }

  /** To be called when the read has ended, or the timers stay behind. */
  stop(): void {
    this.#cancelSilence();
    this.#cancelTotal();
  }
}
