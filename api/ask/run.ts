/**
 * Operations as `/ask` runs them.
 *
 * @module
 */

import type { z } from "zod";
import type { Clock } from "../../pipeline/clock.ts";
import type { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { type Operation, perform } from "../operations/operation.ts";
import { newYorkToday } from "../rules/calendar.ts";

/** What `/ask` works with. */
export interface AskDeps {
  reader: SnapshotReader;
  clock: Clock;
  /** Address of the service, without a final slash. */
  baseUrl: string;
  /** Ends the work between two operations, e.g. when the client is gone. */
  signal?: AbortSignal | undefined;
}

/** Runs operations on one day. */
export interface Desk {
  /** The day in New York, `YYYY-MM-DD`. */
  today: string;
  baseUrl: string;
  /**
   * The output of an operation.
   *
   * @throws {ServiceError} As {@link perform}.
   * @throws The signal's reason once it is aborted.
   */
  run<O extends z.ZodType>(
    operation: Operation & { output: O },
    input: Record<string, unknown>,
  ): Promise<z.output<O>>;
}

/** Makes a desk. */
export function openDesk({ reader, clock, baseUrl, signal }: AskDeps): Desk {
  const today = newYorkToday(clock.now());
  return {
    today,
    baseUrl,
    async run(operation, input) {
      signal?.throwIfAborted();
      const { answer } = await perform(operation, input, {
        today,
        baseUrl,
        reader,
        finish: (output) => output,
      });
      // The operation's own type says what it answers.
      return answer as never;
    },
  };
}
