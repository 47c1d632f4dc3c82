/** A poisoned upstream never becomes current: each from the loopback server through the whole chain. */

import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { StepError } from "../../../pipeline/commands/daily.ts";
import { CENSUS_COLUMNS } from "../../../pipeline/fmcsa/columns.ts";
import { csv } from "../compile/files.ts";
import { parseStrict } from "../../synthetic/files.ts";
import { dayFile, startUpstream, type Upstream } from "./upstream.ts";

const WAY_OUT = /If the data is correct, give --force "REASON"/;

const GOOD_DAY = 4;
const BAD_DAY = 5;

/** One chain for all, since a refusal changes nothing: each meets the good day as the first did. */
let upstream: Upstream;

Deno.test.beforeAll(async () => {
  upstream = await startUpstream();
  upstream.serveDay(GOOD_DAY);
  await upstream.daily();
});

Deno.test.afterAll(async () => {
  await upstream[Symbol.asyncDispose]();
});

/** A bad day: the chain must stop at `step`, say so, and change nothing. */
async function refuses(
  poison: (upstream: Upstream) => void,
  { step, says }: { step: string; says: RegExp[] },
): Promise<void> {
  const before = await upstream.pointer();
  upstream.serveDay(BAD_DAY);
  poison(upstream);
  await assert.rejects(upstream.daily(), (error) => {
    assert.ok(error instanceof StepError, String(error));
    assert.equal(error.step, step);
    for (const part of says) assert.match(error.message, part);
    return true;
  });
  assert.equal(await upstream.pointer(), before);
  assert.deepEqual(upstream.published, [JSON.parse(before).snapshot]);
}

/** The census of the bad day with its rows changed. */
function censusOf(change: (row: Record<string, string>) => Record<string, string>): string {
  return csv(CENSUS_COLUMNS, parseStrict(dayFile("census", BAD_DAY)).rows.map(change));
}

Deno.test("daily refuses a census of a tenth of the rows", async () => {
  const lines = dayFile("census", BAD_DAY).split("\n");
  const few = lines.slice(0, 1 + Math.floor(lines.length / 10)).join("\n") + "\n";
  await refuses((upstream) => upstream.serve("census", few, BAD_DAY), {
    step: "build",
    says: [/company_census\.csv has 30\d rows, the previous snapshot had 30\d\d/, WAY_OUT],
  });
});

Deno.test("daily refuses inspections of a tenth of the rows", async () => {
  const lines = dayFile("inspections", BAD_DAY).split("\n");
  const few = lines.slice(0, 1 + Math.floor(lines.length / 10)).join("\n") + "\n";
  await refuses((upstream) => upstream.serve("inspections", few, BAD_DAY), {
    step: "build",
    says: [/vehicle_inspection\.csv has 54\d rows, the previous snapshot had 5\d{3}/, WAY_OUT],
  });
});

Deno.test("daily refuses rows whose fields are one column off, under the right header", async () => {
  const at = CENSUS_COLUMNS.indexOf("CLASSDEF");
  const lines: string[][] = parse(dayFile("census", BAD_DAY));
  const shifted = lines.map((cells, i) => i === 0 ? cells : cells.toSpliced(at, 1).concat(""));
  const text = shifted.map((cells) => cells.map((c) => `"${c}"`).join(",") + "\n").join("");
  await refuses((upstream) => upstream.serve("census", text, BAD_DAY), {
    step: "build",
    says: [
      /company_census\.csv: LEGAL_NAME is blank too often/,
      /changed_legal_name: 100%/,
      WAY_OUT,
    ],
  });
});

Deno.test("daily refuses a census in which all carriers are inactive", async () => {
  const text = censusOf((row) => ({ ...row, STATUS_CODE: "I" }));
  await refuses((upstream) => upstream.serve("census", text, BAD_DAY), {
    step: "build",
    says: [
      /company_census\.csv: only 0 of 30\d\d carriers are active in STATUS_CODE/,
      /STATUS_CODE is not spread as before: [AI] has/,
      WAY_OUT,
    ],
  });
});

Deno.test("daily refuses the files of an earlier day, also under a new date", async () => {
  const way = /Wait for FMCSA's next file/;
  const says = [/company_census\.csv is older than what is current/, way, WAY_OUT];
  await refuses((upstream) => upstream.serveDay(1), { step: "build", says });
  await refuses((upstream) => {
    for (const role of ["census", "inspections"] as const) {
      upstream.serve(role, dayFile(role, 1), BAD_DAY);
    }
  }, { step: "build", says: [...says, /census_newest_filing: -3 days/] });
});

Deno.test("daily refuses an error page that comes with status 200", async () => {
  const page = "<!DOCTYPE html>\n<html><body>Service unavailable</body></html>\n";
  await refuses((upstream) => upstream.serve("inspections", page, BAD_DAY), {
    step: "fetch",
    says: [
      /Cannot fetch "http:.*rows\.csv": the body is a web page \(markup\), not the file/,
      /Nothing was changed; try again when the file is there/,
    ],
  });
});

Deno.test("daily refuses a gzip file cut short at its source", async () => {
  const zipped = gzipSync(dayFile("census", BAD_DAY));
  await refuses((upstream) => upstream.serve("census", zipped.subarray(0, -5_000), BAD_DAY), {
    step: "build",
    says: [/company_census\.csv: the gzip data is damaged or cut short/, /Fetch it again/],
  });
});

Deno.test("daily refuses the two files swapped", async () => {
  await refuses((upstream) => {
    upstream.serve("census", dayFile("inspections", BAD_DAY), BAD_DAY);
    upstream.serve("inspections", dayFile("census", BAD_DAY), BAD_DAY);
  }, {
    step: "build",
    says: [
      /is the (Vehicle Inspection|Company Census) File where the/,
      /Give each of the two its own/,
    ],
  });
});

Deno.test("daily refuses a census whose names are all blank", async () => {
  const text = censusOf((row) => ({ ...row, LEGAL_NAME: "", DBA_NAME: "" }));
  await refuses((upstream) => upstream.serve("census", text, BAD_DAY), {
    step: "build",
    says: [/company_census\.csv: LEGAL_NAME is blank too often/, WAY_OUT],
  });
});
