/**
 * Every surface shows the same findings of a carrier, and no others.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { mailCarrierOf, newsText } from "../../api/alerts/mail_text.ts";
import { findingHead } from "../../api/rules/findings.ts";
import { type Carrier, FINDING_IDS } from "../../api/rules/schemas.ts";
import type {
  CarrierRecord,
  InspectionSpan,
  OutOfServiceOrder,
  RecordChange,
} from "../../pipeline/snapshot/record/record.ts";
import { anyRecord } from "../api/rules/arbitrary.ts";
import { FUZZ_RUNS, FUZZ_SEED } from "../fuzz.ts";
import { parse } from "./document.ts";
import { type SiteApp, siteOf } from "./app.ts";

/** Carriers by snapshot, in shards of 100. */
const SIZE = 100;

const CARRIERS = 1_000 * FUZZ_RUNS;

const CHANGES: readonly RecordChange[] = [
  { day: "2026-10-02", member: "phone", isHidden: true },
  { day: "2026-10-02", member: "legal_name", was: 'N & P "Trucking"' },
  { day: "2026-10-01", member: "city" },
  { day: "2026-09-30", member: "dockets", wasRefused: "MC 12A" },
  { day: "2026-09-29", member: "undeliverable", was: true },
];

const ORDERS: readonly OutOfServiceOrder[] = [
  { date: "2026-08-11", reason: "New Entrant Revoked - Refusal of Audit/No Contact" },
  { date: "2013-05-02", reason: "90 day failure to pay fine" },
  { date: "2012-05-02", reason: 'Ordered by "X"', rescinded: "2012-06-01" },
  { reason: "Denial of Access", unusable: { date: "2026-13-40", rescinded: "" } },
];

/** A record with every difference between the two files that its members allow, and recent changes. */
function anyFiled(): fc.Arbitrary<CarrierRecord> {
  const span: fc.Arbitrary<InspectionSpan> = fc.tuple(
    fc.integer({ min: 1, max: 9 }),
    fc.integer({ min: 10, max: 700 }),
    fc.nat(9),
  );
  const changes = fc.option(fc.subarray([...CHANGES], { minLength: 1 }), { freq: 3 });
  const spans = fc.tuple(fc.option(span), fc.option(span), fc.option(span));
  const orders = fc.option(fc.subarray([...ORDERS], { minLength: 1 }), { freq: 3 });
  return fc.tuple(anyRecord(), spans, fc.boolean(), changes, orders)
    .map(([record, [interstate, placarded, renamed], refused, changes, orders]) => {
      if (orders !== null) record.orders = orders;
      if (changes !== null) record.changes = changes;
      const { inspections, operation, hazmat } = record;
      if (refused) {
        delete record.mcs150_date;
        record.refused = { mcs150_date: "20261220", phone: "" };
      }
      if (inspections === undefined || inspections.total < 10) return record;
      if (interstate !== null && operation !== undefined && operation !== "A") {
        inspections.interstate = interstate;
      }
      if (placarded !== null && hazmat === false) inspections.placarded = placarded;
      if (renamed !== null) {
        inspections.renamed = renamed;
        inspections.names = [["N & P TRUCKING", ...renamed]];
      }
      return record;
    });
}

/** Checks that each finding of a carrier's page links to a row of the page. */
function checkRows(html: string): string {
  const document = parse(html);
  for (const link of document.querySelectorAll('.verdict a[href^="#"]')) {
    const href = link.getAttribute("href")!;
    assert.ok(document.querySelector(href), `no row for ${href}: add it to ROWS of top.tsx`);
  }
  return html;
}

/** The text of a page without its scripts and styles. */
function textOf(html: string): string {
  const document = parse(html);
  for (const element of document.querySelectorAll("script, style")) element.remove();
  return document.querySelector("main")!.textContent;
}

interface Surface {
  name: string;
  text: string;
  /** Whether the kind of each finding comes before it. */
  labeled: boolean;
}

