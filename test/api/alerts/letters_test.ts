import assert from "node:assert/strict";
import { confirmLetter, inert, knownLetter, newsLetter } from "../../../api/alerts/letters.ts";
import type { Reason } from "../../../api/alerts/news.ts";
import { toCarrier } from "../../../api/rules/carrier.ts";
import { record } from "../../pipeline/snapshot/memory.ts";

const UNSUBSCRIBE = "https://carriers.example/alerts/unsubscribe/t";
const REASONS: Reason[] = [
  { kind: "deadline", due: "2027-01-31", days: 7 },
  { kind: "status", from: "active", to: "inactive" },
  { kind: "safety_rating", from: "Not rated", to: "Conditional" },
  { kind: "mc_active", from: true, to: null },
];

function letterFor(legal_name: string, reasons = REASONS) {
  const carrier = toCarrier(record(295011, { legal_name }), {
    today: "2027-01-24",
    baseUrl: "https://carriers.example",
    snapshot: {
      id: "a",
      manifest: {
        data_date: "2027-01-23",
        inspections_date: "2027-01-23",
        window: { from: "2025-01-24", to: "2027-01-23" },
      },
    },
  });
  return newsLetter(carrier, { reasons, unsubscribeUrl: UNSUBSCRIBE });
}

Deno.test("newsLetter() gathers all reasons, the day of the data and the way out", () => {
  const { subject, text } = letterFor("SOME CARRIER");
  assert.equal(
    subject,
    "SOME CARRIER (USDOT 295011): MCS-150 update due in 7 days; now inactive; " +
      "rating now Conditional; MC docket now not stated",
  );
  assert.match(
    text,
    /^SOME CARRIER \(USDOT 295011\)\n\n- The MCS-150 update is due by Jan 31, 2027/,
  );
  assert.match(
    text,
    /in 7 days\.\n- The USDOT status changed from active to inactive\.\n- The saf/,
  );
  assert.match(text, /MC docket changed from active to not stated\.\n/);
  assert.match(text, /As of Jan 23, 2027\./);
  assert.match(text, /https:\/\/carriers\.example\/carriers\/295011\n/);
  assert.ok(text.includes(UNSUBSCRIBE));
  const on = (days: number) => letterFor("A", [{ kind: "deadline", due: "2027-01-31", days }]);
  assert.match(on(1).subject, /due tomorrow$/);
  assert.match(on(0).subject, /due today$/);
});

Deno.test("newsLetter() keeps hostile names on their line, short, and without signs that turn text", () => {
  const names = [
    "EVIL\r\nBcc: victim@b.co\r\n\r\nNEW BODY",
    "A\n- The carrier is in perfect order.\nB",
    "\u202EDESREVER\u202C \u200FMARK\u2066 X\u2069 \u200bZERO\ufeff \u2028LINE\u2029 \0NUL \u0085NEL",
    "<script>alert(1)</script>",
    "W".repeat(500),
    "😀".repeat(500),
    "\ud800LONE",
    "\u202e\u200b",
    "",
  ];
  for (const name of names) {
    const { subject, text } = letterFor(name);
    const plain = letterFor("A");
    assert.equal(text.split("\n").length, plain.text.split("\n").length, JSON.stringify(name));
    assert.doesNotMatch(subject + text.replaceAll("\n", ""), /[\p{C}\p{Zl}\p{Zp}]/u);
    assert.ok([...subject].length <= [...plain.subject].length + 50, subject);
    assert.ok([...text].length <= [...plain.text].length + 120);
    assert.ok((subject + text).isWellFormed());
  }
  assert.equal(inert("  \u202e ", 9), "Carrier without a name");
  assert.equal(inert("ABCDEFGHIJ", 9), "ABCDEFGH…");
});

Deno.test("confirmLetter() and knownLetter() repeat nothing but the number and the link", () => {
  // The address may be a stranger's, and the carrier chosen for what its name says.
  const url = "https://carriers.example/alerts/confirm/t";
  const confirm = confirmLetter(295011, url);
  assert.ok(confirm.text.includes(`\n${url}\n`) && confirm.text.includes("48 hours"));
  assert.ok(confirm.text.includes("30, 7, 1"));
  assert.ok(knownLetter(295011, UNSUBSCRIBE).text.includes(UNSUBSCRIBE));
  for (const { subject } of [confirm, knownLetter(295011, UNSUBSCRIBE)]) {
    assert.match(subject, /USDOT 295011$/);
  }
});
