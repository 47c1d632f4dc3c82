/**
 * `snapshot show`.
 *
 * @module
 */

import { type Command, InvalidArgumentError } from "commander";
import { SYSTEM_CLOCK } from "../clock.ts";
import { note, print } from "../io.ts";
import { parseDot } from "../fmcsa/number_text.ts";
import { plain } from "../text.ts";
import { openSource } from "../snapshot/open_source.ts";
import { type Snapshot, SnapshotReader } from "../snapshot/reader.ts";
import type { CarrierRecord } from "../snapshot/record.ts";

const HELP = `
Reads through the code that serves lookups, from a folder or an http(s) address, and prints each
record as JSON, in the order asked. Leading zeros are allowed. Standard error names the snapshot.

Examples:
  $ deno task snapshot show snapshots 286764
  $ deno task snapshot show https://example.org/carriers 286764 00021800

Exit codes: 0 all found, 1 a number is not in the snapshot or it cannot be read, 2 wrong arguments.`;

/** Shards that are fetched at a time. */
const AT_ONCE = 8;

export function registerShow(program: Command): void {
  program.command("show")
    .description("print carriers of a snapshot as JSON")
    .argument("<location>", "snapshot root: a folder or an http(s) address")
    .argument("<dot...>", "USDOT numbers, 1 to 8 digits each", collectDot)
    .addHelpText("after", HELP)
    .action(run);
}

async function run(location: string, dots: number[]): Promise<void> {
  const reader = new SnapshotReader(openSource(location), { clock: SYSTEM_CLOCK });
  // The callback may run twice, when the snapshot changes meanwhile: it only reads.
  const { snapshot, records } = await reader.use(async (snapshot) => ({
    snapshot,
    records: await find(snapshot, dots),
  }));
  const { data_date, notice } = snapshot.manifest;
  note(plain(`Snapshot ${snapshot.id}, data of ${data_date}`));
  if (notice !== undefined) note(plain(`Notice: ${notice}`));
  records.forEach((record, i) => {
    if (record !== null) {
      print(toJson(record));
      return;
    }
    note(`USDOT number ${dots[i]} is not in this snapshot`);
    Deno.exitCode = 1;
  });
}

async function find(snapshot: Snapshot, dots: number[]): Promise<(CarrierRecord | null)[]> {
  const records: (CarrierRecord | null)[] = [];
  for (let i = 0; i < dots.length; i += AT_ONCE) {
    const some = dots.slice(i, i + AT_ONCE);
    records.push(...await Promise.all(some.map((dot) => snapshot.carrier(dot))));
  }
  return records;
}

/** Pretty JSON whose strings cannot act on a terminal: a snapshot may be anyone's. */
function toJson(record: CarrierRecord): string {
  return JSON.stringify(record, null, 2).split("\n").map(plain).join("\n");
}

function collectDot(text: string, before: number[] | undefined): number[] {
  try {
    return [...before ?? [], parseDot(text)];
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
