/**
 * What stands between a service and a host that may be slow or down. Web APIs only.
 *
 * @module
 */

import { Circuit, Resting, type Verdict } from "../circuit.ts";
import type { After, Clock } from "../clock.ts";
import { backOff, sleep } from "../retry.ts";
import { messageOf } from "../text.ts";
import { type Source, SourceFailure } from "./source.ts";

/** Options of {@link steadySource}. */
export interface SteadyOptions extends HedgeOptions {
  /** Told when the host is given up and when it answers again. */
  log: (line: string) => void;
}

/** Reads that fail in a row before the host is let rest: one broken object alone is fewer. */
const FAILURES = 5;

/** Milliseconds between two tries of a host that is down: meanwhile reads fail at once. */
const REST_MS = 3_000;

/**
 * Reads through `source` with a second attempt where that helps ({@link hedgedSource}), and not at
 * all while the host is down, so that nobody waits for a time-out to hear what is known.
 */
export function steadySource(source: Source, { log, ...options }: SteadyOptions): Source {
  const hedged = hedgedSource(source, options);
  const circuit = new Circuit({
    clock: options.clock,
    failures: FAILURES,
    rest: REST_MS,
    verdict,
    onChange: ({ down, error }) =>
      log(
        down
          ? `${FAILURES} reads of the snapshot failed in a row, the last: ${messageOf(error)}`
          : "The snapshot can be read again",
      ),
  });
  return {
    name: source.name,
    async get(path, signal) {
      try {
        return await circuit.run(() => hedged.get(path, signal));
      } catch (error) {
        if (!(error instanceof Resting)) throw error;
        const message = `Cannot read ${source.name}/${path}: ${error.message}`;
        throw new SourceFailure(message, { passing: true });
      }
    },
  };
}

/** A refusal shows that the host is up; what ended for the caller's sake shows nothing. */
function verdict(error: unknown): Verdict {
  if (!(error instanceof SourceFailure)) return "unknown";
  return error.passing ? "down" : "up";
}

/** Options of {@link hedgedSource}. */
export interface HedgeOptions {
  clock: Clock;
  after: After;
}

/** Second requests that may go out at once, after a time without any. */
export const HEDGE_BURST = 10;

/** Second requests for each first one, in the long run. */
export const HEDGE_SHARE = 0.1;

/**
 * Reads through `source` with two attempts at most: the second begins at once when the first fails in
 * passing, or else when it takes longer than nineteen in twenty reads did of late; the first whole
 * answer wins, and the other attempt is ended. The pointer is read like the rest: whichever edge
 * answers, it answers with a pointer that was published.
 *
 * Second attempts are bounded by {@link HEDGE_BURST} and {@link HEDGE_SHARE}, so that a host in need
 * is not asked twice as much.
 */
export function hedgedSource(source: Source, { clock, after }: HedgeOptions): Source {
  const latencies = new Latencies();
  let allowance = HEDGE_BURST;
  return {
    name: source.name,
    async get(path, signal) {
      allowance = Math.min(HEDGE_BURST, allowance + HEDGE_SHARE);
      const begun = clock.now();
      const stop = new AbortController();
      const either = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
      const { promise, resolve, reject } = Promise.withResolvers<
        Uint8Array<ArrayBuffer> | null
      >();
      let open = 0;
      let again = true;

      function attempt(): void {
        open++;
        source.get(path, either).then((bytes) => {
          open--;
          resolve(bytes);
        }, (error) => {
          open--;
          if (isPassing(error) && attemptAgain()) return;
          if (open === 0) reject(error);
        });
      }

      function attemptAgain(): boolean {
        if (!again || either.aborted || allowance < 1) return false;
        again = false;
        allowance--;
        attempt();
        return true;
      }

      attempt();
      const cancel = after(latencies.slow(), attemptAgain);
      try {
        const bytes = await promise;
        latencies.add(clock.now() - begun);
        return bytes;
      } finally {
        cancel();
        if (open > 0) stop.abort(new Error("another attempt answered first"));
      }
    },
  };
}

/** Tells whether the same read may succeed in a moment. */
function isPassing(error: unknown): boolean {
  return error instanceof SourceFailure && error.passing;
}

const REMEMBERED = 64;
const ENOUGH = 16;
const UNKNOWN_MS = 500;
const SHORTEST_MS = 30;
const LONGEST_MS = 1_000;

/** How long reads took of late. */
class Latencies {
  readonly #last: number[] = [];
  #at = 0;

  add(ms: number): void {
    this.#last[this.#at] = ms;
    this.#at = (this.#at + 1) % REMEMBERED;
  }

  /** Milliseconds after which a read is slow. */
  slow(): number {
    const { length } = this.#last;
    if (length < ENOUGH) return UNKNOWN_MS;
    const p95 = this.#last.toSorted((a, b) => a - b)[Math.floor(length * 0.95)]!;
    return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, p95));
  }
}

const TRIES = 4;

/** Options of {@link patientSource}. */
export interface PatientOptions {
  /** Milliseconds of the first and the longest wait; as `backOff` has them when absent. */
  waits?: { first: number; longest: number };
  /** Ends every read and every wait. */
  signal?: AbortSignal;
  /** Told of a failure after which the source is asked again. */
  onFailure?: (error: unknown) => void;
}

/** Reads through `source`, four times at most: one answer in many that is lost is no reason to give up. */
export function patientSource(
  source: Source,
  { waits, signal: outer, onFailure = () => {} }: PatientOptions = {},
): Source {
  return {
    name: source.name,
    async get(path, signal) {
      const stop = signal && outer ? AbortSignal.any([signal, outer]) : signal ?? outer;
      for (let failures = 1;; failures++) {
        try {
          return await source.get(path, stop);
        } catch (error) {
          stop?.throwIfAborted();
          if (failures === TRIES) throw error;
          onFailure(error);
          await sleep(backOff(failures, Math.random(), waits), stop);
        }
      }
    },
  };
}
