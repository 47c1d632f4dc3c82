import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { GateError } from "../../../pipeline/compile/gates.ts";
import { CENSUS_COLUMNS } from "../../../pipeline/fmcsa/columns.ts";
import {
  buildFiles,
  censusCsv,
  censusRow,
  csv,
  inspectionCsv,
  inspectionRow,
  manyRows,
  readCarriers,
  tempDir,
  tree,
} from "./files.ts";

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const keys = fc.sample(fc.double({ noNaN: true }), { numRuns: items.length, seed });
  return items.map((item, i) => [keys[i]!, item] as const).sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

Deno.test("build() writes the same bytes for any row order and number of workers", async () => {
  await using dir = await tempDir();
  const census = [
    ...Array.from(
      { length: 300 },
      (_, i) =>
        censusRow(i * 977 + 1, {
          DOCKET1PREFIX: "MC",
          DOCKET1: String(i % 90 + 1),
          DOCKET1_STATUS_CODE: "AI"[i % 2]!,
        }),
    ),
    censusRow(978, { LEGAL_NAME: "TWIN", MCS150_DATE: "20260101" }),
    censusRow(978, { LEGAL_NAME: "OTHER TWIN", MCS150_DATE: "20260101" }),
    censusRow("12A"),
  ];
  const inspections = Array.from(
    { length: 900 },
    (_, i) => inspectionRow(i % 880 + 1, (i % 310) * 977 + 1, { VIOL_TOTAL: String(i % 7) }),
  );
  const trees = [];
  for (const [seed, workers] of [[0, undefined], [1, 1], [2, 3]] as const) {
    const outcome = await buildFiles(dir.path, {
      census: censusCsv(seed ? shuffled(census, seed) : census),
      inspections: inspectionCsv(seed ? shuffled(inspections, seed) : inspections),
    }, { ...(workers && { workers }), force: "a test", out: `${dir.path}/${seed}` });
    assert.ok(outcome.isNew);
    trees.push(await tree(`${dir.path}/${seed}/s`));
  }
  assert.deepEqual(trees[1], trees[0]);
  assert.deepEqual(trees[2], trees[0]);
});

Deno.test("build() run again on the same files changes nothing", async () => {
  await using dir = await tempDir();
  const first = await buildFiles(dir.path, { census: censusCsv([censusRow(1)]) });
  const before = await tree(`${dir.path}/out`);
  const second = await buildFiles(dir.path, { census: censusCsv([censusRow(1)]) });
  assert.equal(second.isNew, false);
  assert.deepEqual(second.entry, first.entry);
  assert.deepEqual(await tree(`${dir.path}/out`), before);
});

Deno.test("build() keeps the previous snapshot in the pointer", async () => {
  await using dir = await tempDir();
  const first = await buildFiles(dir.path, { census: censusCsv([censusRow(1)]) });
  const census = censusCsv([censusRow(1), censusRow(2)]);
  await buildFiles(dir.path, { census }, { force: "twice as many" });
  const pointer = JSON.parse(await Deno.readTextFile(`${dir.path}/out/current.json`));
  assert.deepEqual(pointer.previous, first.entry);
});

Deno.test("build() reads gzip and plain files alike", async () => {
  await using dir = await tempDir();
  const census = censusCsv(manyRows());
  const plain = await buildFiles(dir.path, { census });
  // Two gzip members, as tools that append write them.
  const half = census.indexOf("\n", census.length / 2) + 1;
  const members = [gzipSync(census.slice(0, half)), gzipSync(census.slice(half))];
  const zipped = await buildFiles(dir.path, {
    census: Uint8Array.from(members.flatMap((m) => [...m])),
  });
  assert.equal(zipped.entry.snapshot, plain.entry.snapshot);
});

Deno.test("build() stops at gzip data cut short and says so", async () => {
  await using dir = await tempDir();
  const zipped = gzipSync(censusCsv(manyRows()));
  await assert.rejects(
    buildFiles(dir.path, { census: zipped.subarray(0, zipped.length - 2000) }),
    /census\.csv: the gzip data is damaged or cut short/,
  );
  await assert.rejects(Deno.stat(`${dir.path}/out/current.json`), Deno.errors.NotFound);
});

