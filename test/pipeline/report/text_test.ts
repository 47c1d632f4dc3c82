import assert from "node:assert/strict";
import { cellsOf } from "../../../pipeline/text.ts";
import { renderMarkdown, renderText } from "../../../pipeline/report/text.ts";
import { bareReport, HOSTILE, sampleReport } from "./sample_report.ts";

Deno.test("renderText() writes the golden text", async () => {
  const golden = new URL("./golden/report.txt", import.meta.url);
  const text = renderText(sampleReport());
  if (Deno.env.get("UPDATE_GOLDEN") === "1") await Deno.writeTextFile(golden, text);
  assert.equal(text, await Deno.readTextFile(golden));
});

Deno.test("renderText() fits into 100 columns and removes control characters", () => {
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

Deno.test("renderText() marks only changes of over 5% and new values", () => {
  const marked = renderText(sampleReport()).split("\n").filter((line) => line.endsWith("  review"));
  assert.deepEqual(marked.map((line) => line.trim().split("  ")[0]), ["rating U", "status P"]);
});

Deno.test("renderText() says so when there is nothing to show", () => {
  const text = renderText(bareReport());
  assert.match(text, /Company census: problems\n.*\n {2}None\./);
  assert.doesNotMatch(text, /NaN|undefined|Infinity|Forced|Notice/);
});

Deno.test("renderMarkdown() says how the run ended, and nothing else without a report", () => {
  assert.equal(
    renderMarkdown("Stopped at build: two bounds\n  - one\n  - two"),
    "## Stopped at build: two bounds\n\n  - one\n\n  - two\n\n",
  );
});

Deno.test("renderMarkdown() shows what needs review, then the whole report folded", () => {
  const text = renderMarkdown("Built", sampleReport());
  const [review, whole] = text.split("<details>") as [string, string];
  assert.match(review, /^ {2}drift status +21\.04 points .* overridden$/m);
  assert.match(review, /^ {2}rating U +1,000 +900 +-10\.00% +review$/m);
  assert.doesNotMatch(review, /census usable|^ {2}carriers /m);
  for (const line of renderText(sampleReport()).split("\n")) {
    assert.ok(whole.includes(line.replaceAll("`", "'")), line);
  }
  assert.match(renderMarkdown("Built", bareReport()), /^Nothing needs review\.$/m);
});

Deno.test("renderMarkdown() lets no text act as Markdown or HTML", () => {
  const sample = sampleReport();
  sample.report.drift!.rows.push([`| ${HOSTILE} [a](b) *c* @d \`\`\`e`, 0, 1, null]);
  const text = renderMarkdown(`Stopped: ${HOSTILE}`, sample);
  const blocks = text.split(/^```(?:text)?$/m);
  assert.equal(blocks.length, 5);
  for (const block of blocks) assert.ok(!block.includes("`"));
  const outside = blocks.filter((_, i) => i % 2 === 0).join("");
  const tags = [...outside.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
  assert.deepEqual(tags, ["<details>", "<summary>", "</summary>", "</details>"]);
});
