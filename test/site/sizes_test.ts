import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import {
  type CarrierRecord,
  MAX_CHANGES,
  MAX_INSPECTIONS,
  MAX_ORDERS,
  type OutOfServiceOrder,
  sumInspections,
} from "../../pipeline/snapshot/record/record.ts";
import { MemorySource, type Objects, putSnapshot, record } from "../pipeline/snapshot/memory.ts";
import { siteOf, siteOver } from "./app.ts";
import { checkSize } from "./html.ts";

const LONG = (noun: string, length = 120) => `${noun} `.repeat(20).slice(0, length).trim();

const STATES = Array.from(
  { length: 50 },
  (_, i) => "ABCDE"[i % 5]! + "KLMNOPQRST"[Math.floor(i / 5)],
);

const INSPECTED = { inspections: 99_999, out_of_service: 77_777 };

const FILED = { date: LONG("NEVER", 24), rescinded: LONG("LATER", 24) };

/** Orders with the longest reasons that a record can have, in each state and in all. */
const WORST_ORDERS = [
  [{}],
  [{ rescinded: "2026-10-01" }],
  [{ rescinded: "2026-12-30" }],
  [{ unusable: FILED }],
  [{}, { rescinded: "2026-10-01" }, { rescinded: "2026-12-30" }, { unusable: FILED }],
].map((states): OutOfServiceOrder[] =>
  Array.from({ length: MAX_ORDERS }, (_, i) => {
    const state = states[i % states.length]!;
    const date = `2026-09-${30 - i}`;
    return { ..."unusable" in state ? {} : { date }, ...state, reason: LONG("REVOKED", 200) };
  })
);

const CHANGED = ["undeliverable", "mailing", "dockets", "phone", "dba_name", "legal_name"];

/** A carrier with every field filed, and every inspection, difference and change that a page lists. */
const WORST: CarrierRecord = record(99999999, {
  legal_name: LONG("INTERNATIONAL"),
  dba_name: LONG("TRANSPORTATION"),
  street: LONG("BOULEVARD", 50),
  city: LONG("SPRINGFIELD", 25),
  state: "OH",
  zip: "44306-1234",
  mailing: [LONG("STREET", 50), LONG("TOWN", 25), "PA", "15001", "MX"],
  undeliverable: true,
  mail_returned: "2024-01-02",
  phone: "3305551234",
  business_form: "LIMITED LIABILITY COMPANY",
  duns: "123456789",
  operation: "C",
  status: "I",
  roles: ["C", "S", "B", "R", "F", "I", "T"],
  classes: Array(12).fill("PRIVATE PASSENGER, NON-BUSINESS"),
  power_units: 1_234_567,
  vehicles: Array(40).fill(12_345),
  drivers: 7_654_321,
  driver_counts: Array(5).fill(1_234_567),
  cargo: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcd",
  cargo_other: LONG("PIANOS"),
  hazmat: false,
  mileage: 999_999_999,
  mileage_year: 2025,
  mcs150_date: "2020-01-02",
  added: "1990-01-01",
  rating: "U",
  rating_date: "2020-01-02",
  review_type: "C",
  review_date: "2020-01-02",
  crash_rate: 0.543,
  prior_revoked: true,
  prior_revoked_dot: 12345678,
  dockets: ["MC", "FF", "MX"].map((prefix) => ({ prefix, number: 10_000_000, status: "I" })),
  inspections: {
    total: 99_999,
    last: "2026-09-30",
    violations: 999_999,
    vehicle: INSPECTED,
    driver: INSPECTED,
    hazmat: INSPECTED,
    latest: Array.from(
      { length: MAX_INSPECTIONS },
      (_, i) => [7 * i, STATES[i]!, 1 + i % 6, 99, 12 + i, 3 + i, 12 + i, 3 + i, 12 + i, 3 + i, 3],
    ),
    sums: sumInspections(
      Array.from(
        { length: 5_000 },
        (_, i) => [i % 25, STATES[i % 50]!, 1 + i % 6, i % 3 === 0] as const,
      ),
      25,
    ),
    interstate: [9_999, 700, 0],
    placarded: [9_999, 700, 0],
    renamed: [9_999, 700, 0],
    names: Array.from({ length: 5 }, (_, i) => [`${LONG("SOMEBODY", 118)} ${i}`, 999, 700, 0]),
  },
  changes: Array.from({ length: MAX_CHANGES }, (_, i) => {
    const member = CHANGED[i % CHANGED.length]!;
    if (i === 0) {
      const was = Array(20).fill("PRIVATE PROPERTY AND PASSENGER");
      return { day: "2026-10-01", member: "classes", was };
    }
    const day = `2026-09-${String(30 - Math.floor(i / 4)).padStart(2, "0")}`;
    if (["phone", "mailing"].includes(member)) return { day, member, isHidden: true };
    return { day, member, ...member.endsWith("name") && { was: `${LONG("FORMER", 118)} ${i}` } };
  }),
});

/** A snapshot of that carrier at the end of a two-month chain. On each day some members were not compared. */
function worstSnapshot(carrier: CarrierRecord): Objects {
  const objects: Objects = new Map();
  const days = Array.from(
    { length: 60 },
    (_, i) => new Date(Date.UTC(2026, 7, 4 + i)).toISOString().slice(0, 10),
  );
  const hash = "0".repeat(64);
  putSnapshot(objects, {
    id: "a",
    carriers: [carrier],
    ...(carrier.orders && { ordersDate: "2026-10-01" }),
    past: days.map((day) => ({ id: day, data_date: day, manifest_sha256: hash })),
    gaps: days.toReversed().map((day) => ({ day, members: ["dba_name", "cargo", "mileage"] })),
  });
  return objects;
}

Deno.test("the page of the largest possible carrier is at most 60 KB, 15 KB as gzip", async () => {
  const { inspections: _, ...uninspected } = WORST;
  const ordered = WORST_ORDERS.map((orders) => ({ ...WORST, orders, orders_total: 999 }));
  for (const carrier of [WORST, uninspected, ...ordered]) {
    const { visit } = siteOver(new MemorySource(worstSnapshot(carrier)));
    for (const path of [`/carriers/${WORST.dot}`, `/carriers/${WORST.dot}/record`]) {
      checkSize(await (await visit(path)).text(), path);
    }
  }
});

Deno.test("a page is compressed for clients without Brotli, to its promised size", async () => {
  const { visit } = siteOf();
  const html = await (await visit("/about")).text();
  for (
    const [accepted, coding] of [
      ["gzip", "gzip"],
      ["gzip, deflate", "gzip"],
      // Brotli is left to the server.
      ["gzip, deflate, br, zstd", null],
      ["gzip;q=0", null],
      ["identity", null],
    ] as const
  ) {
    const { headers, body } = await visit("/about", { headers: { "Accept-Encoding": accepted } });
    assert.equal(headers.get("content-encoding"), coding, accepted);
    const bytes = await new Response(body).bytes();
    assert.equal(headers.get("content-length"), String(bytes.length));
    assert.equal(new TextDecoder().decode(coding === null ? bytes : gunzipSync(bytes)), html);
    if (coding !== null) assert.ok(bytes.length <= 15_000, `${bytes.length} bytes`);
  }
});
