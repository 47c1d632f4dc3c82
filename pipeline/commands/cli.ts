/**
 * `deno task snapshot ...`: the commands of a maintainer.
 *
 * @module
 */

import { Command, CommanderError } from "commander";
import { registerBuild } from "./build.ts";
import { registerDaily } from "./daily.ts";
import { registerFetch } from "./fetch.ts";
import { registerGc } from "./gc.ts";
import { registerPublish } from "./publish.ts";
import { registerReport } from "./report.ts";
import { registerRollback } from "./rollback.ts";
import { registerShow } from "./show.ts";
import { registerStatus } from "./status.ts";
import { registerVerify } from "./verify.ts";
import { note } from "../io.ts";
import { messageOf } from "../text.ts";

const USAGE_ERROR = 2;

const HELP = `
The steps of a day:
  $ deno task snapshot fetch --to data
  $ deno task snapshot build --census data/company_census.csv \\
      --inspections data/vehicle_inspection.csv --out snapshots --previous snapshots
  $ deno task snapshot verify snapshots
  $ deno task snapshot show snapshots 286764
  $ deno task snapshot publish snapshots s3://carriers --public-url https://data.example.org
  $ deno task snapshot gc s3://carriers
All of them at once, and again the next day:
  $ deno task snapshot daily --to data --out snapshots

"deno task snapshot COMMAND --help" describes each command.`;

/** Runs the program with command-line arguments and sets the exit code. */
export async function main(args: readonly string[]): Promise<void> {
  const program = new Command("snapshot")
    .description(
      "Turn FMCSA's files into a snapshot, inspect it, publish it.",
    )
    .exitOverride()
    .showHelpAfterError('(try "--help")')
    .addHelpText("after", HELP);
  const commands = [
    registerFetch,
    registerBuild,
    registerVerify,
    registerShow,
    registerReport,
    registerDaily,
    registerPublish,
    registerStatus,
    registerRollback,
    registerGc,
  ];
  for (const register of commands) register(program);
  // A command copies the program's settings when it is made, so these are set on each.
  for (const command of program.commands) command.exitOverride().showHelpAfterError(true);
  try {
    await program.parseAsync([...args], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      Deno.exitCode = error.exitCode === 0 ? 0 : USAGE_ERROR;
      return;
    }
    note(messageOf(error));
    Deno.exitCode = 1;
  }
}

if (import.meta.main) await main(Deno.args);
