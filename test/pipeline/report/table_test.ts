import assert from "node:assert/strict";
import { cellsOf } from "../../../pipeline/text.ts";
import { renderTable } from "../../../pipeline/report/table.ts";
import { bareReport, HOSTILE, sampleReport } from "./sample_report.ts";

Deno.test("renderTable() writes the golden text", async () => {
  const golden = await Deno.readTextFile(new URL("./golden/report.txt", import.meta.url));
  assert.equal(renderTable(sampleReport()), golden);
});

Deno.test("renderTable() keeps to 100 columns and lets no control character through", () => {
  const sample = sampleReport();
  sample.snapshot = HOSTILE.repeat(3);
  sample.report.drift!.rows.push([HOSTILE.repeat(9), 1e15, 1e15, -1234.5]);
  sample.report.census.problems[0]!.reason = "r".repeat(300);
  sample.report.inspections.problems = [
    { reason: "bad_date", treatment: "repaired", count: 1, examples: [`字${"字".repeat(159)}`] },
  ];
  for (const line of renderTable(sample).split("\n")) {
    assert.ok(cellsOf(line) <= 100, line);
    assert.doesNotMatch(line, /[\p{Cc}\p{Cf}]/u);
  }
});

Deno.test("renderTable() marks changes of over 5% and new values only", () => {
  const marked = renderTable(sampleReport()).split("\n").filter((line) => line.endsWith("<<"));
  assert.deepEqual(marked.map((line) => line.trim().split("  ")[0]), ["rating U", "status P"]);
});

Deno.test("renderTable() says so when there is nothing to show", () => {
  const text = renderTable(bareReport());
  assert.match(text, /Company census: problems\n {2}None\./);
  assert.doesNotMatch(text, /NaN|undefined|Infinity|Forced|Notice|Against/);
});
