import assert from "node:assert/strict";
import {
  landmarks,
  mergeLandmarks,
  noLandmarks,
  noteLandmark,
} from "../../../pipeline/build/landmarks.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record.ts";

const RECORDS = Array.from({ length: 10_000 }, (_, i): CarrierRecord => ({
  dot: i + 1,
  legal_name: `CARRIER ${i + 1}`,
  status: i % 2 === 0 ? "A" : "I",
  power_units: i,
}));

/** Gathers records in parts, as partitions do. */
function gather(parts: CarrierRecord[][], dataDate: string) {
  const all = noLandmarks();
  for (const part of parts) {
    const found = noLandmarks();
    for (const record of part) noteLandmark(found, record, { dataDate, rows: 10_000 });
    mergeLandmarks(all, found);
  }
  return landmarks(all);
}

Deno.test("landmarks() are the same however the records come, and another sample each day", () => {
  const whole = gather([RECORDS], "2026-10-03");
  const parts = [RECORDS.slice(7_000).reverse(), RECORDS.slice(0, 300), RECORDS.slice(300, 7_000)];
  assert.deepEqual(gather(parts, "2026-10-03"), whole);
  assert.equal(whole.sampled.length, 1_000);
  const dots = whole.sampled.map(([dot]) => dot);
  assert.equal(new Set(dots).size, 1_000);
  // From all over, not from one end.
  assert.ok(dots.filter((dot) => dot <= 5_000).length > 400);
  const next = new Set(gather([RECORDS], "2026-10-04").sampled.map(([dot]) => dot));
  assert.ok(dots.filter((dot) => next.has(dot)).length < 300);
});

Deno.test("landmarks() name the biggest active fleets: those of inactive carriers are the absurd ones", () => {
  const { largest } = gather([RECORDS.slice(0, 9_000), RECORDS.slice(9_000)], "2026-10-03");
  assert.deepEqual(largest, Array.from({ length: 100 }, (_, i) => 9_999 - 2 * i));
});
