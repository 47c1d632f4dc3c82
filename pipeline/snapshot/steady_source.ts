/**
 * What stands between a service and a host that may be slow or down. Web APIs only.
 *
 * @module
 */

import { Circuit, Resting, type Verdict } from "../circuit.ts";
import { messageOf } from "../text.ts";
import { hedgedSource, type HedgeOptions } from "./hedged_source.ts";
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
