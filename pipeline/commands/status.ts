/**
 * `snapshot status`.
 *
 * @module
 */

import type { Command } from "commander";
import { SYSTEM_CLOCK } from "../clock.ts";
import { print } from "../io.ts";
import { type Status, statusOf } from "../publish/status.ts";
import { plain } from "../text.ts";
import { withInterrupt } from "./arguments.ts";
import { sizeOf } from "./gc.ts";
import { openTarget, TARGET_HELP } from "./target.ts";

const HELP = `
Tells which snapshot readers of TARGET see, how old its data are, what lies there, what gc would do with
each, and who works there now. Changes nothing.
${TARGET_HELP}

Examples:
  $ deno task snapshot status s3://carriers
  $ deno task snapshot status s3://carriers --json

Exit codes: 0 told, 1 nothing is published there or it cannot be read, 2 wrong arguments.`;

/** Adds `status` to the program. */
export function registerStatus(program: Command): void {
  program.command("status")
    .description("tell what is published where")
    .argument("<target>", "a folder or s3://bucket/prefix")
    .option("--json", "as one JSON object")
    .addHelpText("after", HELP)
    .action((target: string, { json }: { json?: boolean }) =>
      withInterrupt(async (signal) => {
        const status = await statusOf(openTarget(target), { clock: SYSTEM_CLOCK, signal });
        if (json) print(JSON.stringify(status));
        else for (const line of lines(status)) print(plain(line));
        if (status.pointer === null) Deno.exitCode = 1;
      })
    );
}

function lines({ target, pointer, age_days, snapshots, lease }: Status): string[] {
  const told: [string, string | undefined][] = pointer === null
    ? [["current", `nothing is published at ${target}`]]
    : [
      ["current", pointer.snapshot],
      ["data of", `${pointer.data_date}, ${age_days} days ago`],
      ["published", pointer.published_at],
      ["number", pointer.sequence?.toString()],
      ["reason", pointer.reason],
      ["withdrawn", pointer.withdrawn],
      ["previous", pointer.previous?.snapshot],
    ];
  told.push([
    "at work",
    lease === null ? "nobody" : `${lease.owner}, holds the lease until ${lease.expires}`,
  ]);
  return [
    ...told.flatMap(([name, value]) => value === undefined ? [] : `${name.padEnd(10)} ${value}`),
    ...snapshots.map((one) =>
      `${one.id}  ${sizeOf(one)}  ${one.kept === null ? "gc removes it" : `kept: ${one.kept}`}`
    ),
  ];
}
