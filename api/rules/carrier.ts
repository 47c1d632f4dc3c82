/**
 * From a record and a day to the Carrier of the API. Pure: the same arguments give the same answer.
 *
 * @module
 */
import type { CarrierRecord, Docket } from "../../pipeline/snapshot/record.ts";
import { formatForPeople } from "./calendar.ts";
import { countIssues, runChecks } from "./checks.ts";
import { summarizeInspections, type Window } from "./inspections.ts";
import { mcs150State } from "./mcs150.ts";
import type { Carrier } from "./schemas.ts";

/** What an answer depends on beside the record. */
export interface CarrierContext {
  /** `YYYY-MM-DD` in New York. */
  today: string;
  /** The service's address without a final slash, e.g. `https://carriers.example`. */
  baseUrl: string;
  snapshot: {
    id: string;
    /** The day the data stands for, `YYYY-MM-DD`. */
    dataDate: string;
    /** Days whose inspections the records count. */
    window: Window;
  };
}

const OPERATIONS = {
  A: "Interstate",
  B: "Intrastate Hazmat",
  C: "Intrastate Non-Hazmat",
} as const;

const RATINGS = { S: "Satisfactory", C: "Conditional", U: "Unsatisfactory" } as const;

/**
 * The Carrier of a record. Blanks of the census stay recognizable: null where the contract allows it,
 * else a placeholder (`""`, 0, `Not reported`) named in `not_reported`.
 *
 * @throws {RangeError} When the USDOT number is not 1 to 99,999,999.
 * @throws {SyntaxError} When a date of the record or the context is not an existing `YYYY-MM-DD`.
 */
export function toCarrier(record: CarrierRecord, context: CarrierContext): Carrier {
  const { today, baseUrl, snapshot: { id, dataDate, window } } = context;
  const dot = String(record.dot);
  const mc = mainDocket(record.dockets);
  const mcs150 = mcs150State(record.dot, record.mcs150_date, today);
  const inspections = summarizeInspections(record.inspections, window);
  const checks = runChecks({
    record,
    mcs150,
    inspections,
    today,
    dataDate,
    window,
    dataDay: formatForPeople(dataDate),
  });
  return {
    dot,
    name: record.legal_name || (record.dba_name ?? ""),
    legal_name: record.legal_name,
    dba_name: record.dba_name ?? null,
    city: record.city ?? "",
    state: record.state ?? "",
    status: record.status === "A" ? "active" : "inactive",
    operation: record.operation === undefined ? "Not reported" : OPERATIONS[record.operation],
    mc_number: mc === undefined ? null : String(mc.number),
    mc_active: mc?.status === "A" ? true : mc?.status === "I" ? false : null,
    power_units: record.power_units ?? 0,
    drivers: record.drivers ?? 0,
    safety_rating: record.rating === undefined ? "Not rated" : RATINGS[record.rating],
    mcs150,
    inspections_24m: inspections,
    checks,
    issues: countIssues(checks),
    page_url: `${baseUrl}/carriers/${dot}`,
    snapshot: { id, data_date: dataDate },
    dockets: (record.dockets ?? []).map(({ prefix, number, status }) => ({
      prefix,
      number: String(number),
      status: status ?? null,
    })),
    not_reported: blanks(record),
  };
}

/** The first MC docket, an active one before any other. */
function mainDocket(dockets: readonly Docket[] = []): Docket | undefined {
  return dockets.find(({ prefix, status }) => prefix === "MC" && status === "A") ??
    dockets.find(({ prefix }) => prefix === "MC");
}

function blanks(record: CarrierRecord): Carrier["not_reported"] {
  const names: Carrier["not_reported"] = [];
  if (record.legal_name === "") names.push("legal_name");
  if (!record.city) names.push("city");
  if (!record.state) names.push("state");
  if (record.operation === undefined) names.push("operation");
  if (record.power_units === undefined) names.push("power_units");
  if (record.drivers === undefined) names.push("drivers");
  return names;
}
