import assert from "node:assert/strict";
import {
  countPair,
  countUnchanged,
  mergeRecordChanges,
  noRecordChanges,
  type RecordChangeCounts,
  recordChanges,
} from "../../../pipeline/audit/record_changes.ts";
import type { CarrierRecord, InspectionSummary } from "../../../pipeline/snapshot/record/record.ts";
import { positionOf } from "../../../pipeline/snapshot/record/rows.ts";
import { rowOf } from "../../../pipeline/snapshot/record/row_writer.ts";

const CARRIER: CarrierRecord = {
  dot: 1,
  legal_name: "CARRIER",
  status: "A",
  hazmat: false,
  roles: ["C"],
  cargo: "AB",
  vehicles: [0, 2],
  mailing: [null, "", "OH"],
  dockets: [{ prefix: "MC", number: 5, status: "A" }, { prefix: "FF", number: 6 }],
};

const INSPECTIONS: InspectionSummary = {
  total: 2,
  last: "2026-03-01",
  violations: 3,
  vehicle: { inspections: 2, out_of_service: 1 },
  driver: { inspections: 2, out_of_service: 0 },
  hazmat: { inspections: 0, out_of_service: 0 },
  latest: [[0, "OH", 1, 3, 2, 1, 1, 0, 0, 0, 2], [9, "TX", 1]],
};

const CARGO_AT = positionOf("cargo");

type Pair = [before: CarrierRecord | null, after: CarrierRecord | null];

function counted(pairs: Pair[], skipped: number[] = []): RecordChangeCounts {
  const counts = noRecordChanges(skipped);
  const row = (record: CarrierRecord | null) => record && rowOf(record);
  for (const [before, after] of pairs) countPair(counts, row(before), row(after));
  return counts;
}

/** The differences: each column with the count of carriers that have it, and of those that differ. */
function changed(pairs: Pair[], skipped: number[] = []): Record<string, [number, number]> {
  const { facts } = recordChanges(counted(pairs, skipped));
  return Object.fromEntries(
    facts.filter(([, , , by]) => by > 0)
      .map(([name, column, of, by]) => [`${name} ${column}`, [of, by]]),
  );
}

Deno.test("countPair() counts a removed carrier once, and as new when it returns", () => {
  const counts = noRecordChanges([]);
  const [row, left] = [rowOf(CARRIER), [1, { last_seen: 20_000 }]];
  countPair(counts, row, null);
  countPair(counts, left, null);
  assert.deepEqual([counts.left, counts.arrived], [1, 0]);
  countPair(counts, left, row);
  assert.deepEqual([counts.left, counts.arrived], [1, 1]);
  assert.deepEqual(recordChanges(counts).facts, []);
});

Deno.test("countPair() counts carriers that differ among those with a value in either snapshot", () => {
  const renamed = { ...CARRIER, legal_name: "ANOTHER" };
  const named = { ...CARRIER, dba_name: "NAME" };
  assert.deepEqual(
    changed([[CARRIER, renamed], [CARRIER, CARRIER], [named, CARRIER], [CARRIER, named]]),
    { "legal_name LEGAL_NAME": [4, 1], "dba_name DBA_NAME": [2, 2] },
  );
  const { compared, arrived, left } = counted([
    [CARRIER, renamed],
    [null, CARRIER],
    [CARRIER, null],
    [CARRIER, null],
  ]);
  assert.deepEqual([compared, arrived, left], [1, 1, 2]);
});

