/** Bad upstream data never becomes current: each case runs the whole chain against a loopback server. */

import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { StepError } from "../../../pipeline/commands/daily.ts";
import { CENSUS_COLUMNS } from "../../../pipeline/fmcsa/columns.ts";
import { csv, type Row } from "../compile/files.ts";
import { parseStrict } from "../../synthetic/files.ts";
import { dayFile, startUpstream } from "./upstream.ts";

const WAY_OUT = /If the data is correct, give --force "REASON"/;

const GOOD_DAY = 4;
const BAD_DAY = 5;

/** One chain for all cases: a refusal changes nothing, so each case starts from the good day. */
const upstream = await startUpstream();
const target = `${upstream.dir}/public`;

Deno.test.afterAll(async () => await upstream[Symbol.asyncDispose]());

const CENSUS = dayFile("census", BAD_DAY);
const INSPECTIONS = dayFile("inspections", BAD_DAY);

function tenth(text: string): string {
  const lines = text.split("\n");
  return lines.slice(0, 1 + Math.floor(lines.length / 10)).join("\n") + "\n";
}

/** The census with one field removed from each row, and a blank field added at the row's end. */
function shifted(): string {
  const at = CENSUS_COLUMNS.indexOf("CLASSDEF");
  const lines: string[][] = parse(CENSUS);
  return lines.map((cells, i) => i === 0 ? cells : cells.toSpliced(at, 1).concat(""))
    .map((cells) => cells.map((cell) => `"${cell}"`).join(",") + "\n").join("");
}

/** The census with some columns equal in all rows. */
function changed(columns: Row): string {
  return csv(CENSUS_COLUMNS, parseStrict(CENSUS).rows.map((row) => ({ ...row, ...columns })));
}

interface Poison {
  census?: string | Uint8Array;
  inspections?: string | Uint8Array;
  /** The files' date. @default {BAD_DAY} */
  day?: number;
  /** The day of the census file's last change, as its host reports it. @default {day} */
  changed?: number;
  step?: "fetch" | "build";
  says: RegExp[];
}

const OLDER = [/company_census\.csv is older than what is current/, /Wait for FMCSA's next file/];
const OLD = { census: dayFile("census", 1), inspections: dayFile("inspections", 1) };

const POISONS: [name: string, Poison][] = [
  ["daily refuses a census of a tenth of the rows", {
    census: tenth(CENSUS),
    says: [/company_census\.csv has 10\d rows, the previous snapshot had 10\d\d/, WAY_OUT],
  }],
  ["daily refuses inspections of a tenth of the rows", {
    inspections: tenth(INSPECTIONS),
    says: [/vehicle_inspection\.csv has 18\d rows, the previous snapshot had 18\d\d/, WAY_OUT],
  }],
  ["daily refuses rows whose fields are one column off, under the right header", {
    census: shifted(),
    says: [
      /company_census\.csv: LEGAL_NAME is blank too often/,
      /changed_legal_name: 100%/,
      WAY_OUT,
    ],
  }],
  ["daily refuses a census in which all carriers are inactive", {
    census: changed({ STATUS_CODE: "I" }),
    says: [
      /company_census\.csv: only 0 of 10\d\d carriers are active in STATUS_CODE/,
      /STATUS_CODE differs for [4-6]\d\.\d+% of the 1000 carriers that have it, compared with/,
      WAY_OUT,
    ],
  }],
  ["daily refuses the files of an earlier day", { ...OLD, day: 1, says: [...OLDER, WAY_OUT] }],
  ["daily refuses the files of an earlier day under a new date", {
    ...OLD,
    says: [...OLDER, WAY_OUT, /census_newest_filing: -3 days/],
  }],
  ["daily refuses an error page that comes with status 200", {
    inspections: "<!DOCTYPE html>\n<html><body>Service unavailable</body></html>\n",
    step: "fetch",
    says: [
      /Cannot fetch "http:.*rows\.csv": the body is a web page \(markup\), not the file/,
      /Nothing was changed; try again when the file is there/,
    ],
  }],
  ["daily refuses a gzip file cut short at its source", {
    census: gzipSync(CENSUS).subarray(0, -5_000),
    says: [/company_census\.csv: the gzip data is damaged or cut short/, /Fetch it again/],
  }],
  ["daily refuses the two files swapped", {
    census: INSPECTIONS,
    inspections: CENSUS,
    says: [
      /is the (Vehicle Inspection|Company Census) File where the/,
      /Give each file its own/,
    ],
  }],
  ["daily refuses a census whose names are all blank", {
    census: changed({ LEGAL_NAME: "", DBA_NAME: "" }),
    says: [/company_census\.csv: LEGAL_NAME is blank too often/, WAY_OUT],
  }],
  // Regression: a date far in the future made the bounds so wide that nothing failed, and later the correct files
  // counted as older.
  ["daily refuses a data date that is days ahead of the clock", {
    changed: BAD_DAY + 2,
    says: [/Cannot use data of 2026-10-10: this machine's clock says 2026-10-08\./],
  }],
];

Deno.test.beforeAll(async () => {
  upstream.serveDay(GOOD_DAY);
  await upstream.daily({ target });
});

for (const [name, poison] of POISONS) {
  Deno.test(name, async () => {
    const { census = CENSUS, inspections = INSPECTIONS, day = BAD_DAY } = poison;
    const pointers = async () => [
      await upstream.pointer(),
      await Deno.readTextFile(`${target}/current.json`),
    ];
    const before = await pointers();
    upstream.serve("census", census, day);
    upstream.serve("inspections", inspections, day);
    if (poison.changed !== undefined) {
      const { behavior } = upstream.census;
      const ahead = (poison.changed - day) * 86_400_000;
      behavior.lastModified = new Date(Date.parse(behavior.lastModified!) + ahead).toUTCString();
    }
    await assert.rejects(upstream.daily({ target }), (error) => {
      assert.ok(error instanceof StepError, String(error));
      assert.equal(error.step, poison.step ?? "build");
      for (const part of poison.says) assert.match(error.message, part);
      return true;
    });
    assert.deepEqual(await pointers(), before);
  });
}
