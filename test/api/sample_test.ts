/** What the service reports about the real companies in the bundled sample. */

import assert from "node:assert/strict";
import { FIRST_SYNTHETIC_DOT } from "../../pipeline/sample/sample.ts";
import { openSource } from "../../pipeline/snapshot/sources/open_source.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { builtSample } from "../pipeline/sample/built_sample.ts";
import { parseStrict } from "../synthetic/files.ts";
import { TestClock } from "../pipeline/snapshot/memory.ts";
import { message } from "./a2a/service.ts";
import { serviceOn } from "./discovery/contract.ts";
import { call, from, requestOf } from "./http/service.ts";

Deno.test("no real carrier of the sample has an inspection, a missed update or a new problem", async () => {
  // Regression: rows copied before the sample's date read "the update was missed", and fleets of
  // 375 trucks whose inspections were never copied read "no roadside inspection".
  const sample = await builtSample();
  const census = parseStrict(await Deno.readTextFile(`${sample}/files/company_census.csv`));
  const real = census.rows.filter((row) => Number(row.DOT_NUMBER) < FIRST_SYNTHETIC_DOT);
  assert.ok(real.some((row) => row.DOT_NUMBER === "286764"));
  for (const day of ["2026-10-03", "2026-12-31", "2027-03-31"]) {
    const app = serviceOn(openSource(sample), { day });
    for (const row of real) {
      const { body } = await call(app, `/api/v1/carriers/${row.DOT_NUMBER}`);
      const about = `${day} ${body.name}: ${JSON.stringify(body.mcs150)}`;
      assert.equal(body.inspections_24m, null, about);
      assert.notEqual(body.mcs150.state, "overdue", about);
      // A gap is reported only where FMCSA's own row has no filing date.
      assert.equal(body.mcs150.state === "unknown", row.MCS150_DATE === "", about);
      if (row.STATUS_CODE === "A") assert.equal(body.issues, 0, about);
    }
  }
});

Deno.test("every surface that answers from a sample shows the sample's notice", async () => {
  const source = openSource(await builtSample());
  const notice = await new SnapshotReader(source, { clock: new TestClock() })
    .use(({ manifest }) => Promise.resolve(manifest.notice!));
  const app = serviceOn(source);
  const paths = [
    "/api/v1/carriers/286764",
    "/api/v1/carriers?q=general+transport",
    "/api/v1/mc/186800",
    "/api/v1/match?dot=286764&name=General+Transport",
    "/api/v1/health",
    "/ask?query=is+DOT+286764+active",
    "/ask?query=find+carriers+named+general",
    // Asks for a clarification, with options.
    "/ask?query=is+general+active",
  ];
  const params = { message: message("is DOT 286764 active") };
  const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params });
  for (const line of [...paths.map((path) => `GET ${path}`), `POST /a2a < ${call}`]) {
    const text = await (await app.fetch(requestOf(line).request, from())).text();
    assert.ok(text.includes(notice.slice(0, 40)), `${line}: ${text.slice(0, 300)}`);
  }
});