Deno.test("build() stops at over 0.1% rejected rows and changes nothing", async () => {
  await using dir = await tempDir();
  await buildFiles(dir.path, { census: censusCsv(manyRows()) });
  const before = await tree(`${dir.path}/out`);
  const bad = Array.from({ length: 5 }, (_, i) => censusRow(`A${i}`));
  await assert.rejects(buildFiles(dir.path, { census: censusCsv(manyRows(bad)) }), (error) => {
    assert.ok(error instanceof GateError);
    assert.deepEqual(error.failures.map(({ gate }) => gate), ["census_rejected"]);
    assert.match(
      error.message,
      /5 of 4005 rows were rejected: bad_usdot_number 5 \(census_rejected: 0\.125%, .*0\.1%/,
    );
    return true;
  });
  assert.deepEqual(await tree(`${dir.path}/out`), before);
});

Deno.test("build() stops at a file without a last line end, unless forced", async () => {
  await using dir = await tempDir();
  const census = censusCsv(manyRows()).trimEnd();
  await assert.rejects(buildFiles(dir.path, { census }), /does not end with a line end/);
  const { report } = await buildFiles(dir.path, { census }, { force: "checked by hand" });
  assert.equal(report.forced, "checked by hand");
});

Deno.test("build() stops when over 1% of the rows of what is current in its folder are gone, and reports drift", async () => {
  await using dir = await tempDir();
  const { entry } = await buildFiles(dir.path, { census: censusCsv(manyRows()) });
  await assert.rejects(
    buildFiles(dir.path, { census: censusCsv(manyRows().slice(0, -50)) }),
    /has 3950 rows, the previous snapshot had 4000/,
  );
  const { report } = await buildFiles(dir.path, { census: censusCsv(manyRows().slice(0, -40)) });
  assert.equal(report.drift?.previous, entry.snapshot);
  assert.deepEqual(report.drift?.rows.find(([name]) => name === "carriers"), [
    "carriers",
    4000,
    3960,
    -1,
  ]);
});

Deno.test("build() refuses a missing column and names a new one", async () => {
  await using dir = await tempDir();
  const renamed = CENSUS_COLUMNS.map((name) => name === "LEGAL_NAME" ? "COMPANY_NAME" : name);
  await assert.rejects(
    buildFiles(dir.path, { census: csv(renamed, [censusRow(1)]) }, { force: "cannot override" }),
    /lacks column "LEGAL_NAME"; the file has "COMPANY_NAME" instead/,
  );
  const notes: string[] = [];
  const onNote = (note: string): void => void notes.push(note);
  const { report } = await buildFiles(dir.path, {
    census: csv(["NEW", ...CENSUS_COLUMNS], [censusRow(1)]),
  }, { onNote });
  assert.deepEqual(report.census.extra_columns, ["NEW"]);
  assert.equal(report.census.reordered_columns, false);
  assert.match(notes.join("\n"), /census\.csv: new columns, not used: NEW/);
  const turned = await buildFiles(dir.path, {
    census: csv(CENSUS_COLUMNS.toReversed(), [censusRow(1)]),
  }, { onNote });
  assert.deepEqual(turned.report.census.extra_columns, []);
  assert.equal(turned.report.census.reordered_columns, true);
  assert.match(notes.join("\n"), /census\.csv: the columns come in another order; read by name/);
  assert.equal((await readCarriers(`${dir.path}/out`, [1]))[0]?.legal_name, "CARRIER 1");
});

Deno.test("build() knows an error page saved instead of the file", async () => {
  await using dir = await tempDir();
  const census = "<!DOCTYPE html>\n<html><head><title>503</title></head></html>\n";
  // In this thread, and in a worker, which posts its error.
  for (const where of [{}, { workers: 1 }]) {
    await assert.rejects(buildFiles(dir.path, { census }, where), {
      name: "TypeError",
      message: /not a CSV header, it begins with "<!DOCTYPE html>"/,
    });
    await assert.rejects(buildFiles(dir.path, { census: "" }, where), /the file is empty/);
  }
});

Deno.test("build() refuses to run while another build uses the folder", async () => {
  await using dir = await tempDir();
  const files = { census: censusCsv(manyRows()) };
  const results = await Promise.allSettled([
    buildFiles(dir.path, files),
    buildFiles(dir.path, files),
  ]);
  const refused = results.filter((result) => result.status === "rejected");
  assert.equal(refused.length, 1);
  assert.match(String(refused[0]!.reason), /another build is in progress/);
});

Deno.test("build() stopped by a signal leaves the folder as it was", async () => {
  await using dir = await tempDir();
  await buildFiles(dir.path, { census: censusCsv([censusRow(1)]) });
  const before = await tree(`${dir.path}/out`);
  for (const where of [{}, { workers: 1 }]) {
    const stop = new AbortController();
    const building = buildFiles(dir.path, { census: censusCsv(manyRows()) }, {
      ...where,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error("Interrupted")),
    });
    await assert.rejects(building, /Interrupted/);
    assert.deepEqual(await tree(`${dir.path}/out`), before);
  }
});
