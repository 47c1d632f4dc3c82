/**
 * Answers as of a past day: picks the snapshot for that day, and treats that day as today.
 *
 * @module
 */

import { z } from "zod";
import { show } from "../../pipeline/fmcsa/number_text.ts";
import { NotKept, type Snapshot, type SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { formatForPeople } from "../../pipeline/dates.ts";
import { type ErrorCode, ServiceError } from "./errors.ts";

/** Input schema of the day. */
export const asOfInput = z.iso.date({ error: explainDay })
  .refine((day) => day >= "0001-01-01", { error: explainDay })
  .optional()
  .describe(
    "A past date: uses the data of that date, which counts as today",
  )
  .meta({ example: "2026-10-05" });

function explainDay({ input }: { input?: unknown }): string {
  return `Cannot use as_of ${show(input)}: give a day as YYYY-MM-DD`;
}

/** The parameter for operations that take the day. */
export const AS_OF_PARAMETER = { in: "query", code: "invalid_query" } as const;

interface AsOfContext {
  reader: SnapshotReader;
  /** The day in New York, `YYYY-MM-DD`. */
  today: string;
  /** A day as {@link asOfInput} accepts it; undefined for the current snapshot. */
  asOf: string | undefined;
  /** Error code for a day in the future. @default {"invalid_query"} */
  code?: ErrorCode | undefined;
}

/** The days that an answer is for. */
export interface AnswerDay {
  /** The day to treat as today. */
  today: string;
  asOf: string | undefined;
}

/**
 * Runs `work` against the snapshot for a day, or the current one. Like the reader's `use`, it may run `work`
 * twice.
 *
 * @throws {ServiceError} For a day in the future, and `not_found` for one before the first that is kept.
 * @throws {SnapshotUnavailable}
 */
export async function useAsOf<T>(
  { reader, today, asOf, code = "invalid_query" }: AsOfContext,
  work: (snapshot: Snapshot, day: AnswerDay) => Promise<T>,
): Promise<T> {
  if (asOf === undefined) return await reader.use((snapshot) => work(snapshot, { today, asOf }));
  if (asOf > today) {
    const message = `Cannot use as_of ${asOf}: today is ${formatForPeople(today)}`;
    throw new ServiceError(code, message);
  }
  try {
    return await reader.useAsOf(asOf, (snapshot) => work(snapshot, { today: asOf, asOf }));
  } catch (error) {
    if (!(error instanceof NotKept)) throw error;
    const message = `Cannot answer as of ${formatForPeople(asOf)}: the first day kept is ${
      formatForPeople(error.first)
    }`;
    throw new ServiceError("not_found", message, { firstDay: error.first });
  }
}
