import assert from "node:assert/strict";
import {
  betweenWords,
  changeLine,
  changeSentence,
  listChanges,
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
];

Deno.test("changes are described in plain words, with filed text in quotes", () => {
  for (const [change, now, said] of SAID) {
    const [listed] = listChanges(record(7, { ...now, changes: [change] }), {
      chain: CHAIN,
      gaps: undefined,
    });
    assert.equal(changeSentence(listed!), said);
  }
  assert.equal(betweenWords(["2026-10-01", "2026-10-02"]), "Between Oct 1 and Oct 2, 2026");
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
    day: `2026-0${9 - Math.floor(i / 20)}-01`,
    member: "city",
  }));
  assert.equal(since(CHAIN, full), "2026-05-01");
});
