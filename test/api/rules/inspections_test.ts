import assert from "node:assert/strict";
import { listInspections } from "../../../api/rules/inspections.ts";
import type { InspectionSummary } from "../../../pipeline/snapshot/record/record.ts";
import { Random } from "../../synthetic/random.ts";
import {
  buildFiles,
  censusCsv,
  censusRow,
  inspectionCsv,
  inspectionRow,
  readCarriers,
  type Row,
  tempDir,
} from "../../pipeline/compile/files.ts";

const WINDOW = { from: "2024-10-04", to: "2026-10-03" };

/** `2026-10-03` minus some days. */
function dayBefore(ago: number): string {
  return Temporal.PlainDate.from(WINDOW.to).subtract({ days: ago }).toString();
}

function drawn(id: number, dot: number): Row {
  const random = new Random().restart(3, id, 1);
  const count = (): string => String(random.chance(0.7) ? 0 : 1 + random.below(3));
  return inspectionRow(id, dot, {
    INSP_DATE: dayBefore(7 * id % 730).replaceAll("-", ""),
    INSP_LEVEL_ID: ["1", "2", "3", "5", "99", ""][random.below(6)]!,
    REPORT_STATE: ["OH", "PA", "TX", "?"][random.below(4)]!,
    HAZMAT_PLACARD_REQ: ["", "Y", "N"][random.below(3)]!,
    POST_ACC_IND: random.chance(0.1) ? "Y" : "N",
    VIOL_TOTAL: count(),
    DRIVER_VIOL_TOTAL: count(),
    DRIVER_OOS_TOTAL: count(),
    VEHICLE_VIOL_TOTAL: count(),
    VEHICLE_OOS_TOTAL: count(),
    HAZMAT_VIOL_TOTAL: count(),
    HAZMAT_OOS_TOTAL: count(),
  });
}

