/**
 * Gates on what changed from the previous snapshot, carrier by carrier: each filed member, each figure of the
 * inspections, and carriers that left.
 *
 * @module
 */

import { daysFrom, type Gate, noisy, percentOf, type ReportPair, rounded } from "./gates.ts";

/**
 * A bound in percent: so much at once and for each day, and never more than `most`. However long ago the
 * previous snapshot was, or a wrong date says it was, values in other rows are refused.
 */
interface GrowingBound {
  atOnce: number;
  aDay: number;
  most: number;
}

/** Of the carriers that have a value, those in which it may differ. */
const MEMBERS: GrowingBound = { atOnce: 3, aDay: 1, most: 15 };
/** The same for what each filing of the MCS-150 may change. */
const FILINGS: GrowingBound = { atOnce: 3, aDay: 1.5, most: 30 };
const FILED_AGAIN = ["mcs150_date", "mileage", "mileage_year", "power_units", "drivers"];
/** The same for the day of the last inspection. */
const LAST_INSPECTION: GrowingBound = { atOnce: 5, aDay: 2, most: 60 };
/** Of a figure of the inspections, how far it may move. */
const FIGURES: GrowingBound = { atOnce: 3, aDay: 0.5, most: 15 };

/** Carriers, or a sum of figures, below which there is no rate to judge. */
const FEWEST = 10;

/** Of the carriers of the previous snapshot, percent that the new one may lack. */
const MOST_LEFT = 1;

/** What changed in a column, its bound, and both in words. */
interface Measured {
  column: string;
  percent: number;
  max: number;
  change: string;
}

/** Gates on what `report.drift.changes` counts; none where nothing was compared. */
export function changeGates({ report, previous, paths }: ReportPair): Gate[] {
  const changes = report.drift?.changes;
  if (changes === undefined) return [];
  const { compared, left, members, inspections } = changes;
  const days = Math.max(1, daysFrom(previous.data_date, report.data_date));
  const gates = new Map<string, { path: string; columns: Measured[] }>();
  const add = (name: string, path: string, measured: Measured): void => {
    const gate = gates.get(name) ?? { path, columns: [] };
    gates.set(name, gate);
    gate.columns.push(measured);
  };
  for (const [member, column, having, changed] of members) {
    if (having < FEWEST) continue;
    const isLast = member === "last_inspection";
    const bound = isLast ? LAST_INSPECTION : FILED_AGAIN.includes(member) ? FILINGS : MEMBERS;
    const percent = percentOf(changed, having);
    const max = noisy(boundAfter(days, bound), having);
    const change = `differs for ${percent}% of the ${having} carriers that have it`;
    add(member, isLast ? paths.inspections : paths.census, { column, percent, max, change });
  }
  for (const [figure, column, sum, moved] of inspections) {
    if (sum < 2 * FEWEST) continue;
    const percent = percentOf(moved, sum);
    const max = noisy(boundAfter(days, FIGURES), sum / 2);
    add(figure, paths.inspections, { column, percent, max, change: `differs by ${percent}%` });
  }
  const broken = `${paths.census} lacks ${left} of the ${compared + left} carriers of the ` +
    "previous snapshot";
  return [
    {
      name: "carriers_left",
      measured: percentOf(left, compared + left),
      unit: "%",
      bound: { max: MOST_LEFT },
      broken,
    },
    ...[...gates].map(([name, gate]) => changeGate(name, { ...gate, days })),
  ];
}

function boundAfter(days: number, { atOnce, aDay, most }: GrowingBound): number {
  return rounded(Math.min(most, atOnce + aDay * days));
}

/** One gate for all columns of a member: it shows the one that is farthest beyond its bound, or nearest. */
function changeGate(
  name: string,
  { path, columns, days }: { path: string; columns: Measured[]; days: number },
): Gate {
  const beyond = ({ percent, max }: Measured): number => percent - max;
  const worst = columns.reduce((a, b) => beyond(b) > beyond(a) ? b : a);
  const others = columns.filter((each) => each !== worst && beyond(each) > 0);
  const also = others.length === 0
    ? ""
    : `, and so do ${others.map(({ column }) => column).join(", ")}`;
  const since = days === 1 ? "a day ago" : `${days} days ago`;
  return {
    name: `changed_${name}`,
    measured: worst.percent,
    unit: "%",
    bound: { max: worst.max },
    broken: `${path}: ${worst.column} ${worst.change}, compared with ${since}${also}`,
  };
}
