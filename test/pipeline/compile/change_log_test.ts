/** The file of a day's changes, for sync clients. */

import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { readReport } from "../../../pipeline/audit/report.ts";
import { filedRow } from "../../../pipeline/snapshot/record/filed.ts";
import { hashText, rowHash } from "../../../pipeline/snapshot/record/filed_hash.ts";
import { folderSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { sha256 } from "../../../pipeline/sha256.ts";
import { buildDay, type Census, FORCE, readerOf, withRevision } from "./chains.ts";
import { buildFiles, censusCsv, censusRow, orderRow, ordersCsv, tempDir } from "./files.ts";

/** The lines of the current snapshot's changes; null without the file. */
async function linesOf(dir: string): Promise<unknown[] | null> {
  return await readerOf(dir).use(async (snapshot) => {
    const sum = snapshot.manifest.files["changes.ndjson.gz"];
    if (sum === undefined) return null;
    const bytes = await snapshot.file("changes.ndjson.gz");
    assert.deepEqual(sum, { bytes: bytes.length, sha256: sha256(bytes) });
    assert.deepEqual([...bytes.subarray(0, 10)], [31, 139, 8, 0, 0, 0, 0, 0, 0, 255]);
    const lines = gunzipSync(bytes).toString().split("\n");
    assert.equal(lines.pop(), "");
    const { added, changed, removed } = snapshot.manifest.sync!;
    assert.equal(lines.length, added! + changed! + removed!);
    return lines.map((line) => JSON.parse(line));
  });
}

/** The hash of all rows of the current snapshot, which must equal the stated one. */
async function hashOf(dir: string): Promise<string> {
  return await readerOf(dir).use(async (snapshot) => {
    let sum = 0n;
    const { runs } = snapshot.manifest.families.carriers;
    for (const [first, last] of runs) {
      for (let shard = first; shard <= last; shard++) {
        const text = gunzipSync(await snapshot.read(`carriers/${shard}.json.gz`)).toString();
        for (const row of JSON.parse(text)) {
          if (typeof row[1] === "string") sum += rowHash(filedRow(row));
        }
      }
    }
    assert.equal(snapshot.manifest.sync?.hash, hashText(sum));
    return hashText(sum);
  });
}

Deno.test("a day's changes list additions, old and new values by number, without phone numbers and addresses", async () => {
  await using temp = await tempDir();
  const dir = temp.path;
  const census: Census = new Map([
    [1, {}],
    [2, { PHONE: "3305550100" }],
    [99, { POWER_UNITS: "12O" }],
    [100, { MCS150_DATE: "20261223" }],
    [250_000, {}],
  ]);
  await buildDay(dir, { day: "2026-11-18", census });
  assert.equal(await linesOf(dir), null, "the first snapshot is compared with none");
  const first = await hashOf(dir);
  await buildDay(dir, { day: "2026-11-18", census: new Map([...census, [3, {}]]) });
  assert.equal(await linesOf(dir), null, "nor is another one of the first day");
  await buildDay(dir, { day: "2026-11-19", census });
  assert.equal(await hashOf(dir), first);

  census.set(1, { STATUS_CODE: "I", DBA_NAME: "ÉCLAIR" });
  census.set(2, {
    PHONE: "3305550199",
    PHY_STREET: "1 MAIN ST",
    CARRIER_MAILING_STREET: "PO BOX 1",
  });
  census.set(99, { POWER_UNITS: "" });
  census.set(7, {
    PHONE: "3305550111",
    PHY_STREET: "2 OAK AVE",
    DOCKET1PREFIX: "MC",
    DOCKET1: "5",
  });
  census.delete(250_000);
  await buildDay(dir, { day: "2026-11-21", census });
  const between = ["2026-11-19", "2026-11-21"];
  assert.deepEqual(await linesOf(dir), [
    {
      dot: 1,
      op: "MOD",
      was: { status: "A", dba_name: "" },
      set: { status: "I", dba_name: "ÉCLAIR" },
      between,
    },
    {
      dot: 2,
      op: "MOD",
      was: { street: null, phone: null, mailing: null },
      set: { street: null, phone: null, mailing: null },
      between,
    },
    {
      dot: 7,
      op: "ADD",
      set: {
        legal_name: "CARRIER 7",
        city: "AKRON",
        state: "OH",
        status: "A",
        operation: "A",
        hazmat: false,
        power_units: 5,
        drivers: 6,
        mcs150_date: 20240,
        added: 14610,
        dockets: [["MC", 5]],
      },
      between,
    },
    {
      dot: 99,
      op: "MOD",
      was: { power_units: { refused: "12O" } },
      set: { power_units: "" },
      between,
    },
    { dot: 250_000, op: "DEL", between },
  ]);
  await hashOf(dir);
  const { changes } = (await readReport(folderSource(`${dir}/out`))).report;
  assert.deepEqual(changes, {
    added: 1,
    changed: 3,
    removed: 1,
    members: [
      ["dba_name", 1],
      ["mailing", 1],
      ["phone", 1],
      ["power_units", 1],
      ["status", 1],
      ["street", 1],
    ],
    status: [["A I", 1], ["A gone", 1], ["new A", 1]],
    states: [["OH", 5]],
    fleets: [["2-5", 4], ["not reported", 1]],
    largest: [
      [1, 5, ["status", "dba_name"]],
      [2, 5, ["street", "phone", "mailing"]],
      [7, 5, ["new"]],
      [250_000, 5, ["gone"]],
    ],
    days: [["2026-11-19", 0, 0, 1], ["2026-11-21", 1, 3, 1]],
  });
  await buildDay(dir, { day: "2026-11-22", census });
  // A date that was too far in the future is now accepted: its value is set, though nobody filed it again.
  assert.deepEqual(await linesOf(dir), [{
    dot: 100,
    op: "MOD",
    was: {},
    set: { mcs150_date: 20810 },
    between: ["2026-11-21", "2026-11-22"],
  }]);
  await buildDay(dir, { day: "2026-11-23", census });
  assert.deepEqual(await linesOf(dir), [], "also of a day without changes");
  await hashOf(dir);
});

Deno.test("a member whose parser changed is set without being listed as changed", async () => {
  await using temp = await tempDir();
  const dir = temp.path;
  const census: Census = new Map([[1, {}], [2, {}]]);
  await buildDay(dir, { day: "2026-11-18", census });
  census.set(1, { POWER_UNITS: "8", STATUS_CODE: "P" });
  await withRevision("power_units", () => buildDay(dir, { day: "2026-11-19", census }));
  const between = ["2026-11-18", "2026-11-19"];
  assert.deepEqual(await linesOf(dir), [
    { dot: 1, op: "MOD", was: { status: "A" }, set: { status: "P", power_units: 8 }, between },
  ]);
  await hashOf(dir);
});

Deno.test("orders that appear are changes; those of the first file with orders are only set", async () => {
  await using temp = await tempDir();
  const dir = temp.path;
  const rows = [censusRow(1), censusRow(2)];
  const build = async (dataDate: string, orders?: string) => {
    if (orders !== undefined) await Deno.writeTextFile(`${dir}/orders.csv`, orders);
    await buildFiles(dir, { census: censusCsv(rows) }, {
      dataDate,
      force: FORCE,
      search: false,
      ...(orders !== undefined && { orders: `${dir}/orders.csv` }),
    });
  };
  await build("2026-10-01");
  await build("2026-10-02", ordersCsv([orderRow(1)]));
  const order = [20716, "Denial of Access"];
  assert.deepEqual(await linesOf(dir), [
    {
      dot: 1,
      op: "MOD",
      was: {},
      set: { orders: [order] },
      between: ["2026-10-01", "2026-10-02"],
    },
  ]);
  await hashOf(dir);
  await build("2026-10-03", ordersCsv([orderRow(1), orderRow(2)]));
  assert.deepEqual(await linesOf(dir), [
    {
      dot: 2,
      op: "MOD",
      was: { orders: "" },
      set: { orders: [order] },
      between: ["2026-10-02", "2026-10-03"],
    },
  ]);
  await hashOf(dir);
});

Deno.test("the hashes in FORMAT.md are those of its rows", async () => {
  const url = new URL("../../../pipeline/snapshot/FORMAT.md", import.meta.url);
  const text = await Deno.readTextFile(url);
  const rows = [...text.matchAll(/^\| `(\[\d.*\])` +\| `([0-9a-f]{16})` +\|$/gm)];
  assert.equal(rows.length, 2);
  let sum = 0n;
  for (const [, row, hash] of rows) {
    assert.equal(hashText(rowHash(JSON.parse(row!))), hash);
    sum += rowHash(JSON.parse(row!));
  }
  assert.match(text, new RegExp(`^\\| both +\\| \`${hashText(sum)}\``, "m"));
});
