import assert from "node:assert/strict";
import {
  betweenWords,
  byPeriod,
  CarrierChange,
  changeLine,
  changeSentence,
  changesHead,
  gapLine,
  leftBetween,
  listChanges,
  listGaps,
  periodLine,
  removedLine,
  watchedSince,
} from "../../../api/rules/changes.ts";
import type { PastSnapshot } from "../../../pipeline/snapshot/chain.ts";
import type { RecordChange } from "../../../pipeline/snapshot/record/record.ts";
import { CENSUS_MEMBERS } from "../../../pipeline/snapshot/record/members.ts";
import { record } from "../../pipeline/snapshot/memory.ts";

function chainOf(...days: string[]): PastSnapshot[] {
  return days.map((data_date) => ({ id: data_date, data_date, manifest_sha256: "" }));
}

const CHAIN = chainOf("2025-12-31", "2026-10-01", "2026-10-02");

/** A change, the members of the record after it, and the sentence that describes it. */
const SAID: [RecordChange, Parameters<typeof record>[1], string][] = [
  [
    { day: "2026-10-02", member: "legal_name", was: 'ACME "INC"' },
    { legal_name: "ACME LLC" },
    `Between Oct 1 and Oct 2, 2026 the legal name changed from "ACME 'INC'" to "ACME LLC".`,
  ],
  [
    { day: "2026-10-01", member: "mcs150_date", was: "2024-10-03" },
    { refused: { mcs150_date: "20261220" } },
    'Between Dec 31, 2025 and Oct 1, 2026 the MCS-150 filing date changed from Oct 3, 2024 to "20261220" (not usable).',
  ],
  [
    { day: "2026-10-02", member: "power_units", was: 1896 },
    {},
    "Between Oct 1 and Oct 2, 2026 the power units changed from 1,896 to blank.",
  ],
  [
    { day: "2026-10-02", member: "dockets", was: [{ prefix: "MC", number: 5, status: "I" }] },
    { dockets: [{ prefix: "MC", number: 5, status: "A" }, { prefix: "FF", number: 77 }] },
    "Between Oct 1 and Oct 2, 2026 the dockets changed from MC 5 inactive to MC 5 active, FF 77 without a status.",
  ],
  [
    { day: "2026-10-02", member: "vehicles", was: [1, 2, 0, 0, 0, 0, 0, 0, 3] },
    { vehicles: [0, 2] },
    "Between Oct 1 and Oct 2, 2026 the vehicles by kind changed from trucks 1 owned and 3 term-leased, tractors 2 owned to tractors 2 owned.",
  ],
  [
    { day: "2026-10-02", member: "undeliverable" },
    { undeliverable: true },
    "Between Oct 1 and Oct 2, 2026 the undeliverable-mail mark changed from no to yes.",
  ],
  [
    { day: "2025-12-31", member: "prior_revoked_dot", was: 1234567 },
    { prior_revoked_dot: 7 },
    "By Dec 31, 2025 the USDOT number of the prior revocation changed from 1234567 to 7.",
  ],
  [
    { day: "2026-10-02", member: "roles", was: ["C"] },
    { roles: ["B", "F"], country: "CA" },
    "Between Oct 1 and Oct 2, 2026 the roles changed from carrier to broker, freight forwarder.",
  ],
  [
    {
      day: "2026-10-02",
      member: "orders",
      was: [
        { date: "2026-08-11", reason: "Denial of Access", rescinded: "2026-08-20" },
        { date: "2025-02-03", reason: "Other" },
        { reason: "", unusable: { date: "", rescinded: "" } },
      ],
    },
    {},
    "Between Oct 1 and Oct 2, 2026 the out-of-service orders changed from Aug 11, 2026 (Denial of Access), " +
    'rescinded Aug 20, 2026; Feb 3, 2025 ("Other"); an order of unusable dates (no reason filed) to none listed.',
  ],
  [
    { day: "2026-10-02", member: "review_type", was: "S" },
    { review_type: "C" },
    "Between Oct 1 and Oct 2, 2026 the type of the last review changed from S to Compliance review.",
  ],
  [
    { day: "2026-10-02", member: "driver_counts", was: [7, null, 0, null, null, null, 5] },
    { driver_counts: [8] },
    "Between Oct 1 and Oct 2, 2026 the drivers by reach changed from 7 interstate, 0 interstate within 100 miles, " +
    "5 with a CDL to 8 interstate.",
  ],
  [
    { day: "2026-10-02", member: "cargo", was: "AM" },
    { cargo: "A" },
    "Between Oct 1 and Oct 2, 2026 the cargo changed from General freight, Passengers to General freight.",
  ],
  [
    { day: "2026-10-02", member: "hazmat", was: false },
    { hazmat: true },
    "Between Oct 1 and Oct 2, 2026 the hazmat changed from no to yes.",
  ],
  [
    { day: "2026-10-02", member: "classes", was: ["PRIVATE PROPERTY", "EXEMPT FOR HIRE"] },
    { classes: ["PRIVATE PROPERTY"] },
    "Between Oct 1 and Oct 2, 2026 the classifications changed from PRIVATE PROPERTY; EXEMPT FOR HIRE to PRIVATE PROPERTY.",
  ],
  [
    { day: "2026-10-02", member: "mileage" },
    { mileage: 5000 },
    "Between Oct 1 and Oct 2, 2026 the mileage changed from 0 or blank to 5,000.",
  ],
  [
    { day: "2026-10-02", member: "country", was: "CA" },
    {},
    'Between Oct 1 and Oct 2, 2026 the country changed from "CA" to United States or blank.',
  ],
  [
    { day: "2026-10-02", member: "dba_name", wasRefused: 'A "B"' },
    { dba_name: "" },
    `Between Oct 1 and Oct 2, 2026 the DBA name changed from "A 'B'" (not usable) to blank.`,
  ],
  [
    { day: "2026-10-02", member: "phone", isHidden: true },
    { phone: "3305550123" },
    "Between Oct 1 and Oct 2, 2026 the phone number changed.",
  ],
];

