import assert from "node:assert/strict";
import { record } from "../../../pipeline/snapshot/memory.ts";
import { PAGE_PATHS, type SiteApp, siteOf } from "../../app.ts";
import { documentOf, type Element } from "../../document.ts";
import { problemsOf } from "../../html.ts";

function carriers(): SiteApp {
  const docket = [{ prefix: "MC", number: 143229, status: "A" as const }];
  return siteOf([
    record(295017, { legal_name: "FIRST LLC", operation: "A", power_units: 4, dockets: docket }),
    record(146793, { legal_name: "SECOND INC", operation: "C", power_units: 4, status: "I" }),
    record(666, { legal_name: "<b>THIRD</b>", operation: "A", dockets: docket }),
    ...[1, 2, 3].map((dot) => record(dot)),
  ], { dockets: { MC: { 143229: [295017, 666] } } });
}

const rowOf = (page: Element, label: string): string[] =>
  [...[...page.querySelectorAll("tbody tr")].find((row) =>
    row.querySelector("th")!.textContent.startsWith(label)
  )!.querySelectorAll("th, td")].map(({ textContent }) => textContent.trim());

Deno.test("/compare shows facts side by side and says which differ", async () => {
  const { visit } = carriers();
  const response = await visit("/compare?dot=295017&dot=146793");
  assert.equal(response.headers.get("snapshot-id"), "a");
  const html = await response.clone().text();
  assert.deepEqual(problemsOf(html), []);
  const page = await documentOf(response);
  assert.deepEqual(
    [...page.querySelectorAll("thead th a[href^='/carriers']")].map((a) => a.textContent),
    ["FIRST LLC", "SECOND INC"],
  );
  assert.match(rowOf(page, "USDOT number").join(" "), /differs OKActive ProblemInactive/);
  assert.deepEqual(rowOf(page, "Operation"), [
    "Operation differs",
    "Interstate",
    "Intrastate Non-Hazmat",
  ]);
  assert.deepEqual(rowOf(page, "Power units"), ["Power units", "4", "4"]);
  assert.deepEqual(rowOf(page, "Drivers"), [
    "Drivers out of service",
    "Not inspected",
    "Not inspected",
  ]);
  assert.match(html, /query_string=146793/);
});

Deno.test("/compare takes numbers as people write them, and shows every holder of a shared MC number", async () => {
  const { visit } = carriers();
  for (
    const [typed, dots] of [
      ["USDOT 295017, 146793", ["295017", "146793"]],
      ["295017,146793,1", ["295017", "146793", "1"]],
      ["295017 146793 666 1", ["295017", "146793", "666", "1"]],
      ["mc-143229", ["295017", "666"]],
      ["MC 143229, 1", ["295017", "666", "1"]],
      ["295017, 0295017, 1, 99", ["295017", "1"]],
    ] as const
  ) {
    const page = await documentOf(await visit(`/compare?dot=${encodeURIComponent(typed)}`));
    const links = [...page.querySelectorAll("thead a[href^='/carriers/']")];
    assert.deepEqual(links.map((a) => a.getAttribute("href")!.slice(10)), dots, typed);
  }
  const shared = await (await visit("/compare?dot=MC+143229&dot=99")).text();
  assert.match(
    shared,
    /MC 143229 is shared by 2 carriers\. USDOT 99 is not in FMCSA&#39;s census of Oct 3, 2026/,
  );
  assert.doesNotMatch(shared, /<b>THIRD/);
});

Deno.test("/compare explains beside its field what it can't compare, and keeps what was typed", async () => {
  const { visit } = carriers();
  for (
    const [typed, says] of [
      ["acme, 295017", "Enter 2 to 4 USDOT or MC numbers"],
      ["1, 2, 3, 666, 295017", "Compare at most 4 carriers"],
      ["295017, 99", "USDOT 99 is not in FMCSA&#39;s census of Oct 3, 2026. Enter 2 to 4"],
      ["MC 77, 295017", "No carrier lists MC 77"],
    ]
  ) {
    const response = await visit(`/compare?dot=${encodeURIComponent(typed!)}`);
    const html = await response.text();
    assert.equal(response.status, 400, typed);
    assert.ok(html.includes(says!), `${typed}: ${says}`);
    assert.match(html, new RegExp(`value="${typed}"[^>]*aria-invalid="true"`));
  }
  const one = await visit("/compare?dot=295017");
  assert.deepEqual([one.status, /value="295017"/.test(await one.text())], [200, true]);
  assert.ok(PAGE_PATHS.includes("/compare"));
});
