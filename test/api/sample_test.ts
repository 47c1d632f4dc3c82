/** What the service says of the real companies whose rows the bundled sample carries. */

import assert from "node:assert/strict";
import { FIRST_SYNTHETIC_DOT } from "../../pipeline/sample/sample.ts";
import { openSource } from "../../pipeline/snapshot/open_source.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { builtSample } from "../pipeline/sample/built_sample.ts";
import { parseStrict } from "../synthetic/files.ts";
import { TestClock } from "../pipeline/snapshot/memory.ts";
import { a2aMount } from "../../api/a2a/http.ts";
import { askMount } from "../../api/ask/http.ts";
import { message } from "./a2a/service.ts";
import { BASE_URL, call, from, testApp } from "./http/service.ts";

Deno.test("no real carrier of the sample has an inspection, a missed update or a new problem", async () => {
  // It once said "the update was missed" of rows copied before the sample's date, and
  // "no roadside inspection" of fleets of 375 trucks whose inspections were never copied.
  const sample = await builtSample();
  const census = parseStrict(await Deno.readTextFile(`${sample}/files/company_census.csv`));
  const real = census.rows.filter((row) => Number(row.DOT_NUMBER) < FIRST_SYNTHETIC_DOT);
  assert.ok(real.some((row) => row.DOT_NUMBER === "286764"));
  for (const day of ["2026-10-03", "2026-12-31", "2027-03-31"]) {
    const clock = new TestClock(Date.parse(`${day}T16:00:00Z`));
    const reader = new SnapshotReader(openSource(sample), { clock });
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

Deno.test("the notice of a sample reaches every surface that answers from it", async () => {
  const clock = new TestClock(Date.parse("2026-10-03T16:00:00Z"));
  const reader = new SnapshotReader(openSource(await builtSample()), { clock });
  const notice = await reader.use(({ manifest }) => Promise.resolve(manifest.notice!));
  const deps = { reader, clock, baseUrl: BASE_URL, log: (line: string) => assert.fail(line) };
  const { app } = testApp({ ...deps, mounts: [askMount(deps), a2aMount(deps)] });
  const paths = [
    "/api/v1/carriers/286764",
    "/api/v1/carriers?q=general+transport",
    "/api/v1/mc/186800",
    "/api/v1/match?dot=286764&name=General+Transport",
    "/api/v1/health",
    "/ask?query=is+DOT+286764+active",
    "/ask?query=find+carriers+named+general",
    // Asks back, with options.
    "/ask?query=is+general+active",
  ];
  const params = { message: message("is DOT 286764 active") };
  const requests = paths.map((path) => new Request(BASE_URL + path));
  requests.push(
    new Request(`${BASE_URL}/a2a`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params }),
    }),
  );
  for (const request of requests) {
    const text = await (await app.fetch(request, from())).text();
    assert.ok(text.includes(notice.slice(0, 40)), `${request.url}: ${text.slice(0, 300)}`);
  }
});