Deno.test("changes are described in plain words, with filed text in quotes", () => {
  for (const [change, now, said] of SAID) {
    const [listed] = listChanges(record(7, { ...now, changes: [change] }), {
      chain: CHAIN,
      gaps: undefined,
    });
    assert.equal(changeSentence(listed!), said);
    assert.deepEqual(CarrierChange.parse(listed), listed);
    assert.ok(changeLine(listed!).startsWith(`${listed!.label}: `));
    assert.equal(changeLine(listed!) === `${listed!.label}: changed`, change.isHidden === true);
    if (change.isHidden) assert.deepEqual([listed!.was, listed!.now], [null, null]);
  }
  const changes = [{ day: "2026-10-02", member: "classes", was: ["P".repeat(500)] }];
  const [long] = listChanges(record(7, { changes }), { chain: CHAIN, gaps: undefined });
  assert.equal(
    periodLine(long!),
    `Between Oct 1 and Oct 2, 2026: Classifications: ${"P".repeat(399)}… → blank`,
  );
  assert.equal(betweenWords(["2026-10-01", "2026-10-02"]), "Between Oct 1 and Oct 2, 2026");
  assert.equal(betweenWords(["2026-10-02", "2026-10-02"]), "By Oct 2, 2026");
  assert.equal(betweenWords(["2025-12-31", "2026-01-01"]), "Between Dec 31, 2025 and Jan 1, 2026");
});