/** The lists as computed from the rows. */
function expected(rows: Row[]) {
  const isOut = (row: Row): boolean =>
    ["DRIVER", "VEHICLE", "HAZMAT"].some((kind) => Number(row[`${kind}_OOS_TOTAL`]) > 0);
  const sums = (some: Row[]) => ({
    inspections: some.length,
    out_of_service: some.filter(isOut).length,
  });
  const found = (row: Row, kind: string) => ({
    violations: Number(row[`${kind}_VIOL_TOTAL`]),
    out_of_service: Number(row[`${kind}_OOS_TOTAL`]),
  });
  const day = ({ INSP_DATE: text = "" }: Row): string =>
    `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
  const state = ({ REPORT_STATE }: Row): string | null =>
    REPORT_STATE === "?" ? null : REPORT_STATE!;
  const level = ({ INSP_LEVEL_ID }: Row): number | null => Number(INSP_LEVEL_ID) || null;
  const first = Temporal.PlainYearMonth.from(WINDOW.from);
  return {
    by_month: Array.from({ length: 25 }, (_, i) => {
      const month = first.add({ months: i });
      const from = i === 0 ? WINDOW.from : month.toPlainDate({ day: 1 }).toString();
      const to = i === 24 ? WINDOW.to : month.toPlainDate({ day: 31 }).toString();
      return { from, to, ...sums(rows.filter((row) => from <= day(row) && day(row) <= to)) };
    }),
    by_state: [...Map.groupBy(rows, state)]
      .map(([state, some]) => ({ state, ...sums(some) }))
      .sort((a, b) =>
        b.inspections - a.inspections || ((a.state ?? "") < (b.state ?? "") ? -1 : 1)
      ),
    by_level: [...Map.groupBy(rows, level)]
      .map(([level, some]) => ({ level, ...sums(some) }))
      .sort((a, b) => (a.level ?? 0) - (b.level ?? 0)),
    latest: rows
      .toSorted((a, b) =>
        Number(b.INSP_DATE) - Number(a.INSP_DATE) ||
        Number(b.INSPECTION_ID) - Number(a.INSPECTION_ID)
      )
      .slice(0, 50)
      .map((row) => ({
        date: day(row),
        state: state(row),
        level: level(row),
        violations: Number(row.VIOL_TOTAL),
        vehicle: found(row, "VEHICLE"),
        driver: found(row, "DRIVER"),
        hazmat: found(row, "HAZMAT"),
        hazmat_present: row.HAZMAT_PLACARD_REQ !== "" || row.HAZMAT_VIOL_TOTAL !== "0" ||
          row.HAZMAT_OOS_TOTAL !== "0",
        post_crash: row.POST_ACC_IND === "Y",
      })),
  };
}

Deno.test("lists of inspections equal those of the file's rows, for few and for many", async () => {
  await using dir = await tempDir();
  const sizes = [1, 7, 50, 51, 160];
  let id = 0;
  const rows = sizes.flatMap((size, i) => Array.from({ length: size }, () => drawn(++id, i + 1)));
  await buildFiles(
    dir.path,
    {
      census: censusCsv(sizes.map((_, i) => censusRow(i + 1))),
      inspections: inspectionCsv([...rows, inspectionRow(++id, 99, { INSP_DATE: "20261003" })]),
    },
  );
  for (const [i, carrier] of (await readCarriers(`${dir.path}/out`, [1, 2, 3, 4, 5])).entries()) {
    const summary = carrier?.inspections as InspectionSummary;
    assert.equal(summary.sums !== undefined, summary.total > 50);
    const own = rows.filter(({ DOT_NUMBER }) => DOT_NUMBER === String(i + 1));
    assert.deepEqual(listInspections(summary, WINDOW), expected(own));
  }
});

Deno.test("the months of an older snapshot begin on the first day of its window", () => {
  const rate = { inspections: 60, out_of_service: 0 };
  const months = Array.from({ length: 24 }, (_, i) => [i, 0]).flat();
  const summary: InspectionSummary = {
    total: 60,
    last: WINDOW.to,
    violations: 0,
    vehicle: rate,
    driver: rate,
    hazmat: rate,
    latest: [],
    sums: { months, states: [], levels: [] },
  };
  const { by_month = [] } = listInspections(summary, WINDOW);
  assert.deepEqual(by_month.map(({ inspections }) => inspections), [...Array(24).keys()]);
  const [first, last] = [by_month[0]!, by_month.at(-1)!];
  assert.deepEqual([first.from, first.to], ["2024-10-04", "2024-11-03"]);
  assert.deepEqual([last.from, last.to], ["2026-09-04", "2026-10-03"]);
});

Deno.test("a window that ends on the first of a month has a month of one day", () => {
  const rate = { inspections: 1, out_of_service: 0 };
  const summary = { total: 1, last: "2026-10-01", violations: 0, vehicle: rate, driver: rate };
  const window = { from: "2024-10-02", to: "2026-10-01" };
  const { by_month = [] } = listInspections(
    { ...summary, hazmat: rate, latest: [[0, "OH"]] },
    window,
  );
  assert.equal(by_month.length, 25);
  assert.deepEqual(by_month.at(-1), { from: "2026-10-01", to: "2026-10-01", ...rate });
});

Deno.test("an inspection whose numbers are left out has no level and found nothing", () => {
  const rate = { inspections: 0, out_of_service: 0 };
  const summary = { total: 2, last: WINDOW.to, violations: 0, vehicle: rate, driver: rate };
  const latest: InspectionSummary["latest"] = [[0, ""], [3, "OH", 6, 0, 0, 0, 0, 0, 0, 0, 2]];
  const lists = listInspections({ ...summary, hazmat: rate, latest }, WINDOW);
  const none = { violations: 0, out_of_service: 0 };
  const found = { violations: 0, vehicle: none, driver: none, hazmat: none, hazmat_present: false };
  assert.deepEqual(lists.latest, [
    { date: "2026-10-03", state: null, level: null, ...found, post_crash: false },
    { date: "2026-09-30", state: "OH", level: 6, ...found, post_crash: true },
  ]);
  const count = { inspections: 1, out_of_service: 0 };
  assert.deepEqual(lists.by_level, [{ level: null, ...count }, { level: 6, ...count }]);
});
