/**
 * GET /api/v1/carriers/{dot}, GET /api/v1/mc/{mc} and GET /api/v1/dockets/{docket}: one carrier with its
 * compliance checks, and the USDOT numbers that list a docket.
 *
 * @module
 */

import { z } from "zod";
import { forEach } from "../../pipeline/concurrency.ts";
import { DOCKET_PREFIXES, type DocketNumber } from "../../pipeline/fmcsa/number_text.ts";
import { isRecord, type LeftCarrier } from "../../pipeline/snapshot/record/record.ts";
import type { Snapshot } from "../../pipeline/snapshot/reader.ts";
import { absenceWords, censusOf } from "../rules/check.ts";
import { snapshotFacts, toCarrier } from "../rules/carrier.ts";
import { changedLately } from "../rules/identity_changes.ts";
import { Carrier, SnapshotFacts } from "../rules/schemas.ts";
import { AS_OF_PARAMETER, asOfInput } from "./as_of.ts";
import { ServiceError } from "./errors.ts";
import {
  anyDocketInput,
  docketInput,
  DOCKETS_PATH,
  docketText,
  dotInput,
  mcInput,
} from "./numbers.ts";
import { lookupOperation, type OperationContext } from "./operation.ts";

export const lookupCarrier = lookupOperation({
  id: "lookupCarrier",
  method: "GET",
  path: "/api/v1/carriers/{dot}",
  summary: "Look up one carrier",
  description:
    "Census data, six compliance checks and a 24-month inspection summary of one USDOT number, from one dated snapshot of FMCSA's public files.",
  input: z.object({ dot: dotInput, as_of: asOfInput }),
  parameters: {
    dot: { in: "path", code: "invalid_dot_number" },
    as_of: AS_OF_PARAMETER,
  },
  output: Carrier,
  errors: ["invalid_dot_number", "invalid_query", "not_found", "upstream_unavailable"],
  run({ dot }, context) {
    return readCarrier(dot, context);
  },
});

/**
 * The Carrier of a USDOT number, `brief` without lists of inspections. Rethrows errors of the snapshot.
 *
 * @throws {ServiceError} `not_found`.
 */
export async function readCarrier(
  dot: number,
  { snapshot, today, asOf, baseUrl, brief = false }:
    & OperationContext
    & { snapshot: Snapshot; brief?: boolean },
): Promise<Carrier> {
  const record = await snapshot.find(dot);
  if (record === null || !isRecord(record)) throw absentCarrier(dot, record, snapshot);
  const chain = changedLately(record, today) ? await snapshot.chain() : [];
  return toCarrier(record, { today, asOf, baseUrl, snapshot, brief, chain });
}

/** The error for a USDOT number that is not in the census: never was, or no longer is. */
export function absentCarrier(
  dot: number,
  left: LeftCarrier | null,
  snapshot: Snapshot,
): ServiceError {
  const { id, manifest } = snapshot;
  const absence = absenceWords(censusOf(manifest), left?.last_seen);
  const message = `Cannot find USDOT number ${dot}: ${absence}`;
  return new ServiceError("not_found", message, { snapshotId: id, lastSeen: left?.last_seen });
}

/** @param what The number, and in what sense it is missing from the census. */
export function notFound(what: string, { id, manifest }: Snapshot): ServiceError {
  const message = `Cannot find ${what} in ${censusOf(manifest)}`;
  return new ServiceError("not_found", message, { snapshotId: id });
}

const digits = z.string().regex(/^[1-9]\d{0,7}$/);

const FoundDocket = z.object({
  dot: digits.describe(
    "USDOT number with the docket: active docket, then active carrier, then newest MCS-150, then lowest number",
  ).meta({ example: "146793" }),
  page_url: z.url().describe("Page of that carrier, for people"),
  api_url: z.url().describe("Address of that carrier in this API"),
  other_dots: z.array(digits).describe("Other USDOT numbers that list the docket; often empty"),
  snapshot: SnapshotFacts,
});

const mcNumber = digits.describe("MC number, without leading zeros").meta({ example: "143229" });

export const McLookup = z.object({ mc_number: mcNumber, ...FoundDocket.shape })
  .meta({ id: "McLookup" });