async function surfacesOf(
  app: SiteApp,
  { carrier, other }: { carrier: Carrier; other: number },
): Promise<Surface[]> {
  const { dot } = carrier;
  const read = async (path: string, init?: RequestInit): Promise<string> => {
    const response = await app.visit(path, init);
    const text = await response.text();
    assert.equal(response.status, 200, `${path}: ${text.slice(0, 300)}`);
    return text;
  };
  const asJson = { "Content-Type": "application/json" };
  const mcp = await read("/mcp", {
    method: "POST",
    headers: { ...asJson, Accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "lookup_carrier", arguments: { dot } },
    }),
  });
  const { result } = JSON.parse(mcp.replace(/^[^{]*/, ""));
  const ask = JSON.parse(await read(`/ask?query=USDOT+${dot}`)).results[0].description;
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: `USDOT ${dot}` }] };
  const a2a = JSON.parse(
    await read("/a2a", {
      method: "POST",
      headers: asJson,
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } }),
    }),
  ).result.message.parts[0].text;
  const comparedWith = async (other: number): Promise<string> => {
    const document = parse(await read(`/compare?dot=${dot}&dot=${other}`));
    const cells = [...document.querySelectorAll("tbody tr")].map((row) =>
      row.querySelector("td")!.textContent
    );
    return cells.join(" ");
  };
  const reasons = [{ kind: "deadline", due: "2026-10-31", days: 7 }] as const;
  const { page_url, snapshot } = carrier;
  const watched = { dot, carrier, history: null, absence: null, page_url, snapshot };
  const mail = { carrier: mailCarrierOf(watched, ""), reasons };
  return [
    { name: "page", text: textOf(checkRows(await read(`/carriers/${dot}`))), labeled: false },
    { name: "record", text: textOf(await read(`/carriers/${dot}/record`)), labeled: true },
    { name: "record.txt", text: await read(`/carriers/${dot}/record.txt`), labeled: true },
    { name: "comparison", text: await comparedWith(other), labeled: true },
    { name: "MCP", text: result.content[0].text, labeled: true },
    { name: "/ask", text: ask, labeled: true },
    { name: "A2A", text: a2a, labeled: true },
    { name: "email", text: newsText(mail, "https://a.b/u").text, labeled: true },
  ];
}

Deno.test("every surface shows the JSON's findings and no others, and no carrier with findings reads as free of issues", async () => {
  const records = fc.sample(anyFiled(), { numRuns: CARRIERS, seed: FUZZ_SEED });
  const kinds = new Map<string, number>();
  for (let from = 0; from < records.length; from += SIZE) {
    const carriers = records.slice(from, from + SIZE)
      .map((record, i) => ({ ...record, dot: 1_000_000 + from + i }));
    // Every other snapshot includes the orders.
    const isWith = from / SIZE % 2 === 1;
    const app = siteOf(carriers, isWith ? { ordersDate: "2026-10-01" } : {});
    for (const { dot } of carriers) {
      const response = await app.visit(`/api/v1/carriers/${dot}`);
      const carrier: Carrier = await response.json();
      const heads = carrier.findings.map(findingHead);
      for (const { id, kind } of carrier.findings) {
        kinds.set(`${kind} ${id}`, (kinds.get(`${kind} ${id}`) ?? 0) + 1);
      }
      const other = dot === carriers[0]!.dot ? dot + 1 : carriers[0]!.dot;
      for (const { name, text, labeled } of await surfacesOf(app, { carrier, other })) {
        const line = text.replaceAll(/\s+/g, " ");
        const where = `${name} of ${JSON.stringify(records[dot - 1_000_000])}: ${line}`;
        for (const { text: found } of carrier.findings) {
          assert.ok(line.includes(found), `"${found}" is not in ${where}`);
        }
        for (const [said] of line.matchAll(/\b(?:Problem|Review|Fact): [^.]{6}/g)) {
          const known = heads.some((head) => head.startsWith(said) || said.startsWith(head));
          assert.ok(
            known || !labeled && /: [a-z]/.test(said),
            `"${said}" is no finding in ${where}`,
          );
        }
        if (heads.length > 0) assert.doesNotMatch(line, /No issues found/, where);
        else assert.match(line, /No issues found/, where);
      }
    }
  }
  // The sample has every possible kind of finding.
  const seen = new Set(Array.from(kinds.keys(), (key) => key.split(" ")[1]));
  // The UCR check is an estimate and never finds anything.
  assert.deepEqual(FINDING_IDS.filter((id) => !seen.has(id)), ["ucr"], "ids that no carrier had");
});