Deno.test("every member of the census has a description, from blank and to blank", () => {
  for (const member of [...Object.keys(CENSUS_MEMBERS), "dockets", "dot"]) {
    const changes = [{ day: "2026-10-02", member }];
    const [change] = listChanges(record(7, { changes }), { chain: CHAIN, gaps: undefined });
    assert.match(changeLine(change!), /^[A-Z][^:]+: \S|^Entered the census$/, member);
    assert.doesNotMatch(changeLine(change!), /undefined|null|NaN|\[object/, member);
    assert.notEqual(change!.label, member);
  }
});

Deno.test("a history begins with the chain, at most 24 months back, or with the oldest change of a full list", () => {
  const since = (chain: PastSnapshot[], changes: RecordChange[] = []) =>
    watchedSince(record(7, { changes }), { chain });
  assert.equal(since(CHAIN), "2025-12-31");
  assert.equal(since(chainOf("2024-01-31", "2026-10-03")), "2024-10-04");
  const full = Array.from({ length: 100 }, (_, i): RecordChange => ({
    day: i === 99 ? "2026-04-30" : `2026-0${9 - Math.floor(i / 20)}-01`,
    member: "city",
  }));
  assert.equal(since(CHAIN, full), "2026-04-30");
});

Deno.test("a carrier left between the last snapshot that has it and the next", () => {
  const left = (last_seen: string) => leftBetween({ dot: 7, last_seen }, { chain: CHAIN });
  assert.deepEqual(left("2025-12-31"), ["2025-12-31", "2026-10-01"]);
  assert.deepEqual(left("2026-10-01"), ["2026-10-01", "2026-10-02"]);
  // A chain may end before the day on which a carrier was last seen.
  assert.deepEqual(left("2026-10-02"), ["2026-10-02", "2026-10-02"]);
  assert.equal(
    removedLine({ between: left("2026-10-01") }),
    "Between Oct 1 and Oct 2, 2026: No longer in the census",
  );
});

Deno.test("a value is unknown once its carrier left, and after a day on which it was not compared", () => {
  const change = (day: string): RecordChange => ({ day, member: "city", was: day });
  const returned = { day: "2026-10-01", member: "dot", was: "2025-12-31" };
  const nowOf = (changes: RecordChange[], gaps?: { day: string; members: string[] }[]) =>
    listChanges(record(7, { city: "AKRON", changes }), { chain: CHAIN, gaps })
      .map(({ now, now_state }) => now ?? now_state);
  const [newer, older] = [change("2026-10-02"), change("2025-12-31")];
  assert.deepEqual(nowOf([newer, older]), ["AKRON", "2026-10-02"]);
  assert.deepEqual(nowOf([newer, returned, older]), ["AKRON", "listed", "unknown"]);
  const gap = (day: string, ...members: string[]) => [{ day, members }];
  assert.deepEqual(nowOf([newer, older], gap("2026-10-01", "city")), ["AKRON", "unknown"]);
  assert.deepEqual(nowOf([newer, older], gap("2026-10-03", "city")), ["unknown", "2026-10-02"]);
  for (
    const other of [
      gap("2026-10-01", "state"),
      gap("2025-12-31", "city"),
      gap("2026-10-02", "city"),
      undefined,
    ]
  ) {
    assert.deepEqual(nowOf([newer, older], other), ["AKRON", "2026-10-02"]);
  }
  assert.deepEqual(listChanges(record(7), { chain: CHAIN, gaps: undefined }), []);
  const [entered] = listChanges(record(7, { changes: [returned] }), { chain: CHAIN, gaps: [] });
  assert.equal(changeLine(entered!), "Entered the census, last seen on Dec 31, 2025");
  const gone = { dot: 7, last_seen: "2026-10-02", changes: [newer, older] };
  const listed = listChanges(gone, { chain: CHAIN, gaps: undefined });
  assert.deepEqual(listed.map(({ now }) => now), [null, "2026-10-02"]);
});

Deno.test("changes between the same dates stand together, and are counted with a removal", () => {
  const changes = ["2026-10-02", "2026-10-02", "2026-10-01"].map((day, i): RecordChange => ({
    day,
    member: ["city", "status", "city"][i]!,
    was: "A",
  }));
  const listed = listChanges(record(7, { changes }), { chain: CHAIN, gaps: [] });
  const periods = byPeriod(listed).map(({ between, changes }) => [between, changes.length]);
  assert.deepEqual(periods, [[["2026-10-01", "2026-10-02"], 2], [["2025-12-31", "2026-10-01"], 1]]);
  const head = (count: number, removed?: unknown) =>
    changesHead({
      changes: listed.slice(0, count),
      since: "2026-10-01",
      ...(removed !== undefined && { removed }),
    }).split(".")[0];
  assert.equal(head(0), "No changes since Oct 1, 2026");
  assert.equal(head(0, {}), "1 change since Oct 1, 2026");
  assert.equal(head(3, {}), "4 changes since Oct 1, 2026");
  assert.equal(head(3), "3 changes since Oct 1, 2026");
});

Deno.test("what was not compared is named by up to five labels, else counted", () => {
  const members = Object.keys(CENSUS_MEMBERS).slice(0, 6);
  const lineOf = (count: number) => {
    const gaps = [{ day: "2026-10-02", members: members.slice(0, count) }];
    return gapLine(listGaps({ gaps, chain: CHAIN })[0]!);
  };
  const head = "Not compared between Oct 1 and Oct 2, 2026, because we read";
  assert.equal(lineOf(1), `${head} it differently afterward: Legal name`);
  assert.equal(
    lineOf(5),
    `${head} them differently afterward: Legal name, Street, City, State, ZIP code`,
  );
  assert.equal(lineOf(6), `${head} them differently afterward: 6 fields`);
  const between = ["2026-10-01", "2026-10-02"];
  assert.match(
    gapLine({ between, members: ["member_of_a_newer_build"] }),
    /: member_of_a_newer_build$/,
  );
  assert.deepEqual(listGaps({ gaps: [{ day: "2025-12-31", members }], chain: CHAIN }), [
    { between: ["2025-12-31", "2025-12-31"], members },
  ]);
});
