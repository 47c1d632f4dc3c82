/**
 * Computes the Carrier of the API from a record and a day: a pure function.
 *
 * @module
 */
import type { PastSnapshot } from "../../pipeline/snapshot/chain.ts";
import type { CarrierRecord } from "../../pipeline/snapshot/record/record.ts";
import { ageInDays } from "../../pipeline/dates.ts";
import { censusOf, type CheckInput, type SnapshotDates } from "./check.ts";
import { checksOf, RATINGS } from "./checks.ts";
import { differencesOf } from "./differences.ts";
import { factsOf } from "./facts.ts";
import { findingsOf, verdictOf } from "./findings.ts";
import { mcs150Standing } from "./mcs150.ts";
import { listOrders } from "./orders.ts";
import { summarizeInspections } from "./out_of_service.ts";
import { mainDocket, OPERATION_WORDS } from "./words.ts";
import { type Carrier, FRESH_DAYS, type SnapshotFacts } from "./schemas.ts";

/** The snapshot a record was read from. */
export interface SnapshotRead {
  id: string;
  manifest: SnapshotDates;
}

/** What an answer depends on besides the record. */
export interface CarrierContext {
  /** `YYYY-MM-DD` in New York. */
  today: string;
  /** The service's address without a final slash, e.g. `https://carriers.example`. */
  baseUrl: string;
  snapshot: SnapshotRead;
  /** Leaves out the lists of inspections: an answer with many carriers is too long with them. */
  brief?: boolean;
  /** The day that was asked for, if any; `today` is then the same day. */
  asOf?: string | undefined;
  /** The chain of snapshots, which dates the record's changes; only needed if {@link changedLately}. */
  chain?: readonly PastSnapshot[];
}

/** The `snapshot` member of every answer from data. */
export function snapshotFacts(
  { id, manifest }: SnapshotRead,
  { today, asOf }: Pick<CarrierContext, "today" | "asOf">,
): SnapshotFacts {
  const { data_date, inspections_date, orders_date, notice } = manifest;
  const age_days = ageInDays(data_date, today);
  return {
    id,
    data_date,
    inspections_date,
    ...(orders_date === undefined ? {} : { orders_date }),
    age_days,
    stale: age_days > FRESH_DAYS,
    ...(asOf === undefined ? {} : { as_of: asOf }),
    ...(notice === undefined ? {} : { notice }),
  };
}

/**
 * The Carrier of a record. Blanks of the census stay recognizable: null where the contract allows it,
 * else a placeholder (`""`, 0, `Not reported`) named in `not_reported`.
 *
 * @throws {SyntaxError} When a date of the record or the context is not an existing `YYYY-MM-DD`.
 */
export function toCarrier(record: CarrierRecord, context: CarrierContext): Carrier {
  const { today, baseUrl, snapshot, brief = false, asOf, chain = [] } = context;
  const dates = snapshot.manifest;
  const dot = String(record.dot);
  const mc = mainDocket(record.dockets ?? []);
  const filing = { dot: record.dot, filed: record.mcs150_date, added: record.added };
  const standing = mcs150Standing(filing, today);
  const inspections = summarizeInspections(record.inspections, {
    window: dates.window,
    today,
    lists: !brief,
  });
  const census = censusOf(dates);
  const input: CheckInput = { record, mcs150: standing, inspections, today, dates, census };
  const checked = checksOf(input);
  const checks = checked.map(({ check }) => check);
  const differences = differencesOf(input);
  const findings = findingsOf(input, { checked, differences, chain });
  const { last_filed, next_due, days_until_due, state } = standing;
  const mcs150 = { last_filed, next_due, days_until_due, state };
  const safety_rating = record.rating === undefined ? "Not rated" : RATINGS[record.rating].word;
  return {
    dot,
    ...(asOf === undefined ? {} : { as_of: asOf }),
    name: record.legal_name || (record.dba_name ?? ""),
    legal_name: record.legal_name,
    dba_name: record.dba_name ?? null,
    city: record.city ?? "",
    state: record.state ?? "",
    status: record.status === "A" ? "active" : "inactive",
    operation: record.operation === undefined ? "Not reported" : OPERATION_WORDS[record.operation],
    mc_number: mc === undefined ? null : String(mc.number),
    mc_active: mc === undefined || mc.statuses !== undefined
      ? null
      : mc.status === "A"
      ? true
      : mc.status === "I"
      ? false
      : null,
    power_units: record.power_units ?? 0,
    drivers: record.drivers ?? 0,
    safety_rating,
    mcs150,
    inspections_24m: inspections,
    checks,
    issues: checks.filter(({ state }) => state === "warn" || state === "bad").length,
    findings,
    ...(dates.orders_date === undefined ? {} : listOrders(record)),
    verdict: verdictOf(findings, checks),
    page_url: `${baseUrl}/carriers/${dot}`,
    snapshot: snapshotFacts(snapshot, context),
    dockets: (record.dockets ?? []).map(({ prefix, number, status, statuses }) => ({
      prefix,
      number: String(number),
      status: statuses === undefined ? status ?? null : null,
      ...(statuses && { statuses }),
    })),
    ...factsOf(record),
    differences,
    not_reported: blanks(record),
    unusable: Object.entries(record.refused ?? {}).map(([member, filed]) => ({
      member,
      filed: filed === "" ? null : filed,
    })),
  };
}

function blanks(record: CarrierRecord): Carrier["not_reported"] {
  const names: Carrier["not_reported"] = [];
  if (record.legal_name === "") names.push("legal_name");
  if (!record.city) names.push("city");
  if (!record.state) names.push("state");
  for (const name of ["operation", "power_units", "drivers"] as const) {
    if (record[name] === undefined && record.refused?.[name] === undefined) names.push(name);
  }
  return names;
}
