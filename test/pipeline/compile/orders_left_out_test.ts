/** When a file of out-of-service orders is left out, and what the snapshots of a chain report about orders. */

import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { BuildOutcome } from "../../../pipeline/compile/build.ts";
import type { BuildOptions } from "../../../pipeline/compile/build_options.ts";
import { GateError } from "../../../pipeline/audit/gates.ts";
import { ORDER_COLUMNS, ORDER_WANTED } from "../../../pipeline/fmcsa/columns.ts";
import { folderSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import type { RecordChange } from "../../../pipeline/snapshot/record/record.ts";
import {
  buildFiles,
  censusCsv,
  censusRow,
  orderRow,
  ordersCsv,
  readCarriers,
  type Row,
  tempDir,
  tree,
} from "./files.ts";

const CARRIERS = 4000;
const CENSUS = censusCsv(Array.from({ length: CARRIERS }, (_, i) => censusRow(i + 1)));

const dayAt = (i: number): string =>
  new Date(Date.UTC(2026, 8, 30) - i * 86_400_000).toISOString().slice(0, 10);

/** Orders of most carriers, in the proportions of FMCSA's file: 56 of 100 have no rescission. */
function manyOrders(count = 3000): Row[] {
  return Array.from({ length: count }, (_, i) =>
    orderRow(i + 1, {
      OOS_DATE: dayAt(i),
      RESCIND_DATE: i % 25 < 11 ? dayAt(i - 3) : "",
    }));
}

async function buildWith(
  dir: string,
  orders: string | Uint8Array | undefined,
  { census = CENSUS, ...options }: Partial<BuildOptions> = {},
): Promise<BuildOutcome & { notes: string }> {
  const path = `${dir}/orders.csv`;
  if (typeof orders === "string") await Deno.writeTextFile(path, orders);
  else if (orders !== undefined) await Deno.writeFile(path, orders);
  let notes = "";
  const outcome = await buildFiles(dir, { census }, {
    ...(orders !== undefined && { orders: path }),
    search: false,
    onNote: (note) => notes += `${note}\n`,
    ...options,
  });
  return { ...outcome, notes };
}

const WHOLE = ordersCsv(manyOrders());

/** What makes a whole file unusable, and the message. */
const UNREADABLE: Record<string, [file: string | Uint8Array, says: RegExp]> = {
  "another file": [CENSUS, /is the Company Census File where the Out of Service Orders file is/],
  "a web page": ["<html>\n<p>Not found</p>\n", /not a CSV header/],
  "nothing": ["", /the file is empty/],
  "a header only": [ordersCsv([]), /no row has a day/],
  "damaged gzip": [gzipSync(WHOLE).subarray(0, 2000), /damaged or cut short/],
  "dates in another form": [WHOLE.replace(/\d{4}-(\d\d)-(\d\d)/g, "$1/$2/26"), /no row has a day/],
  ...Object.fromEntries(ORDER_WANTED.map((column) => [`no ${column}`, [
    WHOLE.replace(column, "OTHER"),
    new RegExp(`lacks column "${column}"; the file has .*"OTHER"`),
  ]])),
};

/** A change of each column that must not go unnoticed: the gate that it breaks, or the values listed. */
const MUTATIONS: Record<string, [change: (row: Row, i: number) => Row, gate: string]> = {
  "DOT_NUMBER blank": [
    (row, i) => i % 100 === 0 ? { ...row, DOT_NUMBER: "" } : row,
    "orders_rejected",
  ],
  "DOT_NUMBER moved": [
    (row, i) => ({ ...row, DOT_NUMBER: String(i % 50 + 3900) }),
    "orders_lost",
  ],
  "DOT_NUMBER unknown": [
    (row, i) => i % 10 === 0 ? { ...row, DOT_NUMBER: String(i + 50_000) } : row,
    "orders_unknown_carrier",
  ],
  "OOS_DATE blank for some": [
    (row, i) => i % 30 === 0 ? { ...row, OOS_DATE: "" } : row,
    "orders_unusable",
  ],
  "OOS_DATE a day later": [(row) => ({ ...row, OOS_DATE: "2026-09-30" }), "orders_lost"],
  "OOS_DATE of last year": [
    (row) => ({ ...row, OOS_DATE: row.OOS_DATE!.replace(/^2026/, "2025") }),
    "orders_newest",
  ],
  "OOS_DATE and RESCIND_DATE exchanged": [
    (row) => ({ ...row, OOS_DATE: row.RESCIND_DATE!, RESCIND_DATE: row.OOS_DATE! }),
    "orders_unusable",
  ],
  "OOS_REASON and STATUS exchanged": [
    (row) => ({ ...row, OOS_REASON: row.STATUS!, STATUS: row.OOS_REASON! }),
    "orders_lost",
  ],
  "OOS_REASON blank": [(row) => ({ ...row, OOS_REASON: "" }), "orders_lost"],
  "RESCIND_DATE blank": [(row) => ({ ...row, RESCIND_DATE: "" }), "orders_unrescinded"],
  "RESCIND_DATE blank for some": [
    (row, i) => i % 25 === 0 ? { ...row, RESCIND_DATE: "" } : row,
    "orders_unrescinded_moved",
  ],
  "RESCIND_DATE in every row": [
    (row) => ({ ...row, RESCIND_DATE: "2026-10-01" }),
    "orders_unrescinded",
  ],
  "RESCIND_DATE of a day before": [
    (row) => row.RESCIND_DATE ? { ...row, RESCIND_DATE: "1999-01-01" } : row,
    "orders_unusable",
  ],
};

Deno.test("an unreadable file of orders is left out, and the two files are built as without it", async () => {
  await using dir = await tempDir();
  const without = await buildWith(dir.path, undefined);
  for (const [name, [file, says]] of Object.entries(UNREADABLE)) {
    const out = `${dir.path}/${name}`;
    const { manifest, report, notes } = await buildWith(dir.path, file, { out });
    assert.match(notes, says, name);
    assert.match(notes, /Out-of-service orders are not included/);
    assert.deepEqual(manifest, { ...without.manifest, orders: "unreadable" });
    assert.deepEqual(report, without.report);
  }
  const out = `${dir.path}/missing`;
  const { manifest } = await buildWith(dir.path, undefined, { out, orders: { why: "missing" } });
  assert.deepEqual(manifest, { ...without.manifest, orders: "missing" });
});

Deno.test("a change of any column that is read breaks a gate, which leaves the orders out", async () => {
  for (const column of ORDER_WANTED) {
    assert.ok(Object.keys(MUTATIONS).some((name) => name.startsWith(column)), column);
  }
  await using dir = await tempDir();
  const next = { dataDate: "2026-10-03" };
  const first = await buildWith(dir.path, WHOLE, { dataDate: "2026-10-02" });
  assert.ok(first.manifest.orders_date !== undefined, first.notes);
  const base = `${dir.path}/base`;
  await Deno.rename(`${dir.path}/out`, base);
  const previous = folderSource(base);
  const plain = await buildWith(dir.path, undefined, { ...next, previous });
  const cases = {
    ...Object.fromEntries(
      Object.entries(MUTATIONS).map(([name, [change, gate]]) =>
        [name, [ordersCsv(manyOrders().map(change)), gate]] as const
      ),
    ),
    "half of the rows": [ordersCsv(manyOrders().slice(0, 1500)), "orders_rows"],
    "the last line cut": [WHOLE.slice(0, -3), "orders_cut_short"],
    "an older file": [ordersCsv(manyOrders().slice(1)), "orders_newest_moved"],
  } as Record<string, [string, string]>;
  for (const [name, [text, gate]] of Object.entries(cases)) {
    const out = `${dir.path}/${name}`;
    const { manifest, report, notes, entry } = await buildWith(dir.path, text, {
      ...next,
      previous,
      out,
    });
    const failed = report.orders!.gates.filter(({ passed }) => !passed).map(({ name }) => name);
    assert.ok(failed.includes(gate), `${name}: ${failed}`);
    assert.ok(notes.includes(`(${gate}: `), name);
    assert.equal(manifest.orders, "refused");
    assert.equal(manifest.orders_date, undefined);
    // Everything else is as in a build without the file.
    assert.deepEqual(manifest.files.SHA256SUMS, plain.manifest.files.SHA256SUMS);
    assert.deepEqual(manifest.counts, plain.manifest.counts);
    assert.deepEqual(report.gates, plain.report.gates);
    assert.equal(entry.sources.length, 3);
  }
  // The next file is compared with the last good one.
  const out = `${dir.path}/half of the rows`;
  const again = await buildWith(dir.path, cases["half of the rows"]![0], {
    out,
    dataDate: "2026-10-04",
  });
  assert.equal(again.manifest.orders, "refused");
  const good = await buildWith(dir.path, WHOLE, { out, dataDate: "2026-10-04" });
  assert.equal(good.manifest.orders_date, "2026-09-30");
});

Deno.test("refused orders need their own --force-orders reason, which overrides no gate of the two files", async () => {
  await using dir = await tempDir();
  const half = ordersCsv(manyOrders().slice(0, 1500));
  const fewer = censusCsv(Array.from({ length: CARRIERS / 2 }, (_, i) => censusRow(i + 1)));
  await buildWith(dir.path, WHOLE, { dataDate: "2026-10-02", out: `${dir.path}/base` });
  const day = { dataDate: "2026-10-03", previous: folderSource(`${dir.path}/base`) };
  const orders = "FMCSA removed old orders";
  await assert.rejects(
    buildWith(dir.path, half, { ...day, census: fewer, forceOrders: orders }),
    (error) =>
      error instanceof GateError && error.failures.every(({ gate }) => !/^orders/.test(gate)),
  );
  // The reason covers the census only, not the orders.
  const census = await buildWith(dir.path, half, { ...day, census: fewer, force: "half are gone" });
  assert.equal(census.manifest.orders, "refused");
  assert.equal(census.manifest.forced, "half are gone");
  assert.match(census.notes, /give --force-orders "REASON"/);
  assert.ok(census.report.orders!.gates.every(({ overridden }) => !overridden));
  assert.ok(census.overridden.every(({ gate }) => !gate.startsWith("orders")));

  const out = `${dir.path}/both`;
  const both = await buildWith(dir.path, half, {
    ...day,
    out,
    census: fewer,
    force: "half are gone",
    forceOrders: orders,
  });
  assert.equal(both.manifest.orders, undefined);
  assert.equal(both.manifest.orders_date, "2026-09-30");
  assert.ok(both.report.orders!.gates.some(({ overridden }) => overridden));
  const gates = new Set(both.overridden.map(({ gate }) => gate));
  assert.ok(gates.has("orders_rows") && gates.has("census_rows"), [...gates].join());
  assert.equal(both.manifest.forced, `half are gone; orders: ${orders}`);
  // A reason that overrode nothing is not recorded.
  const next = { out, dataDate: "2026-10-04", census: fewer, force: "x", forceOrders: "x" };
  assert.equal((await buildWith(dir.path, half, next)).manifest.forced, undefined);
});

Deno.test("a name, STATUS or a new column may change without consequence", async () => {
  await using dir = await tempDir();
  const first = await buildWith(dir.path, WHOLE);
  const wanted: readonly string[] = ORDER_WANTED;
  for (const column of ORDER_COLUMNS.filter((name) => !wanted.includes(name))) {
    const text = ordersCsv(manyOrders().map((row) => ({ ...row, [column]: "OTHER" })));
    assert.equal((await buildWith(dir.path, text)).entry.snapshot, first.entry.snapshot);
  }
  const added = WHOLE.trimEnd().split("\n")
    .map((line, i) => `${line},${i === 0 ? "NEW" : "x"}\n`).join("");
  const { manifest, report, notes } = await buildWith(dir.path, added);
  assert.equal(manifest.files.SHA256SUMS.sha256, first.manifest.files.SHA256SUMS.sha256);
  assert.deepEqual(report.orders!.extra_columns, ["NEW"]);
  assert.match(notes, /new columns, not used: NEW/);
});

Deno.test("an order or a rescission that appears is a change, between two snapshots that include orders", async () => {
  await using dir = await tempDir();
  const first = { date: "2026-09-01", reason: "Denial of Access" };
  const second = { date: "2026-10-02", reason: "Imminent Hazard" };
  const rowsOf = (day: number): Row[] => [
    ...manyOrders(2000),
    orderRow(3001, { OOS_DATE: first.date, RESCIND_DATE: day >= 4 ? "2026-10-03" : "" }),
    ...(day >= 3 ? [orderRow(3001, { OOS_DATE: second.date, OOS_REASON: second.reason })] : []),
    ...(day >= 3 ? [orderRow(3002)] : []),
  ];
  const changes: Record<number, RecordChange[] | undefined> = {};
  const untouched: string[] = [];
  // No file on the 6th.
  for (const day of [1, 2, 3, 4, 5, 6, 7]) {
    const { manifest } = await buildWith(dir.path, day === 6 ? undefined : ordersCsv(rowsOf(day)), {
      dataDate: `2026-10-0${day}`,
    });
    const [record, other] = await readCarriers(`${dir.path}/out`, [3001, 5]);
    changes[day] = record!.changes;
    untouched.push(JSON.stringify(other));
    assert.equal(record!.orders?.length, day === 6 ? undefined : day < 3 ? 1 : 2);
    const gap = { members: ["orders"] };
    const gaps = [{ day: "2026-10-07", ...gap }, { day: "2026-10-06", ...gap }];
    assert.deepEqual(manifest.gaps, day === 7 ? gaps : day === 6 ? gaps.slice(1) : undefined);
  }
  const appeared = { day: "2026-10-03", member: "orders", was: [first] };
  const rescinded = { day: "2026-10-04", member: "orders", was: [second, first] };
  assert.deepEqual(changes, {
    1: undefined,
    2: undefined,
    3: [appeared],
    4: [rescinded, appeared],
    5: [rescinded, appeared],
    6: [rescinded, appeared],
    7: [rescinded, appeared],
  });
  assert.ok(untouched.every((text) => !text.includes("changes")));
  const [record] = await readCarriers(`${dir.path}/out`, [3002]);
  assert.deepEqual(record!.changes, [{ day: "2026-10-03", member: "orders" }]);
});

Deno.test("builds of the same files with orders are identical, on one core and on two", async () => {
  await using dir = await tempDir();
  await buildWith(dir.path, WHOLE);
  const built = await tree(`${dir.path}/out/s`);
  const [header, ...lines] = WHOLE.trimEnd().split("\n");
  const text = [header, ...lines.reverse(), ""].join("\n");
  await buildWith(dir.path, gzipSync(text), { workers: 2, out: `${dir.path}/other` });
  assert.deepEqual(await tree(`${dir.path}/other/s`), built);
});
