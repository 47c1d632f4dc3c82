import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { EXPORT_COLUMNS } from "../../../pipeline/export/columns.ts";
import { verifySnapshot } from "../../../pipeline/publish/verify.ts";
import { CARGO } from "../../../pipeline/snapshot/record/members.ts";
import { folderSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import type { BuildOptions } from "../../../pipeline/compile/build_options.ts";
import {
  buildFiles,
  censusCsv,
  censusRow,
  inspectionCsv,
  inspectionRow,
  readCarriers,
  type Row,
  tempDir,
} from "../compile/files.ts";
import { serveRanges } from "./ranges.ts";

type Flat = Record<string, unknown>;

/** Carriers in three ranges of 100,000 numbers, with all kinds of values. */
const CENSUS: Row[] = Array.from({ length: 400 }, (_, i) =>
  censusRow(i * 601 + 1, {
    LEGAL_NAME: i % 7 === 0 ? "" : `=ZOË "CARRIER" ${i}`,
    PHY_STREET: "12 SECRET STREET",
    PHONE: "3305550123",
    CARRIER_MAILING_STREET: "PO BOX SECRET",
    CARRIER_MAILING_CITY: "ELSEWHERE",
    PHY_ZIP: `0${4000 + i}`,
    MCS150_MILEAGE: i % 5 === 0 ? "3100000000" : "",
    MCS150_MILEAGE_YEAR: i % 5 === 0 ? "2024" : "",
    CRGO_GENFREIGHT: i % 2 === 0 ? "X" : "",
    CRGO_METALSHEET: "X",
    OWNTRUCK: "3",
    TRMTRUCK: "2",
    OWNCOACH: "1",
    DOCKET1PREFIX: i % 3 === 0 ? "MC" : "",
    DOCKET1: i % 3 === 0 ? String(i + 1) : "",
    DOCKET1_STATUS_CODE: i % 3 === 0 ? "A" : "",
    // Ten digits, which do not fit into 32 bits.
    POWER_UNITS: i === 12 ? "9999999999" : "5",
    TOTAL_DRIVERS: i === 11 ? "-5" : String(i),
  }));

const INSPECTIONS = Array.from(
  { length: 900 },
  (_, i) => inspectionRow(i + 1, (i % 300) * 601 + 1, { VEHICLE_OOS_TOTAL: String(i % 2) }),
);

async function exported(dir: string, more: Partial<BuildOptions> & { rows?: Row[] } = {}) {
  const { rows = CENSUS, ...options } = more;
  const out = options.out ?? `${dir}/out`;
  const files = { census: censusCsv(rows), inspections: inspectionCsv(INSPECTIONS) };
  const built = await buildFiles(dir, files, {
    force: "a test",
    search: false,
    export: true,
    ...options,
    out,
  });
  const root = `${out}/s/${built.entry.snapshot}`;
  const bytes = await Deno.readFile(`${root}/export/carriers.parquet`);
  const ndjson = gunzipSync(await Deno.readFile(`${root}/export/carriers.ndjson.gz`)).toString();
  return { ...built, out, root, bytes, ndjson, lines: ndjson.trimEnd().split("\n") };
}

/** A row of the Parquet file in the form of JSON. */
function plainRow(row: Flat): Flat {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null).map(([name, value]) => [
      name,
      typeof value === "bigint"
        ? Number(value)
        : value instanceof Date
        ? value.toISOString().slice(0, 10)
        : value,
    ]),
  );
}

Deno.test("the Parquet file and the NDJSON file have all carriers by number, with the same values", async () => {
  await using dir = await tempDir();
  const { out, bytes, lines, manifest } = await exported(dir.path);
  const file = bytes.buffer;
  const rows = (await parquetReadObjects({ file, compressors })).map(plainRow);
  assert.deepEqual(rows, lines.map((line) => JSON.parse(line)));
  const records = await readCarriers(out, rows.map(({ dot }) => Number(dot)));
  assert.equal(rows.length, CENSUS.length);
  assert.deepEqual(rows.map(({ dot }) => dot), CENSUS.map((row) => Number(row.DOT_NUMBER)));
  for (const [i, found] of records.entries()) {
    const record = found!;
    const row = rows[i]!;
    for (
      const name of ["city", "state", "zip", "status", "mcs150_date", "mileage", "drivers"] as const
    ) {
      assert.equal(row[name], record[name], `${name} of ${record.dot}`);
    }
    assert.equal(row.legal_name ?? "", record.legal_name);
    assert.equal(row.inspections, record.inspections?.total);
    assert.equal(row.vehicle_out_of_service, record.inspections?.vehicle.out_of_service);
    assert.doesNotMatch(JSON.stringify(row), /SECRET|ELSEWHERE|3305550123/);
  }
  const [first] = rows as [Flat];
  assert.equal(first.cargo, `${CARGO.CRGO_GENFREIGHT};${CARGO.CRGO_METALSHEET}`);
  assert.deepEqual([first.trucks, first.tractors, first.passenger_vehicles], [5, 0, 1]);
  assert.deepEqual([first.dockets, first.mileage], ["MC-1", 3_100_000_000]);
  assert.equal(rows[11]!.refused, "drivers");
  assert.equal(rows[11]!.drivers, undefined);
  assert.deepEqual([rows[12]!.power_units, rows[13]!.power_units], [undefined, 5]);
  assert.deepEqual(manifest.export, { ...manifest.export!, rows: 400, row_groups: 3, objects: 3 });
});

