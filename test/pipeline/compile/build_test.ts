import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { FUZZ_SEED } from "../../fuzz.ts";
import { GateError } from "../../../pipeline/audit/gates.ts";
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

const MANY = censusCsv(manyRows());
const FAST = { search: false };

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const keys = fc.sample(fc.double({ noNaN: true }), {
    numRuns: items.length,
    seed: FUZZ_SEED + seed,
  });
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
  for (const [seed, workers] of [[0, {}], [1, { workers: 1 }], [2, { workers: 3 }]] as const) {
    const outcome = await buildFiles(dir.path, {
      census: censusCsv(seed ? shuffled(census, seed) : census),
      inspections: inspectionCsv(seed ? shuffled(inspections, seed) : inspections),
    }, { ...workers, force: "a test", out: `${dir.path}/${seed}` });
    assert.ok(outcome.isNew);
    trees.push(await tree(`${dir.path}/${seed}/s`));
  }
  assert.deepEqual(trees[1], trees[0]);
  assert.deepEqual(trees[2], trees[0]);
});

Deno.test("build() changes nothing when run again, and keeps the previous snapshot in the pointer", async () => {
  await using dir = await tempDir();
  const census = censusCsv([censusRow(1)]);
  const first = await buildFiles(dir.path, { census });
  const before = await tree(`${dir.path}/out`);
  const second = await buildFiles(dir.path, { census });
  assert.equal(second.isNew, false);
  assert.deepEqual(second.entry, first.entry);
  assert.deepEqual(await tree(`${dir.path}/out`), before);
  const twice = censusCsv([censusRow(1), censusRow(2)]);
  await buildFiles(dir.path, { census: twice }, { force: "twice as many" });
  const pointer = JSON.parse(await Deno.readTextFile(`${dir.path}/out/current.json`));
  assert.deepEqual(pointer.previous, first.entry);
});

Deno.test("build() reads gzip and plain files alike, and stops at truncated gzip data", async () => {
  await using dir = await tempDir();
  const plain = await buildFiles(dir.path, { census: MANY }, FAST);
  // Two gzip members, as tools that append write them.
  const half = MANY.indexOf("\n", MANY.length / 2) + 1;
  const members = [gzipSync(MANY.slice(0, half)), gzipSync(MANY.slice(half))];
  const zipped = Uint8Array.from(members.flatMap((member) => [...member]));
  const read = await buildFiles(dir.path, { census: zipped }, FAST);
  assert.equal(read.entry.snapshot, plain.entry.snapshot);
  const out = `${dir.path}/none`;
  await assert.rejects(
    buildFiles(dir.path, { census: zipped.subarray(0, -2000) }, { out }),
    /census\.csv: the gzip data is damaged or cut short/,
  );
  await assert.rejects(Deno.stat(`${out}/current.json`), Deno.errors.NotFound);
});

Deno.test("build() stops at broken bounds of a file or of the comparison with the current snapshot, and changes nothing", async () => {
  await using dir = await tempDir();
  const { entry } = await buildFiles(dir.path, { census: MANY }, FAST);
  const before = await tree(`${dir.path}/out`);
  const bad = Array.from({ length: 5 }, (_, i) => censusRow(`A${i}`));
  const cases: [census: string, gate: string, message: RegExp][] = [
    [
      censusCsv(manyRows(bad)),
      "census_rejected",
      /5 of 4005 rows were rejected: bad_usdot_number 5 \(census_rejected: 0\.125%, .*0\.1%/,
    ],
    [
      censusCsv(manyRows([censusRow(1)])).trimEnd(),
      "census_cut_short",
      /does not end with a line end/,
    ],
    [
      censusCsv(manyRows().slice(0, -50)),
      "census_rows",
      /has 3950 rows, the previous snapshot had 4000/,
    ],
  ];
  for (const [census, gate, message] of cases) {
    await assert.rejects(buildFiles(dir.path, { census }, FAST), (error) => {
      assert.ok(error instanceof GateError);
      assert.ok(error.failures.some((failure) => failure.gate === gate), gate);
      assert.match(error.message, message);
      return true;
    });
    assert.deepEqual(await tree(`${dir.path}/out`), before);
  }
  const { report } = await buildFiles(dir.path, {
    census: censusCsv(manyRows().slice(0, -40)).trimEnd(),
  }, { ...FAST, force: "checked by hand" });
  assert.equal(report.forced, "checked by hand");
  assert.equal(report.drift?.previous, entry.snapshot);
  const drift = report.drift?.rows.find(([name]) => name === "carriers");
  assert.deepEqual(drift, ["carriers", 4000, 3960, -1]);
});

Deno.test("build() rejects a missing column, and reports a new one or another order", async () => {
  await using dir = await tempDir();
  const renamed = CENSUS_COLUMNS.map((name) => name === "LEGAL_NAME" ? "COMPANY_NAME" : name);
  await assert.rejects(
    buildFiles(dir.path, { census: csv(renamed, [censusRow(1)]) }, { force: "cannot override" }),
    /lacks column "LEGAL_NAME"; the file has "COMPANY_NAME" instead/,
  );
  const cases: [columns: string[], extra: string[], isReordered: boolean, note: RegExp][] = [
    [["NEW", ...CENSUS_COLUMNS], ["NEW"], false, /census\.csv: new columns, not used: NEW/],
    [CENSUS_COLUMNS.toReversed(), [], true, /census\.csv: the columns come in another order/],
  ];
  for (const [columns, extra, isReordered, note] of cases) {
    const notes: string[] = [];
    const { report: { census } } = await buildFiles(
      dir.path,
      { census: csv(columns, [censusRow(1)]) },
      { onNote: (note) => void notes.push(note) },
    );
    assert.deepEqual([census.extra_columns, census.reordered_columns], [extra, isReordered]);
    assert.match(notes.join("\n"), note);
    assert.equal((await readCarriers(`${dir.path}/out`, [1]))[0]?.legal_name, "CARRIER 1");
  }
});

// In this thread, and in a worker, which posts its error.
for (const where of [{}, { workers: 1 }]) {
  Deno.test(`build() ${where.workers ? "in a worker" : "in this thread"} recognizes an error page saved as the file, and stops at a signal`, async () => {
    await using dir = await tempDir();
    const page = "<!DOCTYPE html>\n<html><head><title>503</title></head></html>\n";
    await assert.rejects(buildFiles(dir.path, { census: page }, where), {
      name: "TypeError",
      message: /not a CSV header, it begins with "<!DOCTYPE html>"/,
    });
    await assert.rejects(buildFiles(dir.path, { census: "" }, where), /the file is empty/);
    await buildFiles(dir.path, { census: censusCsv([censusRow(1)]) });
    const before = await tree(`${dir.path}/out`);
    const stop = new AbortController();
    const building = buildFiles(dir.path, { census: MANY }, {
      ...where,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error("Interrupted")),
    });
    await assert.rejects(building, /Interrupted/);
    assert.deepEqual(await tree(`${dir.path}/out`), before);
  });
}

Deno.test("build() refuses to run while another build uses the folder", async () => {
  await using dir = await tempDir();
  const builds = [1, 2].map(() => buildFiles(dir.path, { census: MANY }, FAST));
  const results = await Promise.allSettled(builds);
  const refused = results.flatMap((one) => one.status === "rejected" ? String(one.reason) : []);
  assert.equal(refused.length, 1);
  assert.match(refused[0]!, /another build is in progress/);
});
