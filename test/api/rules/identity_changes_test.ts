import assert from "node:assert/strict";
import { toCarrier } from "../../../api/rules/carrier.ts";
import { changedLately } from "../../../api/rules/identity_changes.ts";
import type { RecordChange } from "../../../pipeline/snapshot/record/record.ts";
import { record } from "../../pipeline/snapshot/memory.ts";
import { contextOf } from "./arbitrary.ts";

const CHAIN = ["2026-09-05", "2026-09-06", "2026-10-03"].map((data_date) => ({
  id: data_date,
  data_date,
  manifest_sha256: "",
}));

/** Ids and details of the findings about changes. */
function findingsOf(today: string, changes: RecordChange[]): string[] {
  const carrier = toCarrier(record(7, { changes }), { ...contextOf(today), chain: CHAIN });
  const found = carrier.findings.filter(({ id }) => id.endsWith("_changed"));
  const lately = changedLately(record(7, { changes }), today);
  assert.equal(found.length > 0, lately);
  return found.map(({ id, detail }) => `${id}: ${detail}`);
}

Deno.test("changes of identity are findings for 30 days, one for each group, other changes never", () => {
  const changes: RecordChange[] = [
    { day: "2026-10-03", member: "power_units", was: 3 },
    { day: "2026-10-03", member: "city", was: "KENT" },
    { day: "2026-10-03", member: "state", was: "OH" },
    { day: "2026-09-06", member: "phone", isHidden: true },
  ];
  const source = "Source: FMCSA's census of Oct 3, 2026.";
  const between = "Between Sep 6 and Oct 3, 2026 the";
  const moved = `address_changed: ${between} city changed from "KENT" to blank. ` +
    `${between} state changed from "OH" to blank. ${source}`;
  const called = `phone_changed: Between Sep 5 and Sep 6, 2026 the phone number changed. ${source}`;
  assert.deepEqual(findingsOf("2026-10-06", changes), [moved, called]);
  assert.deepEqual(findingsOf("2026-10-07", changes), [moved]);
  assert.deepEqual(findingsOf("2026-10-06", changes.slice(0, 1)), []);
  assert.deepEqual(findingsOf("2026-12-06", changes), []);
  assert.equal(changedLately(record(7), "2026-10-06"), false);
});
