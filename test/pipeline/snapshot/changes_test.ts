import assert from "node:assert/strict";
import {
  carrierIn,
  carrierText,
  decodeCarrierShard,
} from "../../../pipeline/snapshot/record/shards.ts";
import { leftRow, rowOf } from "../../../pipeline/snapshot/record/row_writer.ts";
import type { RecordChange } from "../../../pipeline/snapshot/record/record.ts";
import {
  answeringFor,
  dateBefore,
  keptOf,
  parsePast,
  pastDocument,
} from "../../../pipeline/snapshot/chain.ts";
import { FORMAT } from "../../../pipeline/snapshot/documents.ts";
import { gzipText } from "./memory.ts";

const CHANGES: RecordChange[] = [
  { day: "2026-10-12", member: "status", was: "A" },
  { day: "2026-10-12", member: "phone", isHidden: true },
  { day: "2026-10-12", member: "dba_name" },
  { day: "2026-10-11", member: "mcs150_date", was: "2024-10-03" },
  { day: "2026-10-11", member: "power_units", wasRefused: "12O" },
  { day: "2026-10-11", member: "roles", was: ["C", "B"] },
  { day: "2026-10-11", member: "dockets", was: [{ prefix: "MC", number: 5, status: "I" }] },
  { day: "2025-01-01", member: "dot", was: "2024-12-30" },
  { day: "2024-11-30", member: "dot" },
];

Deno.test("changes of a record and of a removed carrier are read from a shard as written", async () => {
  const record = { dot: 7, legal_name: "ACME INC", status: "I" as const, changes: CHANGES };
  const left = { dot: 9, last_seen: "2026-10-03", changes: CHANGES };
  const text = carrierText([
    rowOf(record),
    leftRow(left),
    leftRow({ dot: 11, last_seen: "2026-10-04" }),
  ]);
  const { value } = await decodeCarrierShard(gzipText(text));
  const read = (dot: number) => carrierIn(value, { dot, shard: 0, width: 100 });
  assert.deepEqual(read(7), record);
  assert.deepEqual(read(9), left);
  assert.deepEqual(read(11), { dot: 11, last_seen: "2026-10-04" });
  assert.deepEqual(read(8), null);
});

function chainOf(...days: string[]) {
  return days.map((data_date, i) => ({
    id: `${data_date}-${i}`,
    data_date,
    manifest_sha256: String(i).padStart(64, "0"),
  }));
}

Deno.test("a day is answered by the newest data date at or before it, whatever the order of publication", () => {
  const chain = chainOf("2026-10-01", "2026-10-04", "2026-10-04", "2026-10-03");
  const idFor = (day: string) => answeringFor(day, chain)?.id;
  assert.deepEqual(idFor("2026-09-30"), undefined);
  assert.deepEqual(idFor("2026-10-02"), "2026-10-01-0");
  assert.deepEqual(idFor("2026-10-03"), "2026-10-03-3");
  // Of two with the same data date, the one published later.
  assert.deepEqual(idFor("2026-12-31"), "2026-10-04-2");
  assert.deepEqual(dateBefore("2026-10-04", chain), "2026-10-03");
  assert.deepEqual(dateBefore("2026-10-01", chain), undefined);
});

Deno.test("a root keeps the last days and the last snapshot of each of the last months", () => {
  const chain = chainOf(
    ...["2026-06-29", "2026-06-30", "2026-07-15", "2026-07-30", "2026-08-31"],
    ...["2026-09-01", "2026-09-20", "2026-10-01", "2026-10-02"],
  );
  const days = keptOf(chain, { days: 12, month_ends: 3 }).map(({ data_date }) => data_date);
  assert.deepEqual(days, ["2026-07-30", "2026-08-31", "2026-09-20", "2026-10-01", "2026-10-02"]);
  assert.deepEqual(keptOf(chain, undefined), chain);
});

Deno.test("past.json lists the chain as it was given", () => {
  const chain = chainOf("2026-10-01", "2026-10-02");
  const bytes = new TextEncoder().encode(JSON.stringify(pastDocument(FORMAT, chain)));
  assert.deepEqual(parsePast(bytes), chain);
});