Deno.test("a row group of the Parquet file is a range of 100,000 numbers, with statistics", async () => {
  await using dir = await tempDir();
  const { bytes } = await exported(dir.path);
  const { row_groups, num_rows } = await parquetMetadataAsync(bytes.buffer);
  assert.equal(num_rows, 400n);
  const ranges = row_groups.map(({ columns, num_rows }) => {
    const [dot] = columns;
    const { min_value, max_value, null_count } = dot!.meta_data!.statistics!;
    return [min_value, max_value, null_count, num_rows];
  });
  assert.deepEqual(ranges, [[1, 99767, 0n, 167n], [100368, 199533, 0n, 166n], [
    200134,
    239800,
    0n,
    67n,
  ]]);
});

Deno.test("the exported files are the same bytes for any row order and number of workers, and are verified", async () => {
  await using dir = await tempDir();
  const one = await exported(dir.path, { out: `${dir.path}/1` });
  const other = await exported(dir.path, {
    out: `${dir.path}/2`,
    rows: CENSUS.toReversed(),
    workers: 2,
  });
  assert.equal(one.entry.snapshot, other.entry.snapshot);
  assert.deepEqual(one.bytes, other.bytes);
  assert.equal(one.ndjson, other.ndjson);
  assert.deepEqual((await verifySnapshot(folderSource(one.out))).problems, []);
  const sums = await Deno.readTextFile(`${one.root}/SHA256SUMS`);
  const hash = createHash("sha256").update(one.bytes).digest("hex");
  assert.ok(sums.includes(`${hash}  export/carriers.parquet\n`));
  await Deno.writeTextFile(`${one.root}/export/carriers.parquet`, "no");
  const { problems } = await verifySnapshot(folderSource(one.out));
  assert.match(problems.join(), /export\/carriers\.parquet.* SHA-256 is not the one in SHA256SUMS/);
});

Deno.test("datapackage.json describes the files and every column", async () => {
  await using dir = await tempDir();
  const { root, bytes } = await exported(dir.path, { notice: "Made up" });
  const described = JSON.parse(await Deno.readTextFile(`${root}/export/datapackage.json`));
  const { bytes: size, hash, schema, path } = described.resources[1];
  assert.equal(path, "carriers.parquet");
  assert.equal(size, bytes.length);
  assert.equal(hash, `sha256:${createHash("sha256").update(bytes).digest("hex")}`);
  const metadata = await parquetMetadataAsync(bytes.buffer);
  assert.deepEqual(
    schema.fields.map(({ name }: { name: string }) => name),
    metadata.schema.slice(1).map(({ name }) => name),
  );
  assert.match(described.description, /^Made up\. /);
  const names = EXPORT_COLUMNS.map(({ name }) => name);
  for (const hidden of ["phone", "street", "mailing"]) assert.ok(!names.includes(hidden));
});

Deno.test("a build without --export has no export files", async () => {
  await using dir = await tempDir();
  const { manifest, entry } = await buildFiles(dir.path, {
    census: censusCsv(CENSUS),
    inspections: inspectionCsv(INSPECTIONS),
  }, { force: "a test", search: false, out: `${dir.path}/out` });
  assert.equal(manifest.export, undefined);
  await assert.rejects(
    Deno.stat(`${dir.path}/out/s/${entry.snapshot}/export`),
    Deno.errors.NotFound,
  );
});

Deno.test("one carrier is read from the Parquet file over HTTP with few range requests", async () => {
  await using dir = await tempDir();
  const { bytes } = await exported(dir.path);
  await using server = serveRanges(bytes);
  const file = await asyncBufferFromUrl({ url: `${server.url}/carriers.parquet` });
  const metadata = await parquetMetadataAsync(file);
  const found = await parquetReadObjects({
    file,
    metadata,
    compressors,
    columns: ["dot", "zip"],
    filter: { dot: { $eq: 200134 } },
  });
  assert.deepEqual(found, [{ dot: 200134, zip: "04333" }]);
  // The footer, and the columns of the only row group that can have the number.
  assert.ok(server.asked.length <= 4, server.asked.join());
});
