/** What the service says of the real companies whose rows the bundled sample carries. */

import assert from "node:assert/strict";
import { buildSample } from "../../pipeline/sample/build_sample.ts";
import { FIRST_SYNTHETIC_DOT } from "../../pipeline/sample/sample.ts";
import { openSource } from "../../pipeline/snapshot/open_source.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { tempDir } from "../pipeline/build/files.ts";
import { parseStrict } from "../pipeline/sample/parse.ts";
import { TestClock } from "../pipeline/snapshot/memory.ts";
import { call, testApp } from "./http/service.ts";

Deno.test("the sample gives no real carrier an inspection, a missed update or a new problem", async () => {
  // It once said "the update was missed" of rows copied before the day the sample stands for, and
  // "no roadside inspection" of fleets of 375 trucks whose inspections were never copied.
  await using dir = await tempDir();
  await buildSample(dir.path);
  const census = parseStrict(await Deno.readTextFile(`${dir.path}/files/company_census.csv`));
  const real = census.rows.filter((row) => Number(row.DOT_NUMBER) < FIRST_SYNTHETIC_DOT);
  assert.ok(real.some((row) => row.DOT_NUMBER === "286764"));
  for (const day of ["2026-10-03", "2026-12-31", "2027-03-31"]) {
    const clock = new TestClock(Date.parse(`${day}T16:00:00Z`));
    const reader = new SnapshotReader(openSource(dir.path), { clock });
    const { app } = testApp({ reader, clock });
    for (const row of real) {
      const { body } = await call(app, `/api/v1/carriers/${row.DOT_NUMBER}`);
      const about = `${day} ${body.name}: ${JSON.stringify(body.mcs150)}`;
      assert.equal(body.inspections_24m, null, about);
      assert.notEqual(body.mcs150.state, "overdue", about);
      // A gap is reported only where FMCSA's row itself has no filing date.
      assert.equal(body.mcs150.state === "unknown", row.MCS150_DATE === "", about);
      if (row.STATUS_CODE === "A") assert.equal(body.issues, 0, about);
    }
  }
});