Deno.test("countPair() counts each column of a member, and only the uncommon among common values", () => {
  const after: CarrierRecord = {
    ...CARRIER,
    hazmat: true,
    roles: ["C", "B"],
    cargo: "AC",
    vehicles: [0, 2, 1],
    mailing: [null, null, "OH"],
    dockets: [
      { prefix: "MX", number: 5, status: "I" },
      { prefix: "MX", number: 6 },
      { prefix: "MC", number: 7 },
    ],
  };
  assert.deepEqual(changed([[CARRIER, after], [CARRIER, CARRIER]]), {
    "hazmat HM_Ind": [2, 1],
    "hazmat HM_Ind (Y)": [1, 1],
    "roles CARSHIP": [2, 1],
    "roles CARSHIP (not C)": [1, 1],
    "cargo CRGO_GENFREIGHT to CRGO_CARGOOTHR": [2, 1],
    "cargo CRGO_HOUSEHOLD": [2, 1],
    "cargo CRGO_METALSHEET": [1, 1],
    "vehicles OWNTRUCK to TRPLIMO_16": [2, 1],
    "vehicles OWNTRAIL": [1, 1],
    "mailing CARRIER_MAILING_STREET to CARRIER_MAILING_COUNTRY": [2, 1],
    "mailing CARRIER_MAILING_CITY": [2, 1],
    "dockets DOCKET1PREFIX to DOCKET3_STATUS_CODE": [2, 1],
    "dockets DOCKET1PREFIX": [1, 1],
    "dockets DOCKET1_STATUS_CODE": [2, 1],
    "dockets DOCKET2PREFIX": [2, 1],
    "dockets DOCKET3": [1, 1],
  });
  const { cargo: _, vehicles: __, mailing: ___, dockets: ____, ...less } = CARRIER;
  assert.deepEqual(changed([[less, CARRIER], [CARRIER, less]]), {
    "cargo CRGO_GENFREIGHT to CRGO_CARGOOTHR": [2, 2],
    "cargo CRGO_GENFREIGHT": [2, 2],
    "cargo CRGO_HOUSEHOLD": [2, 2],
    "vehicles OWNTRUCK to TRPLIMO_16": [2, 2],
    "vehicles OWNTRACT": [2, 2],
    "mailing CARRIER_MAILING_STREET to CARRIER_MAILING_COUNTRY": [2, 2],
    "mailing CARRIER_MAILING_CITY": [2, 2],
    "mailing CARRIER_MAILING_STATE": [2, 2],
    "dockets DOCKET1PREFIX to DOCKET3_STATUS_CODE": [2, 2],
    "dockets DOCKET1": [2, 2],
    "dockets DOCKET1_STATUS_CODE": [2, 2],
    "dockets DOCKET2PREFIX": [2, 2],
    "dockets DOCKET2": [2, 2],
  });
});

Deno.test("countPair() does not count a member whose parsing changed", () => {
  const after: CarrierRecord = { ...CARRIER, cargo: "Z", status: "I" };
  assert.deepEqual(changed([[CARRIER, after]], [CARGO_AT]), { "status STATUS_CODE": [1, 1] });
});

Deno.test("countPair() counts how far each carrier's inspection figures moved", () => {
  const before = { ...CARRIER, inspections: INSPECTIONS };
  const after = {
    ...CARRIER,
    inspections: {
      ...INSPECTIONS,
      violations: 5,
      vehicle: { inspections: 2, out_of_service: 0 },
      latest: [[0, "OH", 1, 3, 2, 1, 1], [9, "OK", 3, 2, 2]],
    } as InspectionSummary,
  };
  assert.deepEqual(changed([[before, after], [before, before]]), {
    "violations VIOL_TOTAL": [14, 2],
    "vehicle_oos VEHICLE_OOS_TOTAL": [3, 1],
    "vehicle_violations VEHICLE_VIOL_TOTAL": [10, 2],
    "post_crash POST_ACC_IND": [3, 1],
    "states REPORT_STATE": [8, 2],
    "levels INSP_LEVEL_ID": [8, 2],
  });
});

