/**
 * Carriers with their histories, for alerts and feeds: those in the census, those that left it, and
 * numbers that it doesn't have.
 *
 * @module
 */

import { absenceWords, censusOf } from "../rules/check.ts";
import { snapshotFacts } from "../rules/carrier.ts";
import type { Carrier, SnapshotFacts } from "../rules/schemas.ts";
import { ServiceError } from "./errors.ts";
import { type CarrierHistory, readHistory } from "./history.ts";
import { readCarrier } from "./lookup.ts";
import { type ManyContext, readMany } from "./many.ts";

export interface Watched {
  dot: string;
  /** Null when it is not in the census. */
  carrier: Carrier | null;
  /** Null when it is not in the census and was not in it in the last 24 months. */
  history: CarrierHistory | null;
  /** `not in FMCSA's census of Oct 3, 2026`; null for a carrier in the census. */
  absence: string | null;
  page_url: string;
  snapshot: SnapshotFacts;
}

interface WatchedContext extends ManyContext {
  /** Without lists of inspections. */
  brief?: boolean;
}

/**
 * Reads carriers like {@link readMany}.
 *
 * @returns By number; nothing for one that could not be read.
 */
export async function findWatched(
  dots: readonly number[],
  context: WatchedContext,
): Promise<Map<number, Watched>> {
  return await readMany(dots, context, {
    read: (dot) => readWatched(dot, context),
    isFound: ({ carrier }) => carrier !== null,
  });
}

async function readWatched(
  dot: number,
  context: WatchedContext,
): Promise<Watched> {
  const { snapshot, baseUrl } = context;
  // Read together, they share the read of the shard.
  const [carrier, history] = await Promise.all([
    orAbsent(readCarrier(dot, context)),
    orAbsent(readHistory(dot, context)),
  ]);
  const absence = absenceWords(censusOf(snapshot.manifest), history?.removed?.last_seen);
  return {
    dot: String(dot),
    carrier,
    history,
    absence: carrier === null ? absence : null,
    page_url: `${baseUrl}/carriers/${dot}`,
    snapshot: snapshotFacts(snapshot, context),
  };
}

async function orAbsent<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "not_found") return null;
    throw error;
  }
}
