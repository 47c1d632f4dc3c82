import assert from "node:assert/strict";
import { changeGates } from "../../../pipeline/audit/change_gates.ts";
import { failuresOf } from "../../../pipeline/audit/gates.ts";
import type { RecordChanges } from "../../../pipeline/audit/record_changes.ts";
import { sampleReport } from "../report/sample_report.ts";

const PATHS = { census: "census.csv", inspections: "inspections.csv" };

/** The failures of the gates for changes between a data date and 2026-04-03. */
function failures(changes: Partial<RecordChanges>, since = "2026-04-02"): string[] {
  const { report } = sampleReport();
  const none = { compared: 1_000_000, arrived: 0, left: 0, facts: [] };
  report.drift = { previous: "", rows: [], changes: { ...none, ...changes } };
  const gates = changeGates({ report, previous: { ...report, data_date: since }, paths: PATHS });
  return failuresOf(gates).map(({ message }) => message);
}

const member = (
  changed: number,
  name = "legal_name",
  having = 100_000,
): Partial<RecordChanges> => ({
  facts: [[name, "COLUMN", having, changed]],
});
const figure = (moved: number): Partial<RecordChanges> => ({
  facts: [["violations", "VIOL_TOTAL", 1_000_000, moved]],
});

/** A change, the largest count that passes, and the previous data date. */
const BOUNDS: [
  change: (count: number) => Partial<RecordChanges>,
  passes: number,
  since?: string,
][] = [
  [(left) => ({ compared: 1_000_000 - left, left }), 10_000],
  // 3% plus 1% a day, up to 15%. For members that any filing may change: 3% plus 1.5% a day, up to 30%.
  [member, 4_000],
  [member, 10_000, "2026-03-27"],
  [member, 15_000, "2026-03-22"],
  [member, 15_000, "2026-02-14"],
  [(count) => member(count, "mcs150_date"), 4_500],
  [(count) => member(count, "mcs150_date"), 30_000, "2026-02-14"],
  [(count) => member(count, "last_inspection"), 7_000],
  [(count) => member(count, "last_inspection"), 60_000, "2026-02-14"],
  [figure, 35_000],
  [figure, 150_000, "2026-02-14"],
  // However old the previous snapshot is.
  [member, 15_000, "1999-01-01"],
  [(count) => member(count, "mcs150_date"), 30_000, "1999-01-01"],
  [figure, 150_000, "1999-01-01"],
  // Ten changes among a hundred are noise.
  [(count) => member(count, "legal_name", 100), 10],
];

Deno.test("changeGates() allows a share at once plus a share per day, up to a maximum", () => {
  for (const [i, [change, passes, since]] of BOUNDS.entries()) {
    assert.deepEqual(failures(change(passes), since), [], `${i} passes`);
    const broken = failures(change(Math.ceil(passes * 1.001)), since);
    assert.equal(broken.length, 1, `${i} breaks`);
  }
});

Deno.test("changeGates() ignores changes of fewer than ten values", () => {
  assert.deepEqual(failures(member(9, "legal_name", 9)), []);
  assert.equal(failures(member(9, "legal_name", 10)).length, 1);
  // Both snapshots are in the sum of a figure.
  assert.deepEqual(failures({ facts: [["violations", "VIOL_TOTAL", 19, 19]] }), []);
  assert.equal(failures({ facts: [["violations", "VIOL_TOTAL", 20, 20]] }).length, 1);
});

Deno.test("changeGates() names the file, the column that changed most, and others beyond their bounds", () => {
  const columns: RecordChanges["facts"] = [
    ["cargo", "CRGO_MEAT", 100_000, 4_001],
    ["cargo", "CRGO_CHEM", 100_000, 95_000],
    ["cargo", "CRGO_USMAIL", 100_000, 4_000],
  ];
  assert.deepEqual(failures({ facts: columns }), [
    "census.csv: CRGO_CHEM differs for 95% of the 100000 carriers that have it, compared with a day " +
    "ago; so do CRGO_MEAT (changed_cargo: 95%, allowed at most 4%)",
  ]);
  assert.deepEqual(failures(figure(160_000), "2026-02-14"), [
    "inspections.csv: VIOL_TOTAL differs by 16%, compared with 48 days ago " +
    "(changed_violations: 16%, allowed at most 15%)",
  ]);
});