Deno.test("countPair() compares lists of inspections only if both are complete", () => {
  const before = { ...CARRIER, inspections: INSPECTIONS };
  const withTotal = (total: number): CarrierRecord => (
    { ...CARRIER, inspections: { ...INSPECTIONS, total, latest: [] } }
  );
  for (const pair of [[before, withTotal(51)], [withTotal(51), before]] as Pair[]) {
    assert.deepEqual(changed([pair]), { "inspections DOT_NUMBER": [53, 49] });
  }
  assert.deepEqual(Object.keys(changed([[before, withTotal(50)]])), [
    "inspections DOT_NUMBER",
    ...["vehicle_violations VEHICLE_VIOL_TOTAL", "driver_violations DRIVER_VIOL_TOTAL"],
    ...["post_crash POST_ACC_IND", "states REPORT_STATE", "levels INSP_LEVEL_ID"],
  ]);
});

/** A different number in each place. */
const DISTINCT: InspectionSummary = {
  total: 2,
  last: "2026-03-01",
  violations: 40,
  vehicle: { inspections: 41, out_of_service: 42 },
  driver: { inspections: 43, out_of_service: 44 },
  hazmat: { inspections: 45, out_of_service: 46 },
  latest: [[0, "OH", 1, 50, 51, 52, 53, 54, 55, 56, 3], [9, "TX", 2, 1]],
  interstate: [47, 0, 0],
  placarded: [48, 0, 0],
  renamed: [49, 0, 0],
};

Deno.test("countPair() reads each inspection figure from its own place, and none as 0", () => {
  const inspected = { ...CARRIER, inspections: DISTINCT };
  const pairs: Pair[] = [[CARRIER, inspected], [inspected, CARRIER], [CARRIER, CARRIER]];
  const { facts } = recordChanges(counted(pairs));
  const figures = facts.slice(facts.findIndex(([name]) => name === "inspections"));
  assert.deepEqual(figures.map(([name, , ...counts]) => [name, ...counts]), [
    ["inspections", 4, 4],
    ["violations", 80, 80],
    ["vehicle_inspections", 82, 82],
    ["vehicle_oos", 84, 84],
    ["driver_inspections", 86, 86],
    ["driver_oos", 88, 88],
    ["hazmat_inspections", 90, 90],
    ["hazmat_oos", 92, 92],
    ["interstate", 94, 94],
    ["placarded", 96, 96],
    ["renamed", 98, 98],
    ["vehicle_violations", 102, 102],
    ["driver_violations", 106, 106],
    ["hazmat_violations", 110, 110],
    ["post_crash", 2, 2],
    ["states", 4, 4],
    ["levels", 4, 4],
    ["last_inspection", 2, 2],
  ]);
  const [first] = DISTINCT.latest!;
  for (
    const [fact, last] of [["states REPORT_STATE", "OK"], ["levels INSP_LEVEL_ID", 3]] as const
  ) {
    const moved: InspectionSummary = {
      ...DISTINCT,
      latest: [first!, typeof last === "string" ? [9, last, 2, 1] : [9, "TX", last, 1]],
    };
    assert.deepEqual(changed([[inspected, { ...CARRIER, inspections: moved }]]), {
      [fact]: [4, 2],
    });
  }
});

Deno.test("countUnchanged() and mergeRecordChanges() give the same counts as countPair() of all pairs", () => {
  const inspected = { ...CARRIER, inspections: INSPECTIONS };
  const renamed = { ...inspected, legal_name: "ANOTHER" };
  const unchanged = noRecordChanges();
  countUnchanged(unchanged, rowOf(inspected), undefined);
  assert.deepEqual(unchanged, counted([[CARRIER, inspected]]));
  const skipped = noRecordChanges([CARGO_AT]);
  countUnchanged(skipped, rowOf(inspected), undefined);
  assert.deepEqual(skipped, counted([[CARRIER, inspected]], [CARGO_AT]));
  const same = noRecordChanges();
  const row = rowOf(inspected);
  countUnchanged(same, row, row[positionOf("inspections")]);
  assert.deepEqual(same, counted([[inspected, inspected]]));
  mergeRecordChanges(unchanged, counted([[CARRIER, renamed], [null, CARRIER]]));
  assert.deepEqual(unchanged, counted([[CARRIER, inspected], [CARRIER, renamed], [null, CARRIER]]));
});
