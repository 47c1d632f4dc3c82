import assert from "node:assert/strict";
import { planCountry } from "./plan.ts";
import { main } from "./gen.ts";
import { fileText, parseStrict, type Row } from "./parse.ts";

const OPTIONS = { carriers: 6_000, inspections: 10_950, seed: 5 };

function rowsOf(day: number, role: "census" | "inspections"): Row[] {
  return parseStrict(fileText(planCountry({ ...OPTIONS, day }), role)).rows;
}

function changed(then: Row[], now: Row[]): Set<string> {
  const before = new Map(then.map((row) => [row.DOT_NUMBER, JSON.stringify(row)]));
  return new Set(
    now.filter((row) => ![undefined, JSON.stringify(row)].includes(before.get(row.DOT_NUMBER)))
      .map((row) => row.DOT_NUMBER!),
  );
}

Deno.test("fileChunks() changes one carrier in a hundred a day and leaves the others alone", () => {
  const [zero, one, two] = [0, 1, 2].map((day) => rowsOf(day, "census")) as [Row[], Row[], Row[]];
  const first = changed(zero, one);
  assert.ok(first.size > 40 && first.size < 85, String(first.size));
  const second = changed(one, two);
  assert.ok(second.size > 40 && second.size < 85, String(second.size));
  assert.ok(second.difference(first).size > 30, "each day changes other carriers");
  const flipped = zero.filter((row, i) => row.STATUS_CODE !== one[i]!.STATUS_CODE);
  assert.ok(flipped.length > 0 && flipped.length < 20, String(flipped.length));
});

Deno.test("fileChunks() adds new carriers under higher numbers without a docket", () => {
  const [zero, later] = [rowsOf(0, "census"), rowsOf(30, "census")];
  assert.equal(later.length, 6_024);
  const fresh = later.slice(6_000);
  const highest = Number(zero.at(-1)!.DOT_NUMBER);
  assert.ok(fresh.every(({ DOT_NUMBER }) => Number(DOT_NUMBER) > highest));
  assert.ok(fresh.every(({ DOCKET1 }) => DOCKET1 === ""));
  assert.equal(new Set(later.map(({ DOT_NUMBER }) => DOT_NUMBER)).size, later.length);
});

Deno.test("fileChunks() drops the oldest inspections for as many new ones", () => {
  const [zero, later] = [rowsOf(0, "inspections"), rowsOf(10, "inspections")];
  assert.equal(later.length, zero.length);
  // 10 of 1,095 days: a hundred rows of 10,950.
  assert.deepEqual(later.slice(0, -100), zero.slice(100));
  const newest = (rows: Row[]): number => Math.max(...rows.map((row) => Number(row.INSP_DATE)));
  assert.ok(newest(later) > newest(zero));
});

Deno.test("main() writes another day and refuses one out of range", async () => {
  const dir = await Deno.makeTempDir();
  try {
    const common = ["--carriers", "100", "--inspections", "5", "--out", dir];
    assert.equal(await main([...common, "--day", "3"]), 0);
    const written = await Deno.readTextFile(`${dir}/company_census.csv`);
    assert.equal(
      written,
      fileText(planCountry({ carriers: 100, inspections: 5, day: 3, padded: true }), "census"),
    );
    assert.equal(await main([...common, "--day", "366"]), 2);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
