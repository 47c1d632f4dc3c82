import assert from "node:assert/strict";
import { failuresOf, type Gate } from "../../../pipeline/audit/gates.ts";
import {
  type Fleets,
  keepLargest,
  lookupGates,
  noteFleet,
} from "../../../pipeline/audit/landmarks.ts";
import type { Snapshot } from "../../../pipeline/snapshot/pinned_snapshot.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";
import { smallIndex } from "../search/small_index.ts";
import { sampleReport } from "../report/sample_report.ts";

const RECORDS = Array.from({ length: 1_000 }, (_, i): CarrierRecord => ({
  dot: i + 1,
  legal_name: `CARRIER ${i + 1}`,
  status: i % 2 === 0 ? "A" : "I",
  power_units: i,
}));

/** The carriers with the largest fleets, found part by part, as the build finds them by partition. */
function largestOf(parts: CarrierRecord[][]): number[] {
  const all: Fleets = [];
  for (const part of parts) {
    const fleets: Fleets = [];
    for (const record of part) noteFleet(fleets, record);
    all.push(...keepLargest(fleets));
  }
  return keepLargest(all).map(([dot]) => dot);
}

/** The search index of a snapshot of some records. */
async function indexOf(records: CarrierRecord[]) {
  await using index = await smallIndex(records);
  const files = await index.files();
  return {
    search: index.built.manifest,
    read: (path: string) => Promise.resolve(files.get(path)),
  };
}

const ALL_NAMES = await indexOf(RECORDS);
const NO_NAMES = await indexOf([]);
const LARGEST = largestOf([RECORDS]);

/** The gates in a snapshot without some carriers, or whose search finds some or none. */
async function lookups(gone: readonly number[], { search, read } = ALL_NAMES): Promise<Gate[]> {
  const { report } = sampleReport();
  const snapshot = {
    manifest: { search },
    carrier: (dot: number) => Promise.resolve(gone.includes(dot) ? null : RECORDS[dot - 1] ?? null),
    docket: () => Promise.resolve([]),
    read,
  } as unknown as Snapshot;
  return await lookupGates(snapshot, {
    previous: { ...report, landmarks: { largest: LARGEST } },
    paths: { census: "census.csv", inspections: "inspections.csv" },
  });
}

async function brokenLookups(...how: Parameters<typeof lookups>): Promise<string[]> {
  return failuresOf(await lookups(...how)).map(({ gate }) => gate);
}

Deno.test("lookupGates() looks up the largest fleets, by number and by name", async () => {
  assert.deepEqual(await brokenLookups([]), []);
  assert.deepEqual(await brokenLookups(LARGEST.slice(0, 2)), []);
  assert.deepEqual(await brokenLookups(LARGEST.slice(0, 3)), ["largest_fleets"]);
  assert.deepEqual(await brokenLookups([], NO_NAMES), ["golden_lookups"]);
});

Deno.test("lookupGates() lets one lookup of the 50 largest fleets fail, and says what fails first", async () => {
  const without = (...ranks: number[]) =>
    indexOf(RECORDS.filter(({ dot }) => !ranks.some((rank) => LARGEST[rank] === dot)));
  assert.deepEqual(await brokenLookups([], await without(0)), []);
  const [, golden] = await lookups([], await without(0, 49, 50));
  assert.equal(golden!.measured, 96);
  assert.match(golden!.broken, /made from census\.csv: A search for the name of USDOT 999 /);
});

Deno.test("lookupGates() says how many fleets are not there", async () => {
  const [lacks] = failuresOf(await lookups(LARGEST.slice(0, 3)));
  assert.match(lacks!.message, /^census\.csv lacks 3 of the 100 largest fleets/);
  assert.deepEqual(failuresOf(await lookups(LARGEST)).map(({ message }) => message), [
    "census.csv lacks 100 of the 100 largest fleets of the previous snapshot " +
    "(largest_fleets: 0%, allowed at least 98%)",
    "Lookups fail in the snapshot made from census.csv: none is there " +
    "(golden_lookups: 0%, allowed at least 98%)",
  ]);
});

Deno.test("lookupGates() checks nothing when the previous report lists no fleets", async () => {
  const { report } = sampleReport();
  const previous = { ...report, landmarks: { largest: [] } };
  const paths = { census: "census.csv", inspections: "inspections.csv" };
  assert.deepEqual(await lookupGates({} as Snapshot, { previous, paths }), []);
});

Deno.test("the largest fleets are those of active carriers, whatever the order of the records", () => {
  // Inactive carriers have the absurd fleet sizes.
  assert.deepEqual(LARGEST, Array.from({ length: 100 }, (_, i) => 999 - 2 * i));
  assert.deepEqual(largestOf([RECORDS.slice(700).reverse(), RECORDS.slice(0, 700)]), LARGEST);
});

Deno.test("a carrier without power units is no fleet, and of equal fleets the lower number is first", () => {
  const fleets: Fleets = [];
  const note = (dot: number, power_units?: number) =>
    noteFleet(fleets, {
      dot,
      legal_name: "CARRIER",
      status: "A",
      ...(power_units !== undefined && { power_units }),
    });
  note(1);
  note(2, 0);
  for (const dot of [5, 3, 4]) note(dot, 1);
  assert.deepEqual(keepLargest(fleets), [[3, 1], [4, 1], [5, 1]]);
});
