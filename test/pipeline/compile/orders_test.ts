/** Builds with FMCSA's file of out-of-service orders as a third file. */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { BuildOutcome } from "../../../pipeline/compile/build.ts";
import type { BuildOptions } from "../../../pipeline/compile/build_options.ts";
import { folderSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { MAX_ORDERS, type OutOfServiceOrder } from "../../../pipeline/snapshot/record/record.ts";
import { verifySnapshot } from "../../../pipeline/publish/verify.ts";
import {
  buildFiles,
  censusCsv,
  censusRow,
  inspectionCsv,
  inspectionRow,
  orderRow,
  ordersCsv,
  readCarriers,
  type Row,
  tempDir,
  tree,
} from "./files.ts";

/** Builds carriers 1 to 9 with a file of orders. */
async function buildOrders(
  dir: string,
  orders: Row[] | string,
  { dots = [1, 2, 3, 4, 5, 6, 7, 8, 9], ...options }: Partial<BuildOptions> & { dots?: number[] } =
    {},
): Promise<BuildOutcome> {
  const text = typeof orders === "string" ? orders : ordersCsv(orders);
  await Deno.writeTextFile(`${dir}/orders.csv`, text);
  const { dataDate = "2026-10-03" } = options;
  return await buildFiles(dir, {
    census: censusCsv(dots.map((dot) => censusRow(dot))),
    inspections: inspectionCsv([
      inspectionRow(1, dots[0]!, { INSP_DATE: dataDate.replaceAll("-", "") }),
    ]),
  }, { orders: `${dir}/orders.csv`, ...options });
}

async function ordersOf(dir: string, dot: number): Promise<OutOfServiceOrder[] | undefined> {
  const [record] = await readCarriers(`${dir}/out`, [dot]);
  return record!.orders;
}

/** Eight rows of FMCSA's public file, with the known columns. */
const FILED = `DOT_NUMBER,LEGAL_NAME,DBA_NAME,OOS_DATE,OOS_REASON,STATUS,RESCIND_DATE
4548009,FIBERTEL COMMUNICATIONS INC,,2026-08-13,New Entrant Revoked - Failure of Safety Audit,ACTIVE,
4308390,AGONDH TRUCKS INC,,2026-08-13,Denial of Access,ACTIVE,
3269326,GREEN BROTHERS LOGISTICS CORP,,2026-08-12,90 day failure to pay fine,ACTIVE,
897512,JTR ENTERPRISES LLC,,2026-08-10,Unsatisfactory = Unfit,ACTIVE,
3235924,SAM EXPRESS INC,,2026-04-10,Imminent Hazard,ACTIVE,
1438,,,2022-07-09,,,2022-07-11
13172,,,2022-03-16,,,2022-03-31
14662,,,2003-03-19,,INACTIVE,2003-03-25
`;

Deno.test("rows of FMCSA's file keep their filed dates and reasons", async () => {
  await using dir = await tempDir();
  const dots = FILED.split("\n").slice(1, -1).map((line) => parseInt(line));
  const { manifest, report, entry } = await buildOrders(dir.path, FILED, {
    dots,
    dataDate: "2026-08-16",
  });
  assert.equal(manifest.orders_date, "2026-08-13");
  assert.equal(manifest.orders, undefined);
  assert.equal(manifest.counts.orders, 8);
  assert.deepEqual(entry.sources.map(({ role }) => role), ["census", "inspections", "orders"]);
  const { rescinded, unrescinded, unknown_carrier } = report.orders!;
  assert.deepEqual([rescinded, unrescinded, unknown_carrier], [3, 5, 0]);
  for (const line of FILED.split("\n").slice(1, -1)) {
    const [dot, , , date, reason, , rescinded] = line.split(",");
    assert.deepEqual(await ordersOf(dir.path, Number(dot)), [
      { date, reason, ...(rescinded !== "" && { rescinded }) },
    ], line);
  }
  const { problems } = await verifySnapshot(folderSource(`${dir.path}/out`), {});
  assert.deepEqual(problems, []);
});

/** Dates of an order as filed on the data date Oct 3, 2026, and the record's values. */
const DATES: [date: string, rescinded: string, expected: Omit<OutOfServiceOrder, "reason">][] = [
  ["2026-09-20", "", { date: "2026-09-20" }],
  ["2026-09-20T00:00:00.000", "2026-09-21T00:00:00", {
    date: "2026-09-20",
    rescinded: "2026-09-21",
  }],
  ["2026-09-20", "2026-09-20", { date: "2026-09-20", rescinded: "2026-09-20" }],
  ["2026-09-20", "2027-01-01", { date: "2026-09-20", rescinded: "2027-01-01" }],
  ["1999-12-31", "", { date: "1999-12-31" }],
  // Files may be a few days apart.
  ["2026-10-10", "", { date: "2026-10-10" }],
  ...[
    ["", ""],
    ["", "2026-09-20"],
    ["2026-02-30", ""],
    ["2026-09-20", "2026-09-31"],
    ["2026-09-20", "2026-09-19"],
    ["20260920", ""],
    ["09/20/2026", ""],
    ["2026-09-20T14:00:00.000", ""],
    ["2027-09-20", ""],
    ["0026-09-20", ""],
    ["2026-09-20", "NO"],
    ["2026-09-20", "0"],
  ].map(([date, rescinded]): typeof DATES[number] => [
    date!,
    rescinded!,
    { unusable: { date: date!, rescinded: rescinded! } },
  ]),
];

Deno.test("an order with unusable dates is listed with them as filed, and counted", async () => {
  await using dir = await tempDir();
  const dots = DATES.map((_, i) => i + 1);
  const rows = DATES.map(([OOS_DATE, RESCIND_DATE], i) =>
    orderRow(i + 1, { OOS_DATE, RESCIND_DATE })
  );
  // Keeps the gate on unusable dates out of this test.
  const { report } = await buildOrders(dir.path, rows, { dots, forceOrders: "unusable dates" });
  for (const [i, [, , expected]] of DATES.entries()) {
    assert.deepEqual(await ordersOf(dir.path, i + 1), [{
      ...expected,
      reason: "Denial of Access",
    }]);
  }
  const { accepted, rescinded, unrescinded, rescinded_later, unusable, problems } = report.orders!;
  assert.deepEqual(
    [accepted, rescinded, unrescinded, rescinded_later, unusable],
    [18, 2, 3, 1, 12],
  );
  assert.deepEqual(problems.map(({ reason, count }) => [reason, count]), [["bad_order_dates", 12]]);
});

Deno.test("an order is rescinded from the day of its rescission", async () => {
  await using dir = await tempDir();
  for (
    const [RESCIND_DATE, state] of [["2026-10-03", "rescinded"], [
      "2026-10-04",
      "rescinded_later",
    ]] as const
  ) {
    const { report } = await buildOrders(dir.path, [orderRow(1, { RESCIND_DATE })], {
      forceOrders: "x",
    });
    assert.equal(report.orders![state], 1);
  }
});

Deno.test("STATUS and names don't affect orders, and both names of the last column are read", async () => {
  await using dir = await tempDir();
  const rows = [orderRow(1, { RESCIND_DATE: "2026-09-30" }), orderRow(2)];
  const { manifest } = await buildOrders(dir.path, rows);
  for (const STATUS of ["INACTIVE", "PENDING", "", "?"]) {
    const other = { STATUS, LEGAL_NAME: "SOMEBODY ELSE", DBA_NAME: "CARRIER 3" };
    const text = ordersCsv(rows.map((row) => ({ ...row, ...other })))
      .replace("RESCIND_DATE", "OOS_RESCIND_DATE");
    const again = await buildOrders(dir.path, text);
    assert.deepEqual([again.isNew, again.manifest], [false, manifest]);
  }
});

Deno.test("rows that are unusable, repeated or not in the census are counted", async () => {
  await using dir = await tempDir();
  const good = Array.from({ length: 6000 }, (_, i) => orderRow(1, { OOS_REASON: `Reason ${i}` }));
  const text = ordersCsv([...good, orderRow(2), orderRow(2, { STATUS: "INACTIVE" }), orderRow("X")])
    .concat(
      "ragged,row\n\n",
      ordersCsv([orderRow(70_000), orderRow(99_999_999)]).split("\n")
        .slice(1).join("\n"),
    );
  const { report: { orders } } = await buildOrders(dir.path, text, {
    forceOrders: "one state only",
  });
  const { rows, accepted, rejected, skipped, unknown_carrier, problems } = orders!;
  assert.deepEqual([rows, accepted, rejected, skipped, unknown_carrier], [6007, 6003, 3, 1, 2]);
  assert.deepEqual(problems.map(({ reason, count }) => [reason, count]), [
    ["bad_usdot_number", 1],
    ["blank_line", 1],
    ["duplicate_order", 1],
    ["ragged_row", 1],
  ]);
});

Deno.test("when there are more orders than are listed, the oldest rescinded ones are left out", async () => {
  await using dir = await tempDir();
  const day = (i: number): string => new Date(Date.UTC(2020, 0, 1 + i)).toISOString().slice(0, 10);
  const rows = Array.from(
    { length: MAX_ORDERS + 5 },
    (_, i) => orderRow(3, { OOS_DATE: day(i), RESCIND_DATE: i < 3 ? "" : day(i + 1) }),
  );
  const { manifest } = await buildOrders(dir.path, [...rows, orderRow(4)], { forceOrders: "x" });
  assert.equal(manifest.counts.orders, MAX_ORDERS + 6);
  const [record, other] = await readCarriers(`${dir.path}/out`, [3, 4]);
  assert.equal(record!.orders_total, MAX_ORDERS + 5);
  assert.equal(other!.orders_total, undefined);
  const days = record!.orders!.map(({ date }) => date);
  const kept = [...Array(3).keys(), ...Array.from({ length: MAX_ORDERS - 3 }, (_, i) => i + 8)];
  assert.deepEqual(days, kept.map(day).reverse());
  const { problems } = await verifySnapshot(folderSource(`${dir.path}/out`), {});
  assert.deepEqual(problems, []);
});

Deno.test("orders are listed in the same order, whatever the rows' order and contents", async () => {
  const cell = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("2026-09-20", "2026-09-21", "2024-02-29", "") },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  );
  const row = fc.record({
    DOT_NUMBER: fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 1, max: 12 }).map(String) },
      { weight: 1, arbitrary: fc.string() },
    ),
    LEGAL_NAME: fc.string(),
    OOS_DATE: cell,
    OOS_REASON: fc.oneof(fc.constantFrom("A", "B", ""), fc.string({ unit: "binary" })),
    STATUS: fc.string(),
    RESCIND_DATE: cell,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 30 }),
      fc.infiniteStream(fc.nat()),
      async (rows, order) => {
        await using dir = await tempDir();
        // One usable row makes the file usable.
        const all: Row[] = [orderRow(5), ...rows];
        const options = { forceOrders: "hostile rows", search: false };
        const { report } = await buildOrders(dir.path, all, options);
        const { accepted, rejected, skipped } = report.orders!;
        assert.equal(accepted + rejected + skipped, report.orders!.rows);
        const built = await tree(`${dir.path}/out/s`);
        const shuffled = all.map((row) => [order.next().value!, row] as const)
          .sort(([a], [b]) => a - b).map(([, row]) => row);
        const out = `${dir.path}/other`;
        await buildOrders(dir.path, shuffled, { ...options, out });
        assert.deepEqual(await tree(`${out}/s`), built);
        let listed = 0;
        for (let dot = 1; dot <= 9; dot++) {
          listed += (await ordersOf(dir.path, dot))?.length ?? 0;
        }
        if (rows.length < MAX_ORDERS) {
          assert.equal(listed, accepted - report.orders!.unknown_carrier);
        }
      },
    ),
    { numRuns: 8 },
  );
});
