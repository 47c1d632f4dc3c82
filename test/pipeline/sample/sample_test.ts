import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { readReport } from "../../../pipeline/audit/report.ts";
import {
  CENSUS_COLUMNS,
  INSPECTION_COLUMNS,
  ORDER_COLUMNS,
} from "../../../pipeline/fmcsa/columns.ts";
import { buildSample, FIRST_SYNTHETIC_DOT, NAME_NOTE } from "../../../pipeline/sample/sample.ts";
import {
  CENSUS_MEMBERS,
  DOCKETS_REVISION,
  type Member,
} from "../../../pipeline/snapshot/record/members.ts";
import { folderSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { sha256 } from "../../../pipeline/sha256.ts";
import { tempDir } from "../compile/files.ts";
import { builtSample } from "./built_sample.ts";
import { parseStrict, PERSONAL, type Row } from "../../synthetic/files.ts";

const SAMPLE = new URL("../../../pipeline/sample/", import.meta.url);

/** The rows that a build reads from the file. */
async function rowsOf(role: "census" | "inspections"): Promise<Row[]> {
  const background = await Deno.open(new URL(`background_${role}.csv.gz`, SAMPLE));
  const plain = background.readable.pipeThrough(new DecompressionStream("gzip"));
  const listed = await Deno.readTextFile(new URL(`${role}.csv`, SAMPLE));
  const { header, rows } = parseStrict(listed + await new Response(plain).text());
  assert.deepEqual(header, role === "census" ? CENSUS_COLUMNS : INSPECTION_COLUMNS);
  return rows;
}

const ORDERS = parseStrict(await Deno.readTextFile(new URL("orders.csv", SAMPLE)));

const MEMBERS = [...Object.keys(CENSUS_MEMBERS), "dockets"];
const CENSUS = await rowsOf("census");
const INSPECTIONS = await rowsOf("inspections");
const [REAL, SYNTHETIC] = [false, true].map((synthetic) =>
  CENSUS.filter((row) => Number(row.DOT_NUMBER) >= FIRST_SYNTHETIC_DOT === synthetic)
) as [Row[], Row[]];

Deno.test("the sample has 8 real carriers, marks all others as synthetic, and contains no contact data", () => {
  assert.equal(REAL.length, 8);
  assert.ok(REAL.some((row) => row.DOT_NUMBER === "286764"));
  assert.equal(new Set(CENSUS.map((row) => row.DOT_NUMBER)).size, CENSUS.length);
  for (const row of SYNTHETIC) {
    assert.ok((row.LEGAL_NAME || row.DBA_NAME)!.endsWith(NAME_NOTE), row.LEGAL_NAME);
  }
  for (const row of [...CENSUS, ...INSPECTIONS]) {
    assert.ok(PERSONAL.every((column) => (row[column] ?? "") === ""), row.DOT_NUMBER);
  }
});

Deno.test("no synthetic carrier in the sample has a real carrier's docket number", () => {
  const docketsOf = (rows: Row[]): Set<string> =>
    new Set(
      rows.flatMap((row) => [1, 2, 3].map((n) => `${row[`DOCKET${n}PREFIX`]}${row[`DOCKET${n}`]}`))
        .filter((docket) => docket !== ""),
    );
  assert.deepEqual([...docketsOf(SYNTHETIC).intersection(docketsOf(REAL))], []);
});

Deno.test("the sample has every value that a check reads, all 20 filing schedules and hostile names", () => {
  const shown: Record<string, string[]> = {
    STATUS_CODE: ["A", "I", "P"],
    CARRIER_OPERATION: ["A", "B", "C", ""],
    SAFETY_RATING: ["S", "C", "U", ""],
    DOCKET1_STATUS_CODE: ["A", "I", "P", ""],
    DOCKET1PREFIX: ["MC", "MX", "FF", ""],
    CARSHIP: ["B", "C;B", "F", "I", "S", ""],
    POWER_UNITS: [""],
    MCS150_DATE: [""],
  };
  for (const [column, values] of Object.entries(shown)) {
    const found = new Set(SYNTHETIC.map((row) => row[column]));
    for (const value of values) assert.ok(found.has(value), `${column} "${value}"`);
  }
  const schedules = new Set(
    SYNTHETIC.filter((row) => row.LEGAL_NAME!.includes("MET THE LAST DEADLINE"))
      .map((row) => Number(row.DOT_NUMBER))
      .map((dot) => `${Math.floor(dot / 10) % 2}${dot % 10}`),
  );
  assert.equal(schedules.size, 20);
  const names = SYNTHETIC.map((row) => row.LEGAL_NAME!);
  assert.ok(names.some((name) => name.startsWith("<script>alert(1)</script>")));
  assert.ok(
    names.some((name) => name.startsWith('=HYPERLINK("https://example.invalid/","CLICK")')),
  );
  assert.ok(names.some((name) => name.includes("\u202E")));
  assert.ok(names.some((name) => name.length === 120));
});

Deno.test("the sample has inspections at every level, in and out of the window, none of a real carrier", () => {
  const levels = new Set(INSPECTIONS.map((row) => row.INSP_LEVEL_ID));
  for (const level of ["1", "2", "3", "4", "5", "6", "99"]) assert.ok(levels.has(level), level);
  assert.equal(new Set(INSPECTIONS.map((row) => row.INSPECTION_ID)).size, INSPECTIONS.length);
  // Some rows name no carrier, as in FMCSA's file.
  const dots = INSPECTIONS.map((row) => Number(row.DOT_NUMBER));
  assert.ok(dots.every((dot) => dot === 0 || dot >= FIRST_SYNTHETIC_DOT));
  for (const day of ["20241002", "20241003", "20261003"]) {
    assert.ok(INSPECTIONS.some((row) => row.INSP_DATE === day), day);
  }
});

Deno.test("the sample has orders of every state, of synthetic carriers only", async () => {
  assert.deepEqual(ORDERS.header, ORDER_COLUMNS);
  const names = new Map(SYNTHETIC.map((row) => [row.DOT_NUMBER, row.LEGAL_NAME]));
  for (const { DOT_NUMBER, LEGAL_NAME } of ORDERS.rows) {
    assert.equal(names.get(DOT_NUMBER), LEGAL_NAME);
  }
  const { manifest, report } = await readReport(folderSource(await builtSample()));
  assert.deepEqual([manifest.orders_date, manifest.counts.orders], ["2026-10-01", 8]);
  const { rescinded, unrescinded, rescinded_later, unusable } = report.orders!;
  assert.deepEqual([rescinded, unrescinded, rescinded_later, unusable], [2, 4, 1, 1]);
});

Deno.test("buildSample() changes nothing when run again, and starts over when it cannot compare", async () => {
  await using dir = await tempDir();
  const built = `${dir.path}/sample`;
  await cp(await builtSample(), built, { recursive: true });
  const pointer = await Deno.readTextFile(`${built}/current.json`);
  const { isNew, entry: { snapshot } } = await buildSample(built);
  assert.equal(isNew, false);
  assert.equal(await Deno.readTextFile(`${built}/current.json`), pointer);
  await Deno.writeTextFile(`${built}/s/${snapshot}/report.json`, "{}");
  await buildSample(built);
  assert.equal(JSON.parse(await Deno.readTextFile(`${built}/current.json`)).snapshot, snapshot);
});

const READING = new URL("./golden/reading.json", import.meta.url);

/**
 * A record's history must not show a parser change as a carrier's change. When this fails because
 * rows of the sample were added, run it with `UPDATE_GOLDEN=1`.
 */
Deno.test("a member has a new revision when its parsing changes", async () => {
  const now = await new SnapshotReader(folderSource(await builtSample())).use(async (snapshot) => {
    const values = new Map<string, unknown[]>(MEMBERS.map((name) => [name, []]));
    for (const { DOT_NUMBER } of CENSUS) {
      const record = await snapshot.carrier(Number(DOT_NUMBER));
      for (const name of MEMBERS) values.get(name)!.push(record?.[name as "status"] ?? null);
    }
    return Object.fromEntries([...values].map(([name, all]) => {
      const { revision = 1 } = name === "dockets"
        ? { revision: DOCKETS_REVISION }
        : (CENSUS_MEMBERS as Record<string, Member>)[name] ?? {};
      return [name, `${revision} ${sha256(JSON.stringify(all)).slice(0, 16)}`];
    }));
  });
  if (Deno.env.has("UPDATE_GOLDEN")) {
    await Deno.writeTextFile(READING, JSON.stringify(now, null, 1));
  }
  const golden: Record<string, string> = JSON.parse(await Deno.readTextFile(READING));
  for (const [name, reading] of Object.entries(now)) {
    const why = `raise the revision of ${name} in members.ts if our code reads it in another way`;
    assert.equal(reading, golden[name], why);
  }
});

Deno.test("the sample is a chain of five days, and only synthetic carriers change in it", async () => {
  await new SnapshotReader(folderSource(await builtSample())).use(async (snapshot) => {
    assert.deepEqual((await snapshot.chain()).map(({ data_date }) => data_date), [
      ...["2026-09-29", "2026-09-30", "2026-10-01", "2026-10-02", "2026-10-03"],
    ]);
    const changed: string[] = [];
    for (const { DOT_NUMBER } of CENSUS) {
      const { changes = [] } = (await snapshot.carrier(Number(DOT_NUMBER)))!;
      if (changes.length > 0) changed.push(DOT_NUMBER!);
    }
    assert.deepEqual(changed, ["90010775", "90010776", "90010777", "90010779", "90010784"]);
    assert.equal((await snapshot.leftCarrier(90010778))?.last_seen, "2026-10-02");
  });
});
