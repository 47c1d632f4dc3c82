import assert from "node:assert/strict";
import { renderMarkdown } from "../../../pipeline/report/markdown.ts";
import { bareReport, HOSTILE, sampleReport } from "./sample_report.ts";

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
    before("<summary>All 4 bounds"),
    /\| drift status \| 21\.04 points \|.*\| overridden \|/,
  );
  assert.ok(!before("<summary>All 4 bounds").includes("census usable"));
  const changes = text.slice(
    text.indexOf("### What changed"),
    text.indexOf("<summary>All 5 figures"),
  );
  assert.match(changes, /2 of 5 figures/);
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
