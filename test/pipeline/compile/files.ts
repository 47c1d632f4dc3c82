/** Small files in FMCSA's layout for tests, and builds of them. */

import { build, type BuildOutcome } from "../../../pipeline/compile/build.ts";
import type { BuildOptions } from "../../../pipeline/compile/build_options.ts";
import { removeFolder } from "../../../pipeline/compile/spill/staging.ts";
import {
  CENSUS_COLUMNS,
  INSPECTION_COLUMNS,
  ORDER_COLUMNS,
} from "../../../pipeline/fmcsa/columns.ts";
import { openSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";

export type Row = Record<string, string>;

/** A clock fixed at 2026-10-04. */
export const CLOCK = { now: (): number => Date.UTC(2026, 9, 4, 16) };

/** A valid census row, with the given columns changed. */
export function censusRow(dot: number | string, columns: Row = {}): Row {
  return {
    DOT_NUMBER: String(dot),
    STATUS_CODE: "A",
    CARRIER_OPERATION: "A",
    LEGAL_NAME: `CARRIER ${dot}`,
    PHY_CITY: "AKRON",
    PHY_STATE: "OH",
    PHY_COUNTRY: "US",
    MCS150_DATE: "20250601",
    ADD_DATE: "20100101",
    POWER_UNITS: "5",
    TOTAL_DRIVERS: "6",
    HM_Ind: "N",
    ...columns,
  };
}

/** A valid inspection row, with the given columns changed. */
export function inspectionRow(id: number, dot: number | string, columns: Row = {}): Row {
  return {
    INSPECTION_ID: String(id),
    DOT_NUMBER: String(dot),
    INSP_DATE: "20260915",
    INSP_LEVEL_ID: "1",
    VIOL_TOTAL: "0",
    DRIVER_VIOL_TOTAL: "0",
    VEHICLE_VIOL_TOTAL: "0",
    DRIVER_OOS_TOTAL: "0",
    VEHICLE_OOS_TOTAL: "0",
    HAZMAT_VIOL_TOTAL: "0",
    HAZMAT_OOS_TOTAL: "0",
    ...columns,
  };
}

/** Enough good rows to keep a few bad ones below the bound. */
export function manyRows(more: Row[] = []): Row[] {
  return [...Array.from({ length: 4000 }, (_, i) => censusRow(1000 + i)), ...more];
}

/** The text of a census file. */
export function censusCsv(rows: Row[]): string {
  return csv(CENSUS_COLUMNS, rows);
}

/** The text of an inspection file. */
export function inspectionCsv(rows: Row[]): string {
  return csv(INSPECTION_COLUMNS, rows);
}

/** A valid row of the file of orders, with the given columns changed. */
export function orderRow(dot: number | string, columns: Row = {}): Row {
  return {
    DOT_NUMBER: String(dot),
    LEGAL_NAME: `CARRIER ${dot}`,
    OOS_DATE: "2026-09-20",
    OOS_REASON: "Denial of Access",
    STATUS: "ACTIVE",
    ...columns,
  };
}

/** The text of a file of orders. */
export function ordersCsv(rows: Row[]): string {
  return csv(ORDER_COLUMNS, rows);
}

export function csv(columns: readonly string[], rows: Row[]): string {
  const line = (fields: readonly string[]): string => fields.map(quote).join(",") + "\n";
  return line(columns) + rows.map((row) => line(columns.map((name) => row[name] ?? ""))).join("");
}

function quote(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

/** A temporary folder, deleted at the end of the test. */
export async function tempDir(): Promise<AsyncDisposable & { path: string }> {
  const path = await Deno.makeTempDir({ prefix: "snapshot-test-" });
  return { path, [Symbol.asyncDispose]: () => removeFolder(path) };
}

/** Writes both files into a folder and builds them into `<dir>/out`. */
export async function buildFiles(
  dir: string,
  files: { census: string | Uint8Array; inspections?: string | Uint8Array },
  options: Partial<BuildOptions> = {},
): Promise<BuildOutcome> {
  const { census, inspections = inspectionCsv([inspectionRow(1, 1)]) } = files;
  await Deno.writeFile(`${dir}/census.csv`, bytesOf(census));
  await Deno.writeFile(`${dir}/inspections.csv`, bytesOf(inspections));
  return await build({
    census: `${dir}/census.csv`,
    inspections: `${dir}/inspections.csv`,
    out: `${dir}/out`,
    dataDate: "2026-10-03",
    first: true,
    // A build refuses a future data date, so the clock is at that date or later.
    clock: { now: () => Math.max(CLOCK.now(), Date.parse(options.dataDate ?? "2026-10-03")) },
    ...options,
  });
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

/** Reads records back with the production reader. */
export async function readCarriers(
  root: string,
  dots: number[],
): Promise<(CarrierRecord | null)[]> {
  const reader = new SnapshotReader(openSource(root), { clock: CLOCK });
  return await reader.use((snapshot) => Promise.all(dots.map((dot) => snapshot.carrier(dot))));
}

/** Every file below a folder except a build's lock, which remains: path to bytes in hex. */
export async function tree(dir: string, below = ""): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for await (const entry of Deno.readDir(`${dir}${below}`)) {
    const path = `${below}/${entry.name}`;
    if (entry.isDirectory) { for (const [k, v] of await tree(dir, path)) files.set(k, v); }
    else if (entry.name !== ".build.lock") {
      files.set(path, (await Deno.readFile(`${dir}${path}`)).toHex());
    }
  }
  return new Map([...files].sort());
}
