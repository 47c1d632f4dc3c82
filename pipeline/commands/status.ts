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
import { sizeOf } from "./gc.ts";
import { openTarget, TARGET_HELP, withInterrupt } from "./shared.ts";

const HELP = `
Prints which snapshot readers of TARGET see, how old its data is, which snapshots are stored there, what
gc would do with each, and who has the lease. Changes nothing.
${TARGET_HELP}

Examples:
  $ deno task snapshot status s3://carriers
  $ deno task snapshot status s3://carriers --json

Exit codes: 0 printed, 1 nothing is published there or it cannot be read, 2 wrong arguments.`;

export function registerStatus(program: Command): void {
  program.command("status")
    .description("print what is published at a target")
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
  const facts: [string, string | undefined][] = pointer === null
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
  facts.push([
    "lease",
    lease === null ? "free" : `${lease.owner}, until ${lease.expires}`,
  ]);
  return [
    ...facts.flatMap(([name, value]) => value === undefined ? [] : `${name.padEnd(10)} ${value}`),
    ...snapshots.map((one) =>
      `${one.id}  ${sizeOf(one)}  ${one.kept === null ? "gc removes it" : `kept: ${one.kept}`}`
    ),
  ];
}
