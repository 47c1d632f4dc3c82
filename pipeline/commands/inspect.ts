/**
 * `snapshot verify`, `show` and `report`: inspect a snapshot.
 *
 * @module
 */

import type { Command } from "commander";
import { readReport } from "../audit/report.ts";
import { note, print, writeWhole } from "../io.ts";
import { startProgress } from "../progress.ts";
import { renderPage } from "../report/page.tsx";
import { renderText } from "../report/text.ts";
import { folderSource, openSource } from "../snapshot/sources/open_source.ts";
import { SnapshotReader } from "../snapshot/reader.ts";
import type { CarrierRecord } from "../snapshot/record/record.ts";
import type { Source } from "../snapshot/source.ts";
import { MAX_PROBLEMS, type Verification, verifySnapshot } from "../publish/verify.ts";
import { escapeInvisible, messageOf, plural } from "../text.ts";
import { dotArgument, interruptible } from "./shared.ts";

const LOCATION = "snapshot root: a folder or an http(s) address";

export function registerVerify(program: Command): void {
  program.command("verify")
    .description("check every object of a snapshot against its manifest")
    .argument("<location>", LOCATION)
    .option("--of <id>", "an older snapshot that is kept there (default: the current one)")
    .action(interruptible(async (signal, location: string, options: { of?: string }) => {
      const found = await verifyWithProgress(openSource(location), { ...options, signal });
      const { snapshot, objects, bytes, carriers, isWithoutSearch, problems } = found;
      for (const problem of problems) print(problem);
      const read = `${objects} objects, ${(bytes / 1e6).toFixed(1)} MB, ${carriers} carriers`;
      const kept = isWithoutSearch ? "; kept without its search index" : "";
      if (problems.length === 0) return print(`${snapshot} is valid: ${read}${kept}`);
      const most = problems.length < MAX_PROBLEMS ? "" : "at least ";
      const count = most + plural(problems.length, "problem");
      note(`${snapshot || location} is not valid: ${count} (${read} read)`);
      Deno.exitCode = 1;
    }));
}

export function verifyWithProgress(
  source: Source,
  options: { of?: string; signal: AbortSignal },
): Promise<Verification> {
  const progress = startProgress({ label: "verify", unit: "objects" });
  return verifySnapshot(source, { ...options, onProgress: progress.update }).finally(progress.end);
}

export function registerShow(program: Command): void {
  program.command("show")
    .description("print carriers of a snapshot as JSON")
    .argument("<location>", LOCATION)
    .argument("<dot...>", "USDOT numbers, 1 to 8 digits each", collectDot)
    .action(show);
}

async function show(location: string, dots: number[]): Promise<void> {
  const reader = new SnapshotReader(openSource(location));
  // `use` runs the callback again if the snapshot changes meanwhile, so it must not have side effects.
  const { snapshot, records } = await reader.use(async (snapshot) => {
    const records: (CarrierRecord | null)[] = [];
    for (const dot of dots) records.push(await snapshot.carrier(dot));
    return { snapshot, records };
  });
  const { data_date, notice } = snapshot.manifest;
  note(escapeInvisible(`Snapshot ${snapshot.id}, data of ${data_date}`));
  if (notice !== undefined) note(escapeInvisible(`Notice: ${notice}`));
  records.forEach((record, i) => {
    // The snapshot may be from an untrusted source, so its strings must not control the terminal.
    if (record !== null) {
      return print(JSON.stringify(record, null, 2).replace(/.+/g, escapeInvisible));
    }
    note(`USDOT number ${dots[i]} is not in this snapshot`);
    Deno.exitCode = 1;
  });
}

function collectDot(text: string, before: number[] | undefined): number[] {
  return [...before ?? [], dotArgument(text)];
}

export function registerReport(program: Command): void {
  program.command("report")
    .description("print the build report of a snapshot, and write it as a page with charts")
    .argument("<dir>", "snapshot root, the --out of a build")
    .action(report);
}

async function report(dir: string): Promise<void> {
  const source = folderSource(dir);
  const found = await readReport(source);
  const path = `${source.name}/report.html`;
  try {
    await writeWhole(path, renderPage(found)).catch((error) => {
      throw new Error(`Cannot write ${path}: ${messageOf(error)}`, { cause: error });
    });
  } finally {
    // Printed after the page is written, so that a closed pipe (`| head`) does not stop the page from being
    // written.
    print(renderText(found).trimEnd());
  }
  note(`Page with charts: ${path}`);
}
