import assert from "node:assert/strict";
import { snapshotFacts, toCarrier } from "../../../api/rules/carrier.ts";
import { record } from "../../pipeline/snapshot/memory.ts";
import { contextOf, contextOfDays } from "./arbitrary.ts";

Deno.test("an answer names its snapshot, the day asked for, and a notice if it is a sample", () => {
  const days = { census: "2026-10-03", inspections: "2026-10-02" };
  const factsOf = (today: string, more: { orders?: string; notice?: string; asOf?: string } = {}) =>
    snapshotFacts(contextOfDays({ today, ...days, ...more }).snapshot, { today, asOf: more.asOf });
  const facts = {
    id: "20261003-test",
    data_date: "2026-10-03",
    inspections_date: "2026-10-02",
    age_days: 3,
    stale: false,
  };
  assert.deepEqual(factsOf("2026-10-06"), facts);
  assert.deepEqual(factsOf("2026-10-07"), { ...facts, age_days: 4, stale: true });
  assert.deepEqual(
    factsOf("2026-10-06", { orders: "2026-10-01", notice: "Sample", asOf: "2026-10-06" }),
    { ...facts, orders_date: "2026-10-01", as_of: "2026-10-06", notice: "Sample" },
  );
});

Deno.test("a carrier has the day asked for only if one was", () => {
  const context = contextOf("2026-10-05");
  assert.ok(!("as_of" in toCarrier(record(7), context)));
  const { as_of, snapshot } = toCarrier(record(7), { ...context, asOf: "2026-10-05" });
  assert.deepEqual([as_of, snapshot.as_of], ["2026-10-05", "2026-10-05"]);
});

Deno.test("a carrier lists its inspections, unless it is one of many in an answer", () => {
  const rate = { inspections: 1, out_of_service: 0 };
  const summary = { total: 1, last: "2026-09-29", violations: 0, latest: [[1, "OH"] as [1, "OH"]] };
  const inspections = { ...summary, vehicle: rate, driver: rate, hazmat: rate };
  const listed = (brief?: boolean) =>
    toCarrier(record(7, { inspections }), { ...contextOf("2026-10-05"), ...(brief && { brief }) })
      .inspections_24m?.latest?.length;
  assert.deepEqual([listed(), listed(true)], [1, undefined]);
});

Deno.test("a docket has one status, none, or all that the row lists", () => {
  const listed = { prefix: "MC", number: 2, status: "A", statuses: ["A", "I"] };
  const dockets = [{ prefix: "FF", number: 1, status: "P" }, listed, { prefix: "MC", number: 3 }];
  const carrier = toCarrier(record(7, { dockets }), contextOf("2026-10-05"));
  assert.deepEqual(carrier.dockets, [
    { prefix: "FF", number: "1", status: "P" },
    { prefix: "MC", number: "2", status: null, statuses: ["A", "I"] },
    { prefix: "MC", number: "3", status: null },
  ]);
  assert.deepEqual([carrier.mc_number, carrier.mc_active], ["2", null]);
});
