/**
 * `deno task snapshot ...`: the maintainer's commands. Their help is in help.txt.
 *
 * @module
 */

import { Command, CommanderError } from "commander";
import { registerBuild, registerFetch } from "./build.ts";
import { registerDaily } from "./daily.ts";
import { registerReport, registerShow, registerVerify } from "./inspect.ts";
import { registerProve } from "./prove.ts";
import { helpOf } from "./shared.ts";
import { registerGc, registerPublish, registerRollback, registerStatus } from "./target.ts";
import { note, noteRaw, printRaw } from "../io.ts";
import { messageOf } from "../text.ts";

const USAGE_ERROR = 2;

const COMMANDS = [
  registerFetch,
  registerBuild,
  registerVerify,
  registerShow,
  registerReport,
  registerProve,
  registerDaily,
  registerPublish,
  registerStatus,
  registerRollback,
  registerGc,
];

export async function main(args: readonly string[]): Promise<void> {
  const program = new Command("snapshot")
    .description("Build a snapshot from FMCSA's files, inspect it and publish it.")
    .exitOverride()
    .configureOutput({ writeOut: printRaw, writeErr: noteRaw })
    .showHelpAfterError('(try "--help")')
    .addHelpText("after", helpOf("snapshot"));
  for (const register of COMMANDS) register(program);
  for (const command of program.commands) {
    command.showHelpAfterError(true).addHelpText("after", helpOf(command.name()));
  }
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