export const DocketLookup = z.object({
  docket: z.string().describe("Prefix and number, as in the path of this operation")
    .meta({ example: "FF-300003" }),
  prefix: z.enum(DOCKET_PREFIXES).describe(
    "MC; MX: Mexican carriers; FF: freight forwarders",
  ),
  number: digits.describe("Docket number, without leading zeros").meta({ example: "300003" }),
  ...FoundDocket.shape,
}).meta({ id: "DocketLookup" });

type DocketContext = OperationContext & { snapshot: Snapshot };

/** @throws {ServiceError} `not_found`. Rethrows errors of the snapshot. */
async function readDocket(
  { prefix, number }: DocketNumber,
  { snapshot, baseUrl, today, asOf }: DocketContext,
): Promise<z.infer<typeof FoundDocket>> {
  const [dot, ...others] = await snapshot.docket(prefix, number);
  if (dot === undefined) {
    throw notFound(`${prefix} number ${number}: no carrier lists it`, snapshot);
  }
  return {
    dot: String(dot),
    page_url: `${baseUrl}/carriers/${dot}`,
    api_url: `${baseUrl}/api/v1/carriers/${dot}`,
    other_dots: others.map(String),
    snapshot: snapshotFacts(snapshot, { today, asOf }),
  };
}

const DOCKET_ERRORS = ["invalid_mc_number", "not_found", "upstream_unavailable"] as const;

export const lookupMc = lookupOperation({
  id: "lookupMcNumber",
  method: "GET",
  path: "/api/v1/mc/{mc}",
  summary: "Resolve an MC number",
  description:
    "The USDOT number that lists an MC docket in the census. Several may list the same docket; the others are named too.",
  input: z.object({ mc: mcInput }),
  parameters: { mc: { in: "path", code: "invalid_mc_number" } },
  output: McLookup,
  errors: DOCKET_ERRORS,
  run: async ({ mc }, context) => ({
    mc_number: String(mc),
    ...await readDocket({ prefix: "MC", number: mc }, context),
  }),
});

export const lookupDocket = lookupOperation({
  id: "lookupDocket",
  method: "GET",
  path: DOCKETS_PATH,
  summary: "Resolve an MC, MX or FF number",
  description:
    "The USDOT number that lists a docket in the census, by its prefix and number. The same digits can be another company under another prefix, so the prefix is required. Several may list the same docket; the others are named too.",
  input: z.object({ docket: docketInput }),
  parameters: { docket: { in: "path", code: "invalid_mc_number" } },
  output: DocketLookup,
  errors: DOCKET_ERRORS,
  run: ({ docket }, context) => lookUpDocket(docket, context),
});

async function lookUpDocket(
  docket: DocketNumber,
  context: DocketContext,
): Promise<z.infer<typeof DocketLookup>> {
  const { prefix, number } = docket;
  const found = await readDocket(docket, context);
  return { docket: docketText(docket), prefix, number: String(number), ...found };
}

/**
 * Looks up an MC number or a docket number, for a tool: a number without a prefix is an MC number. Not an API
 * route.
 */
export const lookupMcOrDocket = lookupOperation({
  ...lookupMc,
  input: z.object({ mc: anyDocketInput }),
  output: z.object({ mc_number: mcNumber.optional(), ...DocketLookup.shape }),
  run: async ({ mc }, context) => ({
    ...mc.prefix === "MC" && { mc_number: String(mc.number) },
    ...await lookUpDocket(mc, context),
  }),
});

/** Shards of dockets read at the same time. */
const CONCURRENCY = 32;

/**
 * The USDOT numbers that list each of many dockets, in order of precedence. Dockets of one shard share
 * its read. Rethrows errors of the snapshot.
 */
export async function findDockets<Docket extends { kind: string; number: number }>(
  dockets: readonly Docket[],
  snapshot: Snapshot,
): Promise<Map<Docket, number[]>> {
  const { width } = snapshot.manifest.families.dockets;
  const shards = Map.groupBy(dockets, ({ number }) => Math.floor(number / width));
  const found = new Map<Docket, number[]>();
  await forEach([...shards.values()], { atOnce: CONCURRENCY, signal: undefined }, async (shard) => {
    await Promise.all(shard.map(async (docket) => {
      found.set(docket, await snapshot.docket(docket.kind, docket.number));
    }));
  });
  return found;
}
