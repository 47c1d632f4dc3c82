/**
 * One answer of each operation for the documents. They are made by the rules that make the real ones,
 * from rows of the bundled sample; a test compares them with what the service answers over it.
 *
 * @module
 */

import { EXAMPLES } from "../ask/schemas.ts";
import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import {
  type CarrierContext,
  snapshotFacts,
  type SnapshotRead,
  toCarrier,
} from "../rules/carrier.ts";
import { schedule } from "../rules/mcs150.ts";
import type { Carrier } from "../rules/schemas.ts";
import { ucrFee } from "../rules/ucr.ts";
import { ServiceError } from "../operations/errors.ts";
import { matched } from "../operations/match.ts";
import type { Health } from "../operations/health.ts";
import { API_VERSION } from "../operations/about.ts";
// As `deno task snapshot show` prints them.
import RECORDS from "./text/example_carriers.json" with { type: "json" };

/** The day in New York on which the examples were answered. */
export const EXAMPLE_DAY = "2026-10-16";

/** The bundled sample's snapshot, which `task start` serves. */
const WINDOW = { from: "2024-10-04", to: "2026-10-03" };
const READ: SnapshotRead = {
  id: "2026-10-03-30ed173a202a43e6",
  manifest: {
    data_date: "2026-10-03",
    inspections_date: WINDOW.to,
    window: WINDOW,
    notice:
      'Sample data: carriers numbered 90000000 and up are synthetic (their names end in "(SYNTHETIC SAMPLE)"), and so are their inspections. The others are real rows of FMCSA\'s census file, copied in 2026: they may be out of date, and the sample has no inspections for them.',
  },
};
const SNAPSHOT = snapshotFacts(READ, EXAMPLE_DAY);

export const EXAMPLE_JOB = "8e03978e-40d5-43e8-bc93-6894a57f9324";

/** A real carrier of the sample, and a synthetic one with inspections and problems. */
const [GENERAL_TRANSPORT, HUNTER_TRUCKING] = RECORDS as unknown as [CarrierRecord, CarrierRecord];

/** An answer that the documents show. */
export interface Example {
  summary: string;
  value: unknown;
}

/** The real carrier, as answered. */
export function exampleCarrier(baseUrl: string): Carrier {
  return toCarrier(GENERAL_TRANSPORT, contextOf(baseUrl));
}

function contextOf(baseUrl: string): CarrierContext {
  return { today: EXAMPLE_DAY, baseUrl, snapshot: READ };
}

/** Examples by operation id, then by name; the first is the one to show alone. */
export function answerExamples(baseUrl: string): Record<string, Record<string, Example>> {
  const real = exampleCarrier(baseUrl);
  const missing = new ServiceError(
    "not_found",
    "Cannot find USDOT number 99999999: not in this sample",
  );
  const items = [
    { dot: real.dot, ok: true, carrier: real },
    { dot: "99999999", ok: false, ...missing.body() },
  ];
  const job = {
    id: EXAMPLE_JOB,
    status: "queued",
    total: 2,
    done: 0,
    created_at: "2026-10-16T16:00:00.000Z",
    finished_at: null,
    expires_at: "2026-10-16T17:00:00.000Z",
    status_url: `${baseUrl}/api/v1/jobs/${EXAMPLE_JOB}`,
    snapshot: SNAPSHOT,
  };
  return {
    lookupCarrier: {
      real: { summary: "A real carrier", value: real },
      inspected: {
        summary: "A synthetic carrier with inspections and problems",
        value: toCarrier(HUNTER_TRUCKING, contextOf(baseUrl)),
      },
    },
    searchCarriers: {
      found: { summary: "A name and a city", value: searchResults(real) },
      nothing: {
        summary: "Nothing found",
        value: { query: "zzzzqx", count: 0, results: [], snapshot: SNAPSHOT },
      },
    },
    lookupMcNumber: {
      shared: {
        summary: "A docket that several carriers list",
        value: {
          mc_number: "143229",
          dot: "146793",
          page_url: `${baseUrl}/carriers/146793`,
          api_url: `${baseUrl}/api/v1/carriers/146793`,
          other_dots: ["329380", "381799", "381802"],
          snapshot: SNAPSHOT,
        },
      },
    },
    mcs150DueDate: {
      schedule: { summary: "A schedule", value: schedule(286764, EXAMPLE_DAY) },
    },
    ucrFee: { fee: { summary: "Four vehicles", value: ucrFee({ vehicles: 4 }) } },
    matchCarrier: {
      match: {
        summary: "A name and a city",
        value: {
          result: "match",
          carriers: [matched(real, REQUEST_EXAMPLES.matchCarrier!)],
          snapshot: real.snapshot,
        },
      },
    },
    getHealth: {
      old: { summary: "Data of two weeks ago, of the bundled sample", value: state(EXAMPLE_DAY) },
    },
    batchCarriers: {
      partly: {
        summary: "One found, one not",
        value: { count: 2, found: 1, results: items, snapshot: SNAPSHOT },
      },
    },
    createJob: { accepted: { summary: "Accepted", value: job } },
    getJob: {
      succeeded: {
        summary: "Succeeded, with results",
        value: {
          ...job,
          status: "succeeded",
          done: 2,
          finished_at: job.created_at,
          results: items,
        },
      },
    },
  };
}

function state(today: string): Health {
  const snapshot = snapshotFacts(READ, today);
  return {
    version: API_VERSION,
    snapshot,
    age_days: snapshot.age_days,
    stale: snapshot.stale,
    notice: READ.manifest.notice,
    window: WINDOW,
    counts: {
      carriers: 4134,
      active: 2126,
      inactive: 2006,
      pending: 2,
      dockets: 1740,
      inspections: 3288,
      carriers_inspected: 541,
    },
  };
}

function searchResults(real: Carrier): unknown {
  const { dot, name, dba_name, city, state, power_units, page_url } = real;
  return {
    query: "general transport akron",
    count: 1,
    results: [{ dot, name, dba_name, city, state, power_units, active: true, page_url }],
    snapshot: SNAPSHOT,
  };
}

/** Parameters of the request that the first example answers, by operation id. */
export const REQUEST_EXAMPLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  lookupCarrier: { dot: "286764" },
  searchCarriers: { q: "general transport akron", limit: "1" },
  lookupMcNumber: { mc: "143229" },
  mcs150DueDate: { dot: "286764" },
  ucrFee: { vehicles: "4" },
  matchCarrier: { dot: "286764", name: "General Transport", city: "Akron" },
  getJob: { id: EXAMPLE_JOB },
};

/** A call of a tool over MCP. */
export const MCP_CALL = {
  headers: {
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2025-11-25",
  },
  body: {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "lookup_carrier", arguments: { dot: "286764" } },
  },
} as const;

/** A question to the A2A agent. */
export const A2A_CALL = {
  headers: { "A2A-Version": "1.0" },
  body: {
    jsonrpc: "2.0",
    id: 1,
    method: "SendMessage",
    params: {
      message: { messageId: "1", role: "ROLE_USER", parts: [{ text: EXAMPLES.lookupCarrier[0] }] },
    },
  },
} as const;

/** Bodies of requests, by operation id. */
export const BODY_EXAMPLES: Readonly<Record<string, unknown>> = {
  batchCarriers: { dots: ["286764", "99999999"] },
  createJob: { dots: ["286764", "99999999"] },
};
