/**
 * The flat columns of the exported files, derived from the table of census members: what a carrier filed, except
 * phone, street and mailing address, plus its dockets and counts of its inspections and orders.
 *
 * @module
 */

import {
  CARGO,
  CENSUS_MEMBERS,
  DRIVERS,
  MARKS,
  type Member,
  VEHICLES,
} from "../snapshot/record/members.ts";
import { RECORD_COLUMNS, SUMMARY_COLUMNS } from "../snapshot/record/rows.ts";

/** Frictionless type names. A `date` is exported as `YYYY-MM-DD` and stored as days since 1970-01-01. */
export type ExportType = "string" | "integer" | "number" | "boolean" | "date";

export type ExportValue = string | number | boolean | undefined;

export interface ExportColumn {
  name: string;
  type: ExportType;
  what: string;
  /** A 64-bit integer: the mileage of the largest fleets doesn't fit in 32 bits. */
  isLong?: true;
  /** All possible values, for columns with few of them. */
  codes?: readonly string[];
  /** Position in the stored row of the value that this column is computed from. */
  at: number;
  /** Computes the value from the stored one; undefined if absent. @default {the stored value} */
  of?: (stored: never) => ExportValue;
}

const TYPES: Readonly<Partial<Record<Member["kind"], ExportType>>> = {
  text: "string",
  place: "string",
  list: "string",
  duns: "string",
  code: "string",
  letter: "string",
  flag: "boolean",
  mark: "boolean",
  count: "integer",
  year: "integer",
  decimal: "number",
  day: "date",
};

type Described = Pick<ExportColumn, "type" | "what" | "codes" | "isLong">;

function column(
  name: string,
  described: Described,
  member = name,
  of?: (stored: never) => ExportValue,
): ExportColumn {
  const at = RECORD_COLUMNS.findIndex(([column]) => column === member);
  return { name, ...described, at, ...(of && { of }) };
}

function columnsOf(name: string, member: Member): ExportColumn[] {
  if (member.isHidden) return [];
  if (name === "cargo") return [CARGO_COLUMN];
  if (name === "driver_counts") return DRIVER_COLUMNS;
  if (name === "vehicles") return VEHICLE_COLUMNS;
  const { kind, columns, codes } = member;
  const what = `${columns.join(", ")} of the census`;
  const coded = kind === "code" && codes !== undefined && { codes: [...codes] };
  const long = name === "mileage" && { isLong: true } as const;
  return [column(name, { type: TYPES[kind]!, what, ...coded, ...long })];
}

const CARGO_NAMES = Object.fromEntries(
  Object.values(CARGO).map((name, i) => [MARKS[i]!, name]),
);

const CARGO_COLUMN = column(
  "cargo",
  { type: "string", what: "Kinds of cargo that are marked, separated by semicolons" },
  "cargo",
  (marks: string) => {
    let names = "";
    for (const mark of marks) names += `${names && ";"}${CARGO_NAMES[mark]}`;
    return names;
  },
);

const DRIVER_COLUMNS = (["interstate", "intrastate", "cdl"] as const).map((reach) => {
  const place = Object.keys(DRIVERS).indexOf(reach);
  const what = `${DRIVERS[reach]} of the census`;
  return column(
    `drivers_${reach}`,
    { type: "integer", what },
    "driver_counts",
    (counts: (number | null)[]) => counts[place] ?? undefined,
  );
});

const KINDS = Object.keys(VEHICLES);

const FREIGHT = ["trucks", "tractors", "trailers"];

const VEHICLE_COLUMNS = [...FREIGHT, "passenger_vehicles"].map((name) => {
  const isCounted = (kind: string) =>
    FREIGHT.includes(kind) ? kind === name : !FREIGHT.includes(name);
  const kinds = KINDS.filter(isCounted).join(", ").replaceAll("_", " ");
  // The stored list has the counts of all kinds owned, then term-leased, then trip-leased.
  const places = [...KINDS, ...KINDS, ...KINDS].flatMap((kind, i) => isCounted(kind) ? [i] : []);
  return column(
    name,
    { type: "integer", what: `Owned and leased ${kinds}` },
    "vehicles",
    (sums: number[]) => {
      let sum = 0;
      for (const place of places) if (place < sums.length) sum += sums[place]!;
      return sum;
    },
  );
});

function inspectionColumn(
  name: string,
  described: Described,
  of: readonly [member: string, place?: number],
): ExportColumn {
  const [member, place] = of;
  const at = SUMMARY_COLUMNS.findIndex(([column]) => column === member);
  return column(name, described, "inspections", (stored: unknown[]) => {
    const value = stored[at];
    return (place === undefined ? value : (value as number[])[place]) as ExportValue;
  });
}

const COUNT = { type: "integer" } as const;

/** The columns in the order of the exported files, which is also the order of their positions in a row. */
export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  column("dot", { ...COUNT, what: "USDOT number, ascending, each once" }),
  ...Object.entries<Member>(CENSUS_MEMBERS).flatMap(([name, member]) => columnsOf(name, member)),
  column(
    "dockets",
    { type: "string", what: "Docket numbers such as MC-186800, separated by semicolons" },
    "dockets",
    (dockets: [string, number][]) =>
      dockets.map(([prefix, number]) => `${prefix}-${number}`).join(";"),
  ),
  inspectionColumn(
    "inspections",
    { ...COUNT, what: "Roadside inspections in the 24 months of the snapshot; absent without any" },
    ["total"],
  ),
  inspectionColumn("last_inspection", { type: "date", what: "Day of the newest" }, ["last"]),
  ...(["vehicle", "driver"] as const).flatMap((kind) => [
    inspectionColumn(
      `${kind}_inspections`,
      { ...COUNT, what: `Those that count in the ${kind} out-of-service rate` },
      [kind, 0],
    ),
    inspectionColumn(
      `${kind}_out_of_service`,
      { ...COUNT, what: `Of them with an out-of-service violation of the ${kind}` },
      [kind, 1],
    ),
  ]),
  column(
    "refused",
    {
      type: "string",
      what:
        "Columns that are absent since what was filed there cannot be used, separated by semicolons",
    },
    "refused",
    (refused: Record<string, string>) => Object.keys(refused).join(";"),
  ),
  column(
    "oos_orders",
    { ...COUNT, what: "Out-of-service orders that are listed, rescinded ones too" },
    "orders",
    (orders: unknown[]) => orders.length,
  ),
  column(
    "last_oos_order",
    { type: "date", what: "Day of the newest order; absent if its dates cannot be used" },
    "orders",
    ([order]: unknown[][]) => usableDay(order, 0),
  ),
  column(
    "last_oos_order_rescinded",
    { type: "date", what: "Day of its rescission, which may be after the data date" },
    "orders",
    ([order]: unknown[][]) => usableDay(order, 2),
  ),
];

/** A day of a stored order; undefined if the date is unusable, which is stored as text. */
function usableDay(order: unknown[] | undefined, at: number): number | undefined {
  const day = order?.[at];
  return typeof day === "number" ? day : undefined;
}
