/**
 * Report tables of the changes since the previous snapshot.
 *
 * @module
 */

import type { DayReport } from "../audit/day_changes.ts";
import type { BuildReport } from "../audit/report.ts";
import { counted, listed } from "../text.ts";
import { number, type ReportTable } from "./table.ts";

const STATUS: Record<string, string> = {
  A: "active",
  I: "inactive",
  P: "pending",
  new: "not in the census",
  gone: "not in the census",
};

const WORDS: Record<string, string> = {
  "not reported": "Not reported",
  new: "new in the census",
  gone: "no longer in the census",
};

/** Tables of the changes since the previous snapshot; none if there was no previous snapshot. */
export function dayTables({ changes }: BuildReport): ReportTable[] {
  if (changes === undefined) return [];
  const { added, changed, removed, largest } = changes;
  const bars = (
    id: string,
    title: string,
    rows: DayReport["members"],
    words: (label: string) => string = (label) => WORDS[label] ?? label,
  ): ReportTable => ({
    id,
    title,
    notes: ["Filed values that differ from the previous snapshot's."],
    columns: [{ title: "Label" }, number("Carriers")],
    rows: rows.map(([label, count]) => ({ cells: [words(label), counted(count)], value: count })),
    chart: { shape: "bars" },
  });
  const moves = (label: string): string => label.split(" ").map((one) => STATUS[one]).join(" to ");
  return [
    {
      id: "day",
      title: "Carriers that changed since the previous snapshot",
      notes: [],
      columns: [{ title: "What" }, number("Carriers")],
      rows: [["New in the census", added], ["Changed", changed], ["Left the census", removed]]
        .map(([what, count]) => ({ cells: [what as string, counted(count as number)] })),
    },
    {
      id: "day_largest",
      title: "Largest carriers that changed",
      notes: [],
      columns: [{ title: "USDOT number" }, number("Power units"), { title: "Changed" }],
      rows: largest.map(([dot, units, members]) => ({
        cells: [String(dot), counted(units), listed(members.map((one) => WORDS[one] ?? one))],
      })),
    },
    bars("day_members", "Changes by field", changes.members),
    bars("day_status", "Status changes", changes.status, moves),
    bars("day_states", "Changed carriers by state", changes.states),
    bars("day_fleets", "Changed carriers by power units", changes.fleets),
    ...daysTables(changes),
  ];
}

/** Tables of changes per day: new, changed and removed carriers. */
export function daysTables({ days }: Pick<DayReport, "days">): ReportTable[] {
  return (["New carriers", "Changed carriers", "Carriers that left"] as const).map((title, i) => ({
    id: ["days_added", "days_changed", "days_removed"][i]!,
    title: `${title} per day`,
    notes: ["By the data date of the first snapshot that has the change; 90 snapshots at most."],
    columns: [{ title: "Data date" }, number("Carriers")],
    rows: days.map(([day, ...counts]) => ({
      cells: [day, counted(counts[i]!)],
      value: counts[i]!,
    })),
    chart: { shape: "columns" },
  }));
}
