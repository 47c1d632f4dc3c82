/**
 * Reads the input files: the first pass over each, the data date, the window of inspections, and their
 * entries in the pointer.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { checkDataDate } from "../fmcsa/fields.ts";
import { compactDay, isoDay, utcDate, windowStart } from "../dates.ts";
import { readSidecar, type Sidecar, sidecarPath } from "../fmcsa/part.ts";
import type { Manifest, SourceFile } from "../snapshot/manifest.ts";
import type { FirstPass } from "./spill/first_pass.ts";
import type { InspectionWindow } from "./spill/inspection_rollup.ts";
import { type BuildRunner, inputSize } from "./pool.ts";
import type { Passes } from "./totals.ts";
import { ALL_ROLES, type InputRole, type OrdersReport, type SourceRole } from "../audit/report.ts";
import { messageOf } from "../text.ts";

export interface InputOptions extends Record<InputRole, string> {
  /** Out of Service Orders file, or why a requested one is missing. It never stops a build. */
  orders?: string | LeftOut | undefined;
  /**
   * Date of the census, `YYYY-MM-DD`. Default: the day it last changed at its source, or else its newest
   * day.
   */
  dataDate?: string;
  clock: Clock;
  /** Receives messages for the maintainer. */
  onNote?: (note: string) => void;
}

/** Why orders are left out, as stated in the manifest. */
export interface LeftOut {
  why: NonNullable<Manifest["orders"]>;
  /** For a file that was read and then refused: its report and its entry in the pointer. */
  refused?: { report: OrdersReport; source: SourceFile };
}

export interface ReadFiles {
  passes: Passes;
  /** Absent when orders are included or were not requested. */
  leftOut?: LeftOut;
  sources: SourceFile[];
  dataDate: string;
  window: InspectionWindow;
}

/** The first pass over each file; rows are spilled into `<dir>/<role>`. */
export async function readFiles(
  options: InputOptions,
  { dir, runner, onRead }: {
    dir: string;
    runner: BuildRunner;
    onRead: (bytes: number, total: number) => void;
  },
): Promise<ReadFiles> {
  const { clock, orders, onNote = () => {} } = options;
  const paths = { ...options, orders: typeof orders === "string" ? orders : undefined };
  const sidecars: Sidecars = {
    census: await trustedSidecar(paths.census),
    inspections: await trustedSidecar(paths.inspections),
    orders: paths.orders === undefined ? undefined : await trustedSidecar(paths.orders),
  };
  const given = options.dataDate ?? changedDay(sidecars.census);
  const origin = options.dataDate === undefined
    ? `the Last-Modified of the census file. Fetch it again when the host sends the right one, or ` +
      "build with --data-date"
    : "the one of --data-date";
  if (given !== undefined) checkDataDate(given, { clock, origin });
  const latest = compactDay(options.dataDate ?? utcDate(clock.now()));
  const total = await inputSize(options);
  const done = { census: 0, inspections: 0, orders: 0 };
  const read = async (kind: SourceRole): Promise<FirstPass> => {
    const hash = sidecars[kind] === undefined;
    const task = { kind, path: paths[kind]!, dir: `${dir}/${kind}`, latest, hash };
    return await runner.run(() => task, (bytes) => {
      done[kind] = bytes;
      onRead(done.census + done.inspections + done.orders, total);
    });
  };
  let leftOut = typeof orders === "string" ? undefined : orders;
  const readOrders = async (): Promise<FirstPass | undefined> => {
    if (paths.orders === undefined) return undefined;
    return await read("orders").catch((error) => {
      onNote(`${messageOf(error)}. Out-of-service orders are not included`);
      leftOut = { why: "unreadable" };
      return undefined;
    });
  };
  const [census, inspections, third] = await Promise.all([
    read("census"),
    read("inspections"),
    readOrders(),
  ]);
  const passes: Passes = { census, inspections, ...(third && { orders: third }) };
  const dataDate = options.dataDate ?? chooseDataDate(passes, { sidecars, onNote });
  // Each file has its own date; without a single inspection the window ends with the census.
  const to = inspections.newest || compactDay(dataDate);
  const sources = ALL_ROLES.flatMap((role) => {
    const pass = passes[role];
    return pass ? [sourceFile(role, { path: paths[role]!, pass, sidecar: sidecars[role] })] : [];
  });
  if (leftOut?.refused) sources.push(leftOut.refused.source);
  else if (leftOut?.why === "unreadable" && sidecars.orders) {
    const { orders: sidecar } = sidecars;
    sources.push(sourceFile("orders", { path: paths.orders!, pass: sidecar, sidecar }));
  }
  const window = { from: windowStart(to), to };
  return { passes, ...(leftOut && { leftOut }), sources, dataDate, window };
}

/** What `fetch` recorded about each file, where it did. */
type Sidecars = Record<SourceRole, Sidecar | undefined>;

/** What `fetch` recorded about a file. If the file was written later, its hash must be computed. */
async function trustedSidecar(path: string): Promise<Sidecar | undefined> {
  const sidecar = await readSidecar(path);
  if (sidecar === undefined) return undefined;
  const [file, record] = await Promise.all([Deno.stat(path), Deno.stat(sidecarPath(path))]);
  return file.mtime! <= record.mtime! ? sidecar : undefined;
}

/** The entry of an input file in the pointer. */
function sourceFile(
  role: SourceRole,
  { path, pass, sidecar }: {
    path: string;
    pass: Pick<FirstPass, "bytes" | "sha256">;
    sidecar: Sidecar | undefined;
  },
): SourceFile {
  const { url, etag, last_modified } = sidecar ?? {};
  return {
    role,
    name: path.slice(path.lastIndexOf("/") + 1),
    bytes: pass.bytes,
    sha256: (pass.sha256 ?? sidecar?.sha256)!,
    ...(url !== undefined && { url }),
    ...(etag !== undefined && { etag }),
    ...(last_modified !== undefined && { last_modified }),
  };
}

/** The day a file last changed at its source, if its host said so. */
function changedDay(sidecar: Sidecar | undefined): string | undefined {
  const changed = Date.parse(sidecar?.last_modified ?? "");
  return Number.isNaN(changed) ? undefined : utcDate(changed);
}

/** The census's own date: the day it last changed at its source, or else its newest day. */
function chooseDataDate(
  passes: Record<InputRole, FirstPass>,
  { sidecars, onNote }: { sidecars: Sidecars; onNote: (note: string) => void },
): string {
  const day = changedDay(sidecars.census);
  if (day !== undefined) {
    onNote(`Data date ${day}: the day the census file was last changed at its source`);
    return day;
  }
  const newest = passes.census.newest || passes.inspections.newest;
  if (newest === 0) {
    throw new Error("Cannot find the data date: no row has a date. Give it with --data-date");
  }
  onNote(`Data date ${isoDay(newest)}: the newest day in the census. --data-date sets another`);
  return isoDay(newest);
}
