/**
 * A source that is asked again when it fails, for work that nobody waits for.
 *
 * @module
 */

import { backOff, sleep } from "../retry.ts";
import type { Source } from "./source.ts";

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
