import assert from "node:assert/strict";
import { toCarrier } from "../../../api/rules/carrier.ts";
import type { InspectionSpan } from "../../../pipeline/snapshot/record/record.ts";
import { record } from "../../pipeline/snapshot/memory.ts";
import { contextOf } from "./arbitrary.ts";

Deno.test("of the names seen at the roadside, a sentence has the three most frequent and the JSON all", () => {
  const rate = { inspections: 9, out_of_service: 0 };
  const names = ["A", "B", "C", "D"].map((name, i): [string, ...InspectionSpan] => [
    name,
    5 - i,
    40,
    10 + i,
  ]);
  const inspections = { total: 20, last: "2026-09-29", violations: 0, vehicle: rate, driver: rate };
  const renamed: InspectionSpan = [14, 40, 10];
  const carrier = toCarrier(
    record(7, { inspections: { ...inspections, hazmat: rate, renamed, names } }),
    contextOf("2026-10-05"),
  );
  const [found] = carrier.differences;
  assert.match(found!.detail, /, most often "A" \(5\), "B" \(4\) and "C" \(3\)\.$/);
  assert.deepEqual(found!.names?.map(({ name }) => name), ["A", "B", "C", "D"]);
  assert.deepEqual(found!.names?.at(-1), {
    name: "D",
    inspections: 2,
    first: "2026-08-21",
    last: "2026-09-17",
  });
});
