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
const MEMBERS: GrowingBound = { atOnce: 3, aDay: 1, most: 30 };
/** The same for the day of the last inspection, which each inspection changes. */
const LAST_INSPECTION: GrowingBound = { atOnce: 5, aDay: 2, most: 50 };
/** Of a figure of the inspections, how far it may move. */
const FIGURES: GrowingBound = { atOnce: 3, aDay: 0.5, most: 15 };

/** Of the carriers of the previous snapshot, percent that the new one may lack. */
const MOST_LEFT = 1;

/** A measure, its bound, and what is measured in words. */
interface Measured {
  column: string;
  percent: number;
  max: number;
  of: string;
}

/** Gates on what `report.drift.changes` counts; none where nothing was compared. */
export function changeGates({ report, previous, paths }: ReportPair): Gate[] {
  const changes = report.drift?.changes;
  if (changes === undefined) return [];
  const { compared, left, members, inspections } = changes;
  const days = Math.max(1, daysFrom(previous.data_date, report.data_date));
  const gates = new Map<string, { path: string; all: Measured[] }>();
  const add = (name: string, path: string, measured: Measured): void => {
    const gate = gates.get(name) ?? { path, all: [] };
    gates.set(name, gate);
    gate.all.push(measured);
  };
  for (const [member, column, having, changed] of members) {
    const isLast = member === "last_inspection";
    const bound = isLast ? LAST_INSPECTION : MEMBERS;
    add(member, isLast ? paths.inspections : paths.census, {
      column,
      percent: percentOf(changed, having),
      max: noisy(boundAfter(days, bound), having),
      of: `${having} carriers that have it`,
    });
  }
  for (const [figure, column, sum, moved] of inspections) {
    add(figure, paths.inspections, {
      column,
      percent: percentOf(moved, sum),
      max: noisy(boundAfter(days, FIGURES), sum / 2),
      of: `${sum} in both snapshots`,
    });
  }
  return [
    {
      name: "carriers_left",
      measured: percentOf(left, compared + left),
      unit: "%",
      bound: { max: MOST_LEFT },
      broken: `${paths.census} lacks ${left} of the ${compared + left} carriers of the previous ` +
        "snapshot",
    },
    ...[...gates].map(([name, { path, all }]) => changeGate(name, { path, all, days })),
  ];
}

function boundAfter(days: number, { atOnce, aDay, most }: GrowingBound): number {
  return rounded(Math.min(most, atOnce + aDay * days));
}

/** One gate for all columns of a member: the one that is nearest to its bound, or farthest beyond. */
function changeGate(
  name: string,
  { path, all, days }: { path: string; all: Measured[]; days: number },
): Gate {
  const worst = all.reduce((a, b) => b.percent - b.max > a.percent - a.max ? b : a);
  const others = all.filter((each) => each !== worst && each.percent > each.max);
  const also = others.length === 0
    ? ""
    : `; also in ${others.map(({ column }) => column).join(", ")}`;
  return {
    name: `changed_${name}`,
    measured: worst.percent,
    unit: "%",
    bound: { max: worst.max },
    broken: `${path}: ${worst.column} differs in ${worst.percent}% of ${worst.of} from ` +
      `${days === 1 ? "a day ago" : `${days} days ago`}${also}`,
  };
}
