import assert from "node:assert/strict";
import fc from "fast-check";
import { TREATMENTS } from "../../../pipeline/fmcsa/problems.ts";
import {
  CARGO,
  CENSUS_MEMBERS,
  MARKS,
  type Member,
} from "../../../pipeline/snapshot/record/members.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";
import { RECORD_COLUMNS, SUMMARY_COLUMNS } from "../../../pipeline/snapshot/record/rows.ts";
import { rowOf } from "../../../pipeline/snapshot/record/row_writer.ts";
import {
  carrierIn,
  carrierShard,
  carrierText,
  decodeCarriers,
} from "../../../pipeline/snapshot/record/shards.ts";
import { gzipText } from "./memory.ts";

// Rows are located in the shard's text, so these texts look like the end or beginning of one.
const text = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1 }),
  fc.array(fc.constantFrom("\n[", '"],', "\\", "[105,", ",\n[", '"'), { minLength: 1 })
    .map((pieces) => pieces.join("")),
);
const count = fc.nat();
const day = fc.date({
  min: new Date("1900-01-01"),
  max: new Date("2099-12-31"),
  noInvalidDate: true,
}).map((date) => date.toISOString().slice(0, 10));
const span = fc.tuple(count, count, count);
const kind = fc.record({ inspections: count, out_of_service: count });

function valueOf({ kind, codes = "" }: Member): fc.Arbitrary<unknown> {
  switch (kind) {
    case "list":
      return fc.array(text.map((item) => item.replaceAll(";", ",")), { minLength: 1 });
    case "address":
      return fc.array(fc.option(fc.string()), { minLength: 1, maxLength: 5 });
    case "code":
      return fc.constantFrom(...codes);
    case "flag":
      return fc.boolean();
    case "mark":
      return fc.constant(true);
    case "count":
    case "year":
      return count;
    case "decimal":
      return fc.double({ min: 0, max: 1e6, noNaN: true }).map((number) => number + 0);
    case "day":
      return day;
    case "marks":
      return fc.subarray([...MARKS].slice(0, Object.keys(CARGO).length), { minLength: 1 })
        .map((marks) => marks.join(""));
    case "sums":
      return fc.array(count);
    case "counts":
      return fc.array(fc.option(count));
    default:
      return text;
  }
}

const latest = fc.array(fc.tuple(fc.nat(30), fc.string(), fc.array(count, { maxLength: 9 })))
  .map((rows) => {
    let ago = 0;
    return rows.map(([days, state, numbers]) => [ago += days, state, ...numbers]);
  });

const order = fc.oneof(
  fc.record({ date: day, reason: fc.string(), rescinded: day }, {
    requiredKeys: ["date", "reason"],
  }),
  fc.record({
    reason: fc.string(),
    unusable: fc.record({ date: fc.string(), rescinded: fc.string() }),
  }),
);

const record = fc.record(
  {
    ...Object.fromEntries(
      Object.entries<Member>(CENSUS_MEMBERS).map(([name, member]) => [name, valueOf(member)]),
    ),
    dot: fc.integer({ min: 100, max: 199 }),
    legal_name: fc.oneof(fc.string(), text),
    status: fc.constantFrom(..."AIP"),
    dockets: fc.array(fc.record(
      { prefix: text, number: count, status: fc.string() },
      { requiredKeys: ["prefix", "number"] },
    )),
    orders: fc.array(order),
    orders_total: count,
    changes: fc.array(fc.record({ member: fc.constant("orders"), was: fc.array(order) }), {
      minLength: 1,
      maxLength: 1,
    }).map(([change]) => [{ day: "2026-10-03", ...change }]),
    inspections: fc.record({
      total: count,
      last: day,
      violations: count,
      vehicle: kind,
      driver: kind,
      hazmat: kind,
      latest,
      sums: fc.record({
        months: fc.array(count),
        states: fc.array(fc.oneof(fc.string(), count)),
        levels: fc.array(count),
      }),
      interstate: span,
      placarded: span,
      renamed: span,
      names: fc.array(fc.tuple(fc.string(), count, count, count)),
    }, { requiredKeys: ["total", "last", "violations", "vehicle", "driver", "hazmat"] }),
  },
  { requiredKeys: ["dot", "legal_name", "status"] },
).map((record) => structuredClone(record) as unknown as CarrierRecord);

Deno.test("records of every kind survive a shard unchanged, alone and together", async () => {
  const range = { shard: 1, width: 100 };
  const records = fc.uniqueArray(record, { selector: ({ dot }) => dot, minLength: 1, maxLength: 5 })
    .map((found) => found.toSorted((a, b) => a.dot - b.dot));
  await fc.assert(
    fc.asyncProperty(records, async (records) => {
      const text = carrierText(records.map(rowOf));
      assert.deepEqual(await decodeCarriers(gzipText(text), range), records);
      const dots = new Map(records.map((record) => [record.dot, record]));
      for (let dot = 100; dot < 200; dot += 7) {
        assert.deepEqual(carrierIn(carrierShard(text), { dot, ...range }), dots.get(dot) ?? null);
      }
      for (const [dot, record] of dots) {
        assert.deepEqual(carrierIn(carrierShard(text), { dot, ...range }), record);
      }
    }),
    { numRuns: 50 },
  );
});

Deno.test("FORMAT.md lists every position of a row, and every reason with its treatment", async () => {
  const url = new URL("../../../pipeline/snapshot/FORMAT.md", import.meta.url);
  const format = await Deno.readTextFile(url);
  const positions = [...format.matchAll(/^\| (\d+) +\| `(\w+)` /gm)];
  const columns = [RECORD_COLUMNS, SUMMARY_COLUMNS]
    .flatMap((columns) => columns.map(([name], i) => [String(i), name]));
  assert.deepEqual(positions.map(([, position, name]) => [position, name]), columns);
  const reasons = [...format.matchAll(/^\| `(\w+)` +\| (rejected|repaired|skipped) +\|/gm)];
  assert.deepEqual(
    Object.fromEntries(reasons.map(([, reason, treatment]) => [reason, treatment])),
    TREATMENTS,
  );
});
