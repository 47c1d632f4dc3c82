import assert from "node:assert/strict";
import { GateError } from "../../../pipeline/audit/gates.ts";
import { CENSUS_FIELDS, INSPECTION_WANTED } from "../../../pipeline/fmcsa/columns.ts";
import { folderSource } from "../../../pipeline/snapshot/open_source.ts";
import { buildFiles, tempDir } from "./files.ts";
import { mutate, MUTATIONS, type Rows, rowsOf, texts } from "./mutations.ts";

type Columns = Partial<Record<keyof Rows, readonly string[]>>;

/** Columns changed at once: none of a group has to do with another one of it. */
const GROUPS: Columns[] = [
  { census: ["DOT_NUMBER"] },
  { census: ["STATUS_CODE"] },
  { inspections: ["DOT_NUMBER"] },
  { inspections: ["INSPECTION_ID"] },
  {
    census: [
      ...["MCS150_DATE", "ADD_DATE", "CARRIER_OPERATION", "CARSHIP", "CLASSDEF", "LEGAL_NAME"],
      ...["DBA_NAME", "PHY_CITY", "PHY_STATE", "PHY_COUNTRY", "POWER_UNITS", "TOTAL_DRIVERS"],
      ...["HM_Ind", "DOCKET1PREFIX"],
    ],
    inspections: ["VIOL_TOTAL", "DRIVER_OOS_TOTAL", "VEHICLE_OOS_TOTAL", "HAZMAT_OOS_TOTAL"],
  },
  { census: ["DOCKET1", "SAFETY_RATING"], inspections: ["INSP_DATE"] },
  { census: ["DOCKET1_STATUS_CODE", "SAFETY_RATING_DATE"], inspections: ["INSP_LEVEL_ID"] },
  {
    census: ["DOCKET2PREFIX", "DOCKET3PREFIX"],
    inspections: ["HAZMAT_PLACARD_REQ"],
  },
  { census: ["DOCKET2", "DOCKET3"], inspections: ["HAZMAT_VIOL_TOTAL"] },
  { census: ["DOCKET2_STATUS_CODE", "DOCKET3_STATUS_CODE"] },
];

/** Columns that a record states and no check, lookup or search reads. */
const FACTS_ONLY = new RegExp(
  "^(CRGO|OWN|TRM|TRP|CARRIER_MAILING|PRIOR_REVOKE|MCS150_MILEAGE|REVIEW|INTRASTATE|INTERSTATE|DRIVER_INTER)|" +
    "^(PHY_STREET|PHY_ZIP|PHONE|UNDELIV_PHY|BUSINESS_ORG_DESC|DUN_BRADSTREET_NO|RECORDABLE_CRASH_RATE|" +
    "TOTAL_INTRASTATE_DRIVERS|TOTAL_CDL|REPORT_STATE|POST_ACC_IND|DRIVER_VIOL_TOTAL|VEHICLE_VIOL_TOTAL|" +
    "INSP_CARRIER_NAME|INSP_INTERSTATE)$",
);

/** Mutations that no byte of a carrier's record depends on, and why. OPERATIONS.md has this list. */
const HARMLESS = new Map([
  // The id only distinguishes two rows of one inspection: any unique numbers will do.
  ["INSPECTION_ID", ["shuffled", "inverted", "shifted by a row"]],
]);

const OPTIONS = { search: false, dataDate: "2026-10-04" };

Deno.test("a build refuses each column blank, constant, shuffled, inverted or shifted by a row", async () => {
  await using dir = await tempDir();
  const today = rowsOf(1);
  await buildFiles(dir.path, texts(rowsOf(0)), { ...OPTIONS, dataDate: "2026-10-03" });
  const previous = folderSource(`${dir.path}/out`);
  const sound = await buildFiles(dir.path, texts(today), {
    ...OPTIONS,
    previous,
    out: `${dir.path}/sound`,
  });
  const sums = sound.manifest.files.SHA256SUMS.sha256;
  /** What is said of the columns when they are changed; undefined when no byte of a record is another. */
  const refusal = async (columns: Columns, kind: string): Promise<string | undefined> => {
    const { census = [], inspections = [] } = columns;
    const changed = {
      census: mutate(today.census, census, MUTATIONS[kind]!),
      inspections: mutate(today.inspections, inspections, MUTATIONS[kind]!),
    };
    const out = `${dir.path}/changed`;
    const built = await buildFiles(dir.path, texts(changed), { ...OPTIONS, previous, out })
      .catch((error) => error);
    if (built instanceof GateError) return built.message;
    assert.equal(built.manifest?.files.SHA256SUMS.sha256, sums, `${kind}: not refused (${built})`);
    await Deno.remove(out, { recursive: true });
    return undefined;
  };
  const tried = { census: new Set<string>(), inspections: new Set<string>() };
  for (const group of GROUPS) {
    const names = Object.values(group).flat();
    for (const kind of Object.keys(MUTATIONS)) {
      const said = await refusal(group, kind);
      for (const [role, columns] of Object.entries(group) as [keyof Rows, string[]][]) {
        for (const name of columns) {
          tried[role].add(name);
          if (HARMLESS.get(name)?.includes(kind)) {
            const alone = names.length === 1 ? said : await refusal({ [role]: [name] }, kind);
            assert.equal(alone, undefined, `${name} ${kind} is harmless`);
            continue;
          }
          assert.ok(said !== undefined, `${name} ${kind} is not refused`);
          // Of several columns each must break its own bound.
          if (names.length > 1) assert.ok(said.includes(name), `${name} ${kind}: ${said}`);
        }
      }
    }
  }
  // Of facts that no check reads, only the share of carriers that have them and a sample are compared.
  const read = CENSUS_FIELDS.flatMap(({ columns }) => columns)
    .filter((name) => !FACTS_ONLY.test(name));
  assert.deepEqual([...tried.census].sort(), read.sort());
  assert.deepEqual(
    [...tried.inspections].sort(),
    INSPECTION_WANTED.filter((name) => !FACTS_ONLY.test(name)).sort(),
  );
});
