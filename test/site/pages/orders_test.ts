import assert from "node:assert/strict";
import { record } from "../../pipeline/snapshot/memory.ts";
import { siteOf } from "../app.ts";

const CARRIERS = [
  record(295017, {
    orders: [
      { date: "2026-08-11", reason: "New Entrant Revoked - Refusal of Audit/No Contact" },
      { date: "2022-07-09", reason: "Imminent Hazard", rescinded: "2022-07-11" },
      { reason: "<b>Other</b>", unusable: { date: "2026-13-40", rescinded: "" } },
    ],
  }),
  record(286764),
  record(666, {
    orders: [{ date: "2012-05-02", reason: "Denial of Access", rescinded: "2012-06-01" }],
  }),
];

const WITH = siteOf(CARRIERS, { ordersDate: "2026-10-01" });
const WITHOUT = siteOf(CARRIERS);

async function textAt(app: typeof WITH, path: string): Promise<string> {
  const response = await app.visit(path);
  return (await response.text()).replaceAll(/\s+/g, " ").replaceAll("&#39;", "'");
}

async function asked(app: typeof WITH, query: string): Promise<string> {
  return JSON.stringify(JSON.parse(await textAt(app, `/ask?query=${encodeURIComponent(query)}`)));
}

const ORDER = "Out-of-service order of Aug 11, 2026, no rescission recorded";

const SENTENCE =
  "FMCSA's file lists an out-of-service order of Aug 11, 2026 (Refusal of audit / no " +
  "contact), with no rescission recorded. Check SAFER.";

Deno.test("a carrier's page and record show its out-of-service orders with the date of their file", async () => {
  const page = await textAt(WITH, "/carriers/295017");
  for (
    const part of [
      `class="state bad">${ORDER} (and 2 more)</h2>`,
      SENTENCE,
      'id="orders"',
      "no rescission recorded",
      "rescinded Jul 11, 2022",
      "&lt;b&gt;Other&lt;/b&gt;",
      "Orders through Oct 1, 2026",
      "out-of-service orders through Oct 1, 2026",
      "Out of Service Orders, Oct 1, 2026",
      "check on SAFER whether the order stands",
    ]
  ) assert.ok(page.includes(part), `${part}: ${page.slice(0, 6_000)}`);
  assert.match(await textAt(WITH, "/carriers/286764"), /None through Oct 1, 2026/);
  for (const path of ["/carriers/295017/record", "/carriers/295017/record.txt"]) {
    const text = await textAt(WITH, path);
    assert.ok(text.includes(ORDER) && text.includes(SENTENCE), text);
    assert.doesNotMatch(text, /no insurance filings, crash records, out-of-service orders/);
  }
  const compared = await textAt(WITH, "/compare?dot=295017&dot=286764");
  assert.match(compared, /Aug 11, 2026, no rescission recorded and 2 more/);
});

Deno.test("a snapshot without the orders says that they are not included", async () => {
  const page = await textAt(WITHOUT, "/carriers/295017");
  assert.match(page, /Out-of-service orders are not included\./);
  assert.doesNotMatch(page, /rescission|id="orders"/);
  assert.match(
    await textAt(WITHOUT, "/carriers/295017/record.txt"),
    /no insurance filings, crash records, out-of-service orders/,
  );
  assert.match(await textAt(WITHOUT, "/compare?dot=295017&dot=286764"), /Not included in the data/);
});

Deno.test("home, about and status say whether out-of-service orders are included, and up to which day", async () => {
  const said = {
    "/": [/crash records and out-of-service orders\./, /out-of-service orders after Oct 1, 2026/],
    "/about": [
      /out-of-service orders aren't included/,
      /out-of-service orders through Oct 1, 2026/,
    ],
    "/status": [/no out-of-service orders/, /Oct 1, 2026<\/time> \(out-of-service orders\)/],
  };
  for (const [path, [without, included]] of Object.entries(said)) {
    const pages = [await textAt(WITHOUT, path), await textAt(WITH, path)];
    assert.match(pages[0]!, without!, path);
    assert.match(pages[1]!, included!, path);
    assert.doesNotMatch(pages[1]!, without!, path);
    assert.doesNotMatch(pages.join(), /\{\{/);
  }
});

Deno.test("/ask answers about out-of-service orders if they are included, and otherwise says that they aren't", async () => {
  for (
    const query of [
      "is 295017 under an out-of-service order",
      "was 295017 ever placed out of service by order",
      "has 295017 ever been under an out-of-service order",
    ]
  ) {
    const answer = await asked(WITH, query);
    assert.ok(answer.includes(SENTENCE), answer);
    assert.match(answer, /Imminent Hazard\), rescinded Jul 11, 2022/);
    assert.doesNotMatch(answer, /Not answered here/);
    assert.match(
      await asked(WITHOUT, query),
      /This data doesn't include out-of-service orders/,
    );
  }
  assert.match(
    await asked(WITH, "is 286764 under an out-of-service order"),
    /FMCSA's file through Oct 1, 2026 lists no out-of-service order/,
  );
  assert.match(
    await asked(WITH, "has 666 ever been under an out-of-service order"),
    /The only out-of-service order for this number in FMCSA's file through Oct 1, 2026 was rescinded/,
  );
  // The number itself is listed active.
  assert.match(
    await asked(WITH, "is USDOT 295017 active"),
    /USDOT number active\? Yes\. FMCSA's file lists/,
  );
});
