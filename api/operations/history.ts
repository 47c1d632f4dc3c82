/**
 * GET /api/v1/carriers/{dot}/history: a carrier's changes in the last 24 months.
 *
 * @module
 */

import { z } from "zod";
import { isRecord, MAX_CHANGES } from "../../pipeline/snapshot/record/record.ts";
import type { Snapshot } from "../../pipeline/snapshot/reader.ts";
import {
  Between,
  CarrierChange,
  HISTORY_MONTHS,
  leftBetween,
  listChanges,
  listGaps,
  watchedSince,
} from "../rules/changes.ts";
import { snapshotFacts } from "../rules/carrier.ts";
import { AsOf, Carrier, DotNumber, SnapshotFacts } from "../rules/schemas.ts";
import { AS_OF_PARAMETER, asOfInput } from "./as_of.ts";
import { absentCarrier, lookupCarrier, readCarrier } from "./lookup.ts";
import { dotInput } from "./numbers.ts";
import { lookupOperation, type OperationContext } from "./operation.ts";

export const CarrierHistory = z.object({
  dot: DotNumber,
  as_of: AsOf,
  since: z.iso.date().describe(
    "Changes from this day on are listed; what changed before it is not known here",
  ).meta({ example: "2026-10-03" }),
  changes: z.array(CarrierChange).describe(`The newest first, at most ${MAX_CHANGES}`),
  removed: z.object({
    last_seen: z.iso.date().describe("Data date of the last snapshot that had it"),
    between: Between.describe("That data date and the next"),
  }).optional().describe("The carrier left the census"),
  gaps: z.array(z.object({ between: Between, members: z.array(z.string()) })).optional().describe(
    "Members that were not compared between two data dates, because this service has read them differently since",
  ),
  snapshot: SnapshotFacts,
}).meta({ id: "CarrierHistory", description: "Changes to a carrier" });

export type CarrierHistory = z.infer<typeof CarrierHistory>;

export const carrierHistory = lookupOperation({
  id: "carrierHistory",
  method: "GET",
  path: "/api/v1/carriers/{dot}/history",
  summary: "List changes to a carrier",
  description:
    `Filed values that changed in the last ${HISTORY_MONTHS} months, the newest first: each happened between two data dates of the census. Inspections are not changes: they have dates. A carrier that left the census still has its history. The site has it as an Atom feed, \`/carriers/{dot}/changes.atom\`.`,
  input: z.object({ dot: dotInput, as_of: asOfInput }),
  parameters: {
    dot: { in: "path", code: "invalid_dot_number" },
    as_of: AS_OF_PARAMETER,
  },
  output: CarrierHistory,
  errors: ["invalid_dot_number", "invalid_query", "not_found", "upstream_unavailable"],
  run: ({ dot }, context) => readHistory(dot, context),
});

/** A carrier and its history from one snapshot, for pages. Not an API route. */
export const carrierWithHistory = lookupOperation({
  ...lookupCarrier,
  id: "carrierWithHistory",
  output: z.object({ carrier: Carrier, history: CarrierHistory }),
  async run({ dot }, context) {
    // Read together, they share the read of the shard.
    const [carrier, history] = await Promise.all([
      readCarrier(dot, context),
      readHistory(dot, context),
    ]);
    return { carrier, history };
  },
});

/**
 * The history of a USDOT number. Rethrows errors of the snapshot.
 *
 * @throws {ServiceError} `not_found`.
 */
export async function readHistory(
  dot: number,
  { snapshot, today, asOf }: OperationContext & { snapshot: Snapshot },
): Promise<CarrierHistory> {
  const carrier = await snapshot.find(dot);
  if (carrier === null) throw absentCarrier(dot, null, snapshot);
  const left = isRecord(carrier) ? null : carrier;
  const context = { chain: await snapshot.chain(), gaps: snapshot.manifest.gaps };
  const gaps = listGaps(context);
  return {
    dot: String(dot),
    ...(asOf !== undefined && { as_of: asOf }),
    since: watchedSince(carrier, context),
    changes: listChanges(carrier, context),
    ...(left !== null && {
      removed: { last_seen: left.last_seen, between: leftBetween(left, context) },
    }),
    ...(gaps.length > 0 && { gaps }),
    snapshot: snapshotFacts(snapshot, { today, asOf }),
  };
}
