/**
 * Sources that survive a slow or failing host: a hedged request and a circuit breaker for a service,
 * retries for a batch command.
 *
 * @module
 */

import { Circuit, CircuitOpen } from "../../circuit.ts";
import type { After, Clock } from "../../clock.ts";
import { retry, sleep } from "../../retry.ts";
import { messageOf } from "../../text.ts";
import { type Source, SourceFailure } from "../source.ts";

export interface ResilienceOptions {
  clock: Clock;
  after: After;
  /** Called when the circuit opens and when it closes again. */
  log: (line: string) => void;
}

/** Consecutive failed reads that open the circuit; a single damaged object causes fewer. */
const FAILURES = 5;

/** Milliseconds between two probes of a host that is down; reads in between fail immediately. */
const OPEN_MS = 3_000;

/**
 * Reads through `source` with a hedged request ({@link hedgedSource}), and fails immediately while the host
 * is down, so that callers do not wait for a timeout.
 */
export function resilientSource(source: Source, { log, ...options }: ResilienceOptions): Source {
  const hedged = hedgedSource(source, options);
  const circuit = new Circuit({
    clock: options.clock,
    failures: FAILURES,
    openMs: OPEN_MS,
    // A refusal shows that the host is up. A read that the caller aborted shows nothing.
    healthOf: (error) =>
      !(error instanceof SourceFailure) ? "unknown" : error.transient ? "down" : "up",
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
        if (!(error instanceof CircuitOpen)) throw error;
        const message = `Cannot read ${source.name}/${path}: ${error.message}`;
        throw new SourceFailure(message, { transient: true });
      }
    },
  };
}

/** Second requests that may be sent in a burst after a quiet time. */
export const HEDGE_BURST = 10;

/** Second requests per first request, in the long run. */
export const HEDGE_SHARE = 0.1;

/**
 * Reads through `source` with hedged requests (Dean and Barroso, "The Tail at Scale", 2013). A second
 * attempt starts at once when the first fails with a transient error, or when it takes longer than the
 * 95th percentile of recent reads. The first complete answer wins and the other attempt is aborted. The
 * pointer is read like the rest: whichever edge of a CDN answers, its pointer was published.
 *
 * A token bucket ({@link HEDGE_BURST}, {@link HEDGE_SHARE}) bounds second attempts, so that an
 * overloaded host does not get twice the requests.
 */
export function hedgedSource(
  source: Source,
  { clock, after }: Pick<ResilienceOptions, "clock" | "after">,
): Source {
  const recent: number[] = [];
  let tokens = HEDGE_BURST;
  return {
    name: source.name,
    async get(path, signal) {
      tokens = Math.min(HEDGE_BURST, tokens + HEDGE_SHARE);
      const begun = clock.now();
      const stop = new AbortController();
      const either = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
      const first = Promise.withResolvers<Uint8Array<ArrayBuffer> | null>();
      let pending = 0;
      let hedged = false;

      function attempt(): void {
        pending++;
        source.get(path, either).finally(() => pending--).then(first.resolve, (error) => {
          if (error instanceof SourceFailure && error.transient && hedge()) return;
          if (pending === 0) first.reject(error);
        });
      }

      function hedge(): boolean {
        if (hedged || either.aborted || tokens < 1) return false;
        hedged = true;
        tokens--;
        attempt();
        return true;
      }

      attempt();
      const cancel = after(slowMs(recent), hedge);
      try {
        const bytes = await first.promise;
        recent.push(clock.now() - begun);
        if (recent.length > RECENT) recent.shift();
        return bytes;
      } finally {
        cancel();
        if (pending > 0) stop.abort(new Error("another attempt answered first"));
      }
    },
  };
}

const RECENT = 64;
const ENOUGH = 16;
const UNKNOWN_MS = 500;
const SHORTEST_MS = 30;
const LONGEST_MS = 1_000;

/** Milliseconds after which a read is slow, by how long recent ones took. */
function slowMs(recent: readonly number[]): number {
  if (recent.length < ENOUGH) return UNKNOWN_MS;
  const p95 = recent.toSorted((a, b) => a - b)[Math.floor(recent.length * 0.95)]!;
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, p95));
}

const TRIES = 4;
const PAUSES = { first: 500, longest: 5_000 };

/** Reads through `source`, at most four times, for background work. */
export function retryingSource(source: Source): Source {
  return {
    name: source.name,
    get: (path, signal) =>
      retry(() => source.get(path, signal), {
        ...PAUSES,
        tries: TRIES,
        isTransient: (error) => error instanceof SourceFailure && error.transient,
        sleep: (ms) => sleep(ms, signal),
      }),
  };
}
