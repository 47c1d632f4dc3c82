/**
 * `deno task snapshot ...`: everything a maintainer does with the regulator's files.
 *
 * @module
 */

import { Command, CommanderError } from "commander";
import { registerBuild } from "./commands/build.ts";
import { registerDaily } from "./commands/daily.ts";
import { registerFetch } from "./commands/fetch.ts";
import { registerGc } from "./commands/gc.ts";
import { registerPublish } from "./commands/publish.ts";
import { registerReport } from "./commands/report.ts";
import { registerRollback } from "./commands/rollback.ts";
import { registerShow } from "./commands/show.ts";
import { registerStatus } from "./commands/status.ts";
import { registerVerify } from "./commands/verify.ts";
import { note } from "./io.ts";

const USAGE_ERROR = 2;

const HELP = `
A day's work:
  $ deno task snapshot fetch --to data
  $ deno task snapshot build --census data/company_census.csv \\
      --inspections data/vehicle_inspection.csv --out snapshots --previous snapshots
  $ deno task snapshot verify snapshots
  $ deno task snapshot show snapshots 286764
  $ deno task snapshot publish snapshots s3://carriers --public-url https://data.example.org
  $ deno task snapshot gc s3://carriers
All of it in one go, and again the day after:
  $ deno task snapshot daily --to data --out snapshots

"deno task snapshot COMMAND --help" tells about each.`;

/** Runs the program with command-line arguments; sets the exit code. */
export async function main(args: readonly string[]): Promise<void> {
  const program = new Command("snapshot")
    .description(
      "Turn the motor-carrier regulator's files into a snapshot, look into one, publish it.",
    )
    .exitOverride()
    .showHelpAfterError('(try "--help")')
    .addHelpText("after", HELP);
  registerFetch(program);
  registerBuild(program);
  registerVerify(program);
  registerShow(program);
  registerReport(program);
  registerDaily(program);
  registerPublish(program);
  registerStatus(program);
  registerRollback(program);
  registerGc(program);
  // Commands are copies of the settings at their making, so this comes after them.
  for (const command of program.commands) command.exitOverride().showHelpAfterError(true);
  try {
    await program.parseAsync([...args], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      Deno.exitCode = error.exitCode === 0 ? 0 : USAGE_ERROR;
      return;
    }
    note(error instanceof Error ? error.message : String(error));
    Deno.exitCode = 1;
  }
}

if (import.meta.main) await main(Deno.args);
