/**
 * How fast jobs are processed: in small pieces, after the requests in the foreground.
 *
 * @module
 */

/** Counts requests in progress other than batches and jobs, which wait for these. */
export interface Foreground {
  open: number;
  /** When the last one arrived, in the time of `performance.now()`. */
  cameAt: number;
}

/** Maximum pieces of work that jobs may start in one turn of the event loop, and have in flight. */
const PIECES = { begun: 12, inFlight: 64 };

/** The same while there are foreground requests, each of which needs several turns. */
const PIECES_BESIDE = { begun: 2, inFlight: 8 };

/** How long after a foreground request another one is expected, in milliseconds. */
const EXPECTED_MS = 100;

/** Milliseconds for which foreground requests may delay the next turn. */
const DELAY_MS = 10;

/**
 * Spreads the work of all jobs over turns of the event loop, first come, first served, and after
 * foreground requests, so that a single lookup never waits for more than a few pieces of it. A piece is a
 * read of a shard or the writing of a slice, a millisecond or less.
 */
export class Pacer {
  readonly #foreground: Foreground;
  readonly #waiting: (() => void)[] = [];
  #inFlight = 0;
  #lastTurn = 0;
  #isTicking = false;

  constructor(foreground: Foreground) {
    this.#foreground = foreground;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    this.#tick();
    await promise;
    try {
      return await work();
    } finally {
      this.#inFlight--;
      this.#tick();
    }
  }

  #tick(): void {
    if (this.#isTicking || this.#waiting.length === 0) return;
    this.#isTicking = true;
    // Deno accepts requests while it waits for a timer, but not while one immediate follows another.
    setTimeout(() => this.#turn());
  }

  #turn(): void {
    this.#isTicking = false;
    const { open, cameAt } = this.#foreground;
    const now = performance.now();
    const isBeside = open > 0 || now - cameAt < EXPECTED_MS;
    const { begun, inFlight } = isBeside ? PIECES_BESIDE : PIECES;
    if (open === 0 || now - this.#lastTurn > DELAY_MS) {
      this.#lastTurn = now;
      const most = Math.max(0, Math.min(begun, inFlight - this.#inFlight));
      for (const start of this.#waiting.splice(0, most)) {
        this.#inFlight++;
        start();
      }
    }
    // All are in flight: the next one to finish continues.
    if (this.#inFlight < inFlight) this.#tick();
  }
}
