/**
 * Gates that look for carriers of the snapshot before in what was built, through the reader that will
 * serve it.
 *
 * @module
 */

import { lookUpFailures } from "../snapshot/golden.ts";
import type { Snapshot } from "../snapshot/pinned_snapshot.ts";
import type { CarrierRecord } from "../snapshot/record.ts";
import { daysFrom, type Gate, percentOf } from "./gates.ts";
import { fingerprints } from "./landmarks.ts";
import type { Comparison } from "./drift_gates.ts";

/** Carriers whose number, dockets and name are looked up. */
const GOLDEN = 50;
/** Shares of records that may differ: at once, and for each day between the two. */
const CHANGED = { atOnce: 5, aDay: 2 };

/** All gates of this file; none when the snapshot before named no carriers. */
export async function landmarkGates(
  snapshot: Snapshot,
  { report, previous, paths }: Comparison,
): Promise<Gate[]> {
  const { largest, sampled } = previous.landmarks;
  if (sampled.length === 0) return [];
  const fleets = await find(snapshot, largest);
  const now = await find(snapshot, sampled.map(([dot]) => dot));
  const pairs = sampled.flatMap(([, ...then], i) => now[i] ? [{ then, record: now[i] }] : []);
  const days = Math.max(1, daysFrom(previous.data_date, report.data_date));
  const changed = (part: 0 | 1): number =>
    pairs.filter(({ then, record }) => fingerprints(record)[part] !== then[part]).length;
  const inFile = (role: keyof typeof paths, part: 0 | 1): Gate => ({
    name: `sampled_${role}`,
    measured: percentOf(changed(part), pairs.length),
    unit: "%",
    bound: { max: CHANGED.atOnce + CHANGED.aDay * days },
    broken: `${paths[role]} says something else of ${changed(part)} of ${pairs.length} sampled ` +
      `carriers than ${days === 1 ? "a day" : `${days} days`} ago`,
  });
  return [
    ...(largest.length === 0 ? [] : [missing("largest_fleets", fleets, paths.census)]),
    missing("sampled_carriers", now, paths.census),
    inFile("census", 0),
    inFile("inspections", 1),
    await goldenGate(snapshot, { records: pairs.map(({ record }) => record), path: paths.census }),
  ];
}

/** One at a time: a thousand open files are too many for some systems. */
async function find(snapshot: Snapshot, dots: number[]): Promise<(CarrierRecord | null)[]> {
  const records: (CarrierRecord | null)[] = [];
  for (const dot of dots) records.push(await snapshot.carrier(dot));
  return records;
}

function missing(
  name: "largest_fleets" | "sampled_carriers",
  found: readonly (CarrierRecord | null)[],
  path: string,
): Gate {
  const gone = found.filter((record) => record === null).length;
  const what = name === "largest_fleets" ? "biggest fleets" : "sampled carriers";
  return {
    name,
    measured: percentOf(found.length - gone, found.length),
    unit: "%",
    bound: { min: 98 },
    broken: `${path} lacks ${gone} of the ${found.length} ${what} of the snapshot before`,
  };
}

async function goldenGate(
  snapshot: Snapshot,
  { records, path }: { records: CarrierRecord[]; path: string },
): Promise<Gate> {
  const asked = records.slice(0, GOLDEN);
  const problems: string[][] = [];
  for (const record of asked) problems.push(await lookUpFailures(snapshot, record));
  const failed = problems.filter((found) => found.length > 0);
  return {
    name: "golden_lookups",
    measured: percentOf(asked.length - failed.length, asked.length),
    unit: "%",
    bound: { min: 98 },
    broken: `What was built from ${path} cannot be asked: ${failed[0]?.[0]}`,
  };
}
