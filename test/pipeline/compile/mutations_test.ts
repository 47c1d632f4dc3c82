import assert from "node:assert/strict";
import { changeGates } from "../../../pipeline/audit/change_gates.ts";
import { failuresOf, GateError } from "../../../pipeline/audit/gates.ts";
import { CENSUS_WANTED, INSPECTION_WANTED } from "../../../pipeline/fmcsa/columns.ts";
import {
  CARGO,
  CENSUS_MEMBERS,
  DRIVERS,
  VEHICLE_PLACE,
} from "../../../pipeline/snapshot/record/members.ts";
import { folderSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { buildFiles, tempDir } from "./files.ts";
import { mutate, MUTATIONS, type Rows, rowsOf, texts } from "./mutations.ts";

type Columns = Partial<Record<keyof Rows, readonly string[]>>;

const VEHICLES = Object.keys(VEHICLE_PLACE);
/** Vehicle columns with a matching name. A record adds up columns that differ only in seats. */
const seats = (end: RegExp): string[] => VEHICLES.filter((column) => end.test(column));

/** Columns that are mutated together, because none of them affects another one in its group. */
const GROUPS: Columns[] = [
  { census: ["DOT_NUMBER"] },
  { census: ["STATUS_CODE"] },
  { inspections: ["DOT_NUMBER"] },
  { inspections: ["INSPECTION_ID"] },
  {
    census: [
      ...["MCS150_DATE", "ADD_DATE", "CARRIER_OPERATION", "CARSHIP", "CLASSDEF", "LEGAL_NAME"],
      ...["DBA_NAME", "PHY_STREET", "PHY_CITY", "PHY_STATE", "PHY_ZIP", "PHY_COUNTRY", "PHONE"],
      ...["POWER_UNITS", "TOTAL_DRIVERS", "HM_Ind", "MCS150_MILEAGE", "PRIOR_REVOKE_FLAG"],
      ...["PRIOR_REVOKE_DOT_NUMBER", "BUSINESS_ORG_DESC", "CRGO_CARGOOTHR_DESC", "REVIEW_TYPE"],
      ...["REVIEW_DATE", "RECORDABLE_CRASH_RATE", "DUN_BRADSTREET_NO", "UNDELIV_PHY"],
      ...["CARRIER_MAILING_UND_DATE", "SAFETY_RATING", "DOCKET1PREFIX"],
    ],
    inspections: [
      ...["VIOL_TOTAL", "DRIVER_VIOL_TOTAL", "DRIVER_OOS_TOTAL", "VEHICLE_VIOL_TOTAL"],
      ...["VEHICLE_OOS_TOTAL", "HAZMAT_OOS_TOTAL", "POST_ACC_IND", "REPORT_STATE"],
    ],
  },
  {
    census: [
      ...[...Object.keys(CARGO), ...Object.values(DRIVERS), ...CENSUS_MEMBERS.mailing.columns],
      ...VEHICLES.filter((column) => !/(SCHOOL|VAN|LIMO)_(9|16)/.test(column)),
      ...["SAFETY_RATING_DATE", "MCS150_MILEAGE_YEAR", "DOCKET2PREFIX", "DOCKET3PREFIX"],
    ],
    inspections: ["INSP_CARRIER_NAME", "INSP_INTERSTATE", "HAZMAT_VIOL_TOTAL"],
  },
  { census: [...seats(/_9_15$/), "DOCKET1"], inspections: ["INSP_LEVEL_ID"] },
  {
    census: [...seats(/(SCHOOL|LIMO)_16$/), "DOCKET2", "DOCKET3"],
    inspections: ["HAZMAT_PLACARD_REQ"],
  },
  {
    census: [1, 2, 3].map((slot) => `DOCKET${slot}_STATUS_CODE`),
    inspections: ["INSP_DATE"],
  },
];

/** Mutations that change no byte of a carrier's record, and why. OPERATIONS.md has this list. */
const HARMLESS = new Map([
  // The id only distinguishes two rows of one inspection: any unique numbers are fine.
  ["INSPECTION_ID", ["shuffled", "inverted", "shifted by a row"]],
]);

/** A later file, its date, and its mutations. */
const LATER = [
  {
    name: "a build refuses each column blank, constant, shuffled, inverted or shifted by a row",
    day: 1,
    dataDate: "2026-10-04",
    kinds: Object.keys(MUTATIONS),
  },
  {
    name: "a build refuses each column shuffled or inverted 48 days after the previous snapshot",
    day: 48,
    dataDate: "2026-11-20",
    kinds: ["shuffled", "inverted"],
  },
  {
    name: "a build refuses each column shuffled under a date seven weeks ahead",
    day: 1,
    dataDate: "2026-11-22",
    kinds: ["shuffled"],
  },
];

for (const { name, day, dataDate, kinds } of LATER) {
  Deno.test(name, async () => {
    await using dir = await tempDir();
    const rows = rowsOf(day);
    // The clock is as wrong as the date.
    const options = { search: false, dataDate, clock: { now: () => Date.parse(dataDate) } };
    const before = await buildFiles(dir.path, texts(rowsOf(0)), { search: false });
    const previous = folderSource(`${dir.path}/out`);
    const out = (of: string): string => `${dir.path}/${of}`;
    const sound = await buildFiles(dir.path, texts(rows), {
      ...options,
      previous,
      out: out("sound"),
    });
    const sums = sound.manifest.files.SHA256SUMS.sha256;
    /** The failures for mutated columns; undefined when the records stay byte-identical. */
    const refusal = async (columns: Columns, kind: string): Promise<string | undefined> => {
      const { census = [], inspections = [] } = columns;
      const changed = {
        census: mutate(rows.census, census, MUTATIONS[kind]!),
        inspections: mutate(rows.inspections, inspections, MUTATIONS[kind]!),
      };
      const built = await buildFiles(dir.path, texts(changed), {
        ...options,
        previous,
        out: out("changed"),
      }).catch((error) => error);
      if (built instanceof GateError) return afterYears(built);
      assert.equal(
        built.manifest?.files.SHA256SUMS.sha256,
        sums,
        `${kind}: not refused (${built})`,
      );
      await Deno.remove(out("changed"), { recursive: true });
      return undefined;
    };
    /** The failures if the previous snapshot were years older: bounds must not grow without limit. */
    const afterYears = ({ failures, refused: { report } }: GateError): string => {
      const old = { ...before.report, data_date: "2016-01-01" };
      const paths = { census: "census.csv", inspections: "inspections.csv" };
      return [
        ...failures.filter(({ gate }) => !gate.startsWith("changed_")),
        ...failuresOf(changeGates({ report, previous: old, paths })),
      ].map(({ message }) => message.replaceAll(/\w+ to \w+/g, "")).join("\n");
    };
    for (const group of GROUPS) {
      const names = Object.values(group).flat();
      for (const kind of kinds) {
        const said = await refusal(group, kind);
        for (const column of names) {
          if (HARMLESS.get(column)?.includes(kind)) {
            assert.equal(said, undefined, `${column} ${kind} is harmless`);
            continue;
          }
          assert.ok(said, `${column} ${kind} is not refused`);
          // In a group of columns, each one must break its own bound.
          const isNamed = names.length === 1 || new RegExp(`\\b${column}\\b`).test(said);
          assert.ok(isNamed, `${column} ${kind}: ${said}`);
        }
      }
    }
  });
}

Deno.test("the mutations cover every column that a build reads", () => {
  const tried = (role: keyof Rows): string[] => GROUPS.flatMap((group) => group[role] ?? []).sort();
  assert.deepEqual(tried("census"), [...CENSUS_WANTED].sort());
  assert.deepEqual(tried("inspections"), [...INSPECTION_WANTED].sort());
});
