import assert from "node:assert/strict";
import { renderPage } from "../../../pipeline/report/page.tsx";
import { parse } from "../../site/document.ts";
import { bareReport, HOSTILE, sampleReport } from "./sample_report.ts";

Deno.test("renderPage() is deterministic, full or bare, without undefined values", () => {
  for (const report of [sampleReport, bareReport]) {
    const html = renderPage(report());
    assert.doesNotMatch(html, /NaN|undefined|Infinity|\[object/);
    assert.equal(renderPage(report()), html);
  }
});

Deno.test("renderPage() has no script and loads nothing", () => {
  const html = renderPage(sampleReport());
  const document = parse(html);
  const active = "script, iframe, object, embed, image, img, use, base";
  assert.equal(document.querySelectorAll(active).length, 0);
  assert.doesNotMatch(html, /https?:|\/\/[a-z]|@import|url\(|javascript:/i);
  for (const element of document.querySelectorAll("*")) {
    // A page of the site shows the same sections, and its policy forbids such styles.
    assert.equal(element.getAttribute("style"), null);
    for (const name of ["src", "srcset", "xlink:href", "onload", "onclick", "onerror"]) {
      assert.equal(element.getAttribute(name), null);
    }
    assert.ok(["data:,", null].includes(element.getAttribute("href")));
  }
});

Deno.test("renderPage() shows hostile text as text, everywhere", () => {
  const sample = sampleReport();
  sample.snapshot = HOSTILE;
  sample.report.data_date = HOSTILE;
  sample.report.notice = HOSTILE;
  sample.report.null_rates[HOSTILE] = 3;
  sample.report.drift!.previous = HOSTILE;
  sample.report.drift!.rows.push([HOSTILE, 1, 2, 100]);
  sample.report.census.problems[2]!.reason = HOSTILE;
  for (const name of Object.keys(sample.report.distributions)) {
    sample.report.distributions[name as "status"].unshift([HOSTILE, 5]);
  }
  const html = renderPage(sample);
  assert.doesNotMatch(html, /<script/);
  assert.doesNotMatch(html, /(?!\n)[\p{Cc}\p{Cf}]/u);
  const examples = [...parse(html).querySelectorAll("li code")].map((code) => code.textContent);
  assert.ok(examples.includes(`</code><script>alert("x")</script>&\\u001b[31m\\u202e'"`));
});

Deno.test("renderPage() draws every figure with a caption and a table of all its values", () => {
  const sample = sampleReport();
  const html = renderPage(sample);
  assert.match(html, /The chart shows the first 30 of 41; the table has all\./);
  const figures = [...parse(html).querySelectorAll("figure")];
  const ids = figures.map((figure) => figure.getAttribute("id"));
  const drawn = [...Object.keys(sample.report.distributions), "null_rates"];
  assert.deepEqual(ids.toSorted(), drawn.sort());
  for (const figure of figures) {
    assert.equal(figure.querySelectorAll("figcaption h3").length, 1);
    assert.equal(figure.querySelectorAll("svg[role=img][aria-label]").length, 1);
    assert.equal(figure.querySelectorAll("details [role=region][aria-label] table").length, 1);
  }
  for (const [name, rows] of Object.entries(sample.report.distributions)) {
    const figure = figures[ids.indexOf(name)]!;
    assert.equal(figure.querySelectorAll("tbody tr").length, rows.length);
    assert.equal(figure.querySelectorAll("svg rect").length, Math.min(rows.length, 30));
  }
});

Deno.test("renderPage() marks notable changes in words, not by color alone", () => {
  const rows = [...parse(renderPage(sampleReport())).querySelectorAll("tr.notable")];
  assert.deepEqual(rows.map((row) => row.querySelectorAll("th")[0]!.textContent), [
    "drift status",
    "rating U",
    "status P",
  ]);
  for (const row of rows) assert.match(row.textContent, /review|overridden/);
});
