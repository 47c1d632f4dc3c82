import assert from "node:assert/strict";
import { cellsOf } from "../../../pipeline/text.ts";
import { renderMarkdown } from "../../../pipeline/report/markdown.ts";
import { renderText } from "../../../pipeline/report/text.ts";
import { bareReport, HOSTILE, sampleReport } from "./sample_report.ts";

Deno.test("renderText() writes the golden text", async () => {
  const golden = new URL("./golden/report.txt", import.meta.url);
  const text = renderText(sampleReport());
  if (Deno.env.get("UPDATE_GOLDEN") === "1") await Deno.writeTextFile(golden, text);
  assert.equal(text, await Deno.readTextFile(golden));
});

Deno.test("renderText() keeps to 100 columns and lets no control character through", () => {
  const sample = sampleReport();
  sample.snapshot = HOSTILE.repeat(3);
  sample.report.drift!.rows.push([HOSTILE.repeat(9), 1e15, 1e15, -1234.5]);
  sample.report.census.problems[0]!.reason = "r".repeat(300);
  sample.report.inspections.problems = [
    { reason: "bad_date", treatment: "repaired", count: 1, examples: [`字${"字".repeat(159)}`] },
  ];
  for (const line of renderText(sample).split("\n")) {
    assert.ok(cellsOf(line) <= 100, line);
    assert.doesNotMatch(line, /[\p{Cc}\p{Cf}]/u);
  }
});

Deno.test("renderText() marks changes of over 5% and new values only", () => {
  const marked = renderText(sampleReport()).split("\n").filter((line) => line.endsWith("  review"));
  assert.deepEqual(marked.map((line) => line.trim().split("  ")[0]), ["rating U", "status P"]);
});

Deno.test("renderText() says so when there is nothing to show", () => {
  const text = renderText(bareReport());
  assert.match(text, /Company census: problems\n.*\n {2}None\./);
  assert.doesNotMatch(text, /NaN|undefined|Infinity|Forced|Notice/);
});

Deno.test("renderMarkdown() says how the run ended, and that alone without a report", () => {
  assert.equal(
    renderMarkdown("Stopped at build: two bounds\n  - one\n  - two"),
    "## Stopped at build: two bounds\n\n  - one\n\n  - two\n\n",
  );
});

Deno.test("renderMarkdown() shows what is broken or has changed before all the rest", () => {
  const text = renderMarkdown("Built", sampleReport());
  const before = (part: string) => text.slice(0, text.indexOf(part));
  assert.match(
    before("<summary>All 4"),
    /\| drift status \| 21\.04 points \|.*\| overridden \|/,
  );
  assert.ok(!before("<summary>All 4").includes("census usable"));
  const drift = text.slice(text.indexOf("### Changes"));
  const changes = drift.slice(0, drift.indexOf("<summary>All 5"));
  assert.match(changes, /2 of 5 need review/);
  assert.match(changes, /\| rating U \| 1,000 \| 900 \| -10\.00% \|/);
  assert.ok(!changes.includes("| carriers |"));
  assert.match(renderMarkdown("Built", bareReport()), /absolute bounds only/);
});

Deno.test("renderMarkdown() lets no text act as Markdown or HTML", () => {
  const sample = sampleReport();
  sample.report.drift!.rows.push([`| ${HOSTILE} [a](b) *c* @d \`e\``, 0, 1, null]);
  const text = renderMarkdown(`Stopped: ${HOSTILE}`, sample);
  assert.doesNotMatch(text, /<script|<\/code|\[a\]|\*c\*|@d|`/);
  const tags = [...text.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
  assert.deepEqual(new Set(tags), new Set(["<details>", "</details>", "<summary>", "</summary>"]));
});
