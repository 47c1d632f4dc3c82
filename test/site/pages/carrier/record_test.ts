import assert from "node:assert/strict";
import { record } from "../../../pipeline/snapshot/memory.ts";
import { siteOf } from "../../app.ts";
import { mainOf } from "../../document.ts";

const OVERDUE = record(90100, {
  legal_name: "OVERDUE CARRIER",
  operation: "A",
  mcs150_date: "2020-01-02",
  rating: "C",
  dockets: [{ prefix: "MC", number: 186800, status: "I" }],
});

Deno.test("the vetting record is a page, a text file and a JSON file under one name", async () => {
  const { visit } = siteOf([OVERDUE]);
  const page = await visit("/carriers/90100/record");
  assert.equal(page.headers.get("cache-control"), "no-store");
  const main = await mainOf(page);
  for (
    const part of [
      "2026-10-05T16:00:00Z (Oct 5, 2026, 12:00 PM EDT)",
      "https://carriers.example/carriers/90100",
      "MCS-150 overdue since Oct 31, 2024 (and 1 more)",
      "Reviewed by",
      "vetting-record-usdot-90100-2026-10-05",
    ]
  ) assert.ok(main.textContent.includes(part), part);
  assert.match(main.textContent, /SHA-256[0-9a-f]{64}/);
  for (const link of main.querySelectorAll(".actions a[href*=record]")) {
    const path = link.getAttribute("href")!;
    const { headers } = await visit(path);
    assert.equal(
      headers.get("content-disposition"),
      `attachment; filename="vetting-record-usdot-90100-2026-10-05.${path.split(".")[1]}"`,
    );
    assert.equal(headers.get("cache-control"), "no-store");
  }
  assert.equal((await visit("/carriers/4/record.txt")).status, 404);
});

Deno.test("the JSON of a vetting record is the API's carrier with the lookup around it", async () => {
  const { visit } = siteOf([OVERDUE]);
  const { carrier, ...lookup } = await (await visit("/carriers/90100/record.json")).json();
  assert.deepEqual(carrier, await (await visit("/api/v1/carriers/90100")).json());
  assert.deepEqual({ ...lookup, snapshot: lookup.snapshot.id }, {
    file: "vetting-record-usdot-90100-2026-10-05",
    looked_up_at: "2026-10-05T16:00:00Z",
    page_url: "https://carriers.example/carriers/90100",
    snapshot: "a",
  });
});
