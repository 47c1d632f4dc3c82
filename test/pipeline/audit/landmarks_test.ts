import assert from "node:assert/strict";
import { failuresOf } from "../../../pipeline/audit/gates.ts";
import {
  boundsOf,
  landmarkGates,
  landmarks,
  mergeLandmarks,
  noLandmarks,
  noteLandmark,
} from "../../../pipeline/audit/landmarks.ts";
import { dayNumber } from "../../../pipeline/fmcsa/fields.ts";
import type { Landmarks } from "../../../pipeline/audit/report.ts";
import type { Snapshot } from "../../../pipeline/snapshot/pinned_snapshot.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record.ts";
import { smallIndex } from "../search/small_index.ts";
import { sampleReport } from "../report/sample_report.ts";

const RECORDS = Array.from({ length: 1_000 }, (_, i): CarrierRecord => ({
  dot: i + 1,
  legal_name: `CARRIER ${i + 1}`,
  status: "A",
  power_units: 2,
  ...(i % 5 === 0 ? { rating: "S", rating_date: "2020-05-06" } : {}),
  inspections: {
    total: 4,
    last: "2026-03-01",
    violations: 0,
    vehicle: { inspections: 1, out_of_service: 0 },
    driver: { inspections: 1, out_of_service: 0 },
    hazmat: { inspections: 0, out_of_service: 0 },
  },
}));

/** Gathers records in parts, as partitions do. */
function gather(parts: CarrierRecord[][], dataDate = "2026-04-03"): Landmarks {
  const all = noLandmarks();
  for (const part of parts) {
    const found = noLandmarks(boundsOf(all));
    for (const record of part) noteLandmark(found, record, dayNumber(dataDate));
    mergeLandmarks(all, found);
  }
  return landmarks(all);
}

/** The search index of a snapshot of some records. */
async function indexOf(records: CarrierRecord[]) {
  await using index = await smallIndex(records);
  const files = await index.files();
  return {
    manifest: { search: index.built.manifest },
    read: (path: string) => Promise.resolve(files.get(path)),
  };
}

// No test here changes a name.
const ALL_NAMES = await indexOf(RECORDS);
const NO_NAMES = await indexOf([]);

/** Which landmark gates break when the snapshot has changed records, or none (null), in places. */
async function brokenLandmarks(
  change: (record: CarrierRecord, i: number) => CarrierRecord | null,
  { dataDate = "2026-04-04", isFound = true }: { dataDate?: string; isFound?: boolean } = {},
): Promise<string[]> {
  const { report } = sampleReport();
  const previous = { ...report, landmarks: gather([RECORDS]) };
  const sampled = new Map(previous.landmarks.sampled.status!.map(([dot], i) => [dot, i]));
  // The sampled ones first, so that "the first 15" are 15 of the sample.
  const now = RECORDS.map((record) => change(record, sampled.get(record.dot) ?? Infinity));
  const snapshot = {
    carrier: (dot: number) => Promise.resolve(now[dot - 1] ?? null),
    docket: () => Promise.resolve([]),
    ...(isFound ? ALL_NAMES : NO_NAMES),
  } as unknown as Snapshot;
  const paths = { census: "census.csv", inspections: "inspections.csv" };
  const gates = await landmarkGates(snapshot, {
    report: { ...report, data_date: dataDate },
    previous,
    paths,
  });
  return failuresOf(gates).map(({ gate }) => gate).sort();
}

type Change = (record: CarrierRecord, i: number) => CarrierRecord | null;

const LARGEST = gather([RECORDS]).largest;

const none: Change = (record) => record;
const lessLargest = (count: number): Change => (record) =>
  LARGEST.slice(0, count).includes(record.dot) ? null : record;
const lessSampled = (count: number): Change => (record, i) =>
  i < count && !LARGEST.includes(record.dot) ? null : record;
const inactive = (count: number): Change => (record, i) =>
  i < count ? { ...record, status: "I" } : record;
const unrated: Change = ({ rating: _, rating_date: __, ...record }) => record;
const worse: Change = (record) => record.rating ? { ...record, rating: "U" } : record;
const oneMoreInspection: Change = ({ inspections, ...record }) => ({
  ...record,
  inspections: { ...inspections!, total: 5 },
});
const uninspected: Change = ({ inspections: _, ...record }) => record;

Deno.test("landmarkGates() count carriers gone, and compare values by what the days explain, among those who have one", async () => {
  const kinds = ["driver_inspections", "inspections", "last_inspection", "vehicle_inspections"];
  const cases: [change: Change, broken: string[], dataDate?: string][] = [
    [none, []],
    [lessLargest(2), []],
    [lessLargest(3), ["largest_fleets"]],
    [lessSampled(60), ["sampled_carriers"]],
    // A day explains 7% of 200 carriers, a week 19%.
    [inactive(14), []],
    [inactive(15), ["changed_status"]],
    [inactive(38), [], "2026-04-10"],
    [inactive(39), ["changed_status"], "2026-04-10"],
    [unrated, ["changed_rating", "changed_rating_date"]],
    [worse, ["changed_rating"]],
    // Numbers by how far they moved
    [oneMoreInspection, [], "2026-04-13"],
    [oneMoreInspection, ["changed_inspections"]],
    [uninspected, kinds.map((kind) => `changed_${kind}`)],
  ];
  for (const [i, [change, broken, dataDate]] of cases.entries()) {
    const options = dataDate === undefined ? {} : { dataDate };
    assert.deepEqual(await brokenLandmarks(change, options), broken, `case ${i}`);
  }
});

Deno.test("landmarkGates() ask for sampled carriers by name, as people will", async () => {
  assert.deepEqual(await brokenLandmarks(none, { isFound: false }), ["golden_lookups"]);
});

Deno.test("landmarks() are the same however the records come, and another sample each day", () => {
  const whole = gather([RECORDS]);
  const parts = [RECORDS.slice(700).reverse(), RECORDS.slice(0, 30), RECORDS.slice(30, 700)];
  assert.deepEqual(gather(parts), whole);
  const dots = whole.sampled.legal_name!.map(([dot]) => dot);
  assert.equal(new Set(dots).size, 200);
  // From all over, not from one end.
  assert.ok(dots.filter((dot) => dot <= 500).length > 70);
  assert.equal(whole.sampled.rating!.length, 200);
  assert.equal(whole.sampled.third_docket!.length, 0);
  const next = new Set(gather([RECORDS], "2026-04-04").sampled.legal_name!.map(([dot]) => dot));
  assert.ok(dots.filter((dot) => next.has(dot)).length < 80);
});

Deno.test("landmarks() name the largest active fleets: those of inactive carriers are the absurd ones", () => {
  const fleets = Array.from({ length: 1_000 }, (_, i): CarrierRecord => ({
    ...RECORDS[i]!,
    status: i % 2 === 0 ? "A" : "I",
    power_units: i,
  }));
  const { largest } = gather([fleets.slice(0, 900), fleets.slice(900)]);
  assert.deepEqual(largest, Array.from({ length: 100 }, (_, i) => 999 - 2 * i));
});
