import assert from "node:assert/strict";
import {
  confirmText,
  htmlOf,
  knownText,
  newsText,
  type Reason,
} from "../../../api/alerts/mail_text.ts";
import { formatForPeople } from "../../../api/rules/calendar.ts";

const UNSUBSCRIBE = "https://carriers.example/alerts/unsubscribe/t";
const REASONS: Reason[] = [
  { kind: "deadline", due: "2027-01-31", days: 7 },
  { kind: "status", from: "active", to: "inactive" },
  { kind: "safety_rating", from: "Not rated", to: "Conditional" },
  { kind: "mc_active", from: true, to: null },
];

function mailFor(name: string, reasons = REASONS, notice?: string) {
  const carrier = {
    dot: "295011",
    name,
    page_url: "https://carriers.example/carriers/295011",
    snapshot: { data_date: "2027-01-23", notice },
  };
  return newsText(carrier, { reasons, unsubscribeUrl: UNSUBSCRIBE });
}

Deno.test("newsText() has every reason, the date of FMCSA's data, a next step for each and the way out", () => {
  const { subject, text } = mailFor("SOME CARRIER");
  assert.equal(
    subject,
    "SOME CARRIER (USDOT 295011): MCS-150 due in 7 days; now inactive; " +
      "safety rating now Conditional; MC docket now not stated",
  );
  const parts = text.split("\n\n");
  assert.deepEqual(parts.slice(0, 3), [
    "SOME CARRIER (USDOT 295011)",
    `- The MCS-150 update is due by ${formatForPeople("2027-01-31")}, in 7 days.
- USDOT status changed from active to inactive.
- Safety rating changed from Not rated to Conditional.
- MC docket status changed from active to not stated. Docket status isn't operating authority.`,
    `FMCSA data as of ${formatForPeople("2027-01-23")}. All six checks:
https://carriers.example/carriers/295011`,
  ]);
  assert.equal(parts[4], `Unsubscribe: ${UNSUBSCRIBE}`);
  for (const reason of REASONS) {
    const next = mailFor("A", [reason]).text.split("What to do next:\n")[1]!;
    assert.match(next, /^- [^\n]+:\n {2}https:\/\/[a-z.]+\.dot\.gov\//, reason.kind);
  }
  const on = (days: number) => mailFor("A", [{ kind: "deadline", due: "2027-01-31", days }]);
  assert.match(on(1).subject, /due tomorrow$/);
  assert.match(on(0).subject, /due today$/);
});

Deno.test("newsText() says that data is a sample, on one line", () => {
  const { text } = mailFor("A", REASONS, "Sample data,\nnot FMCSA's");
  assert.match(text, /\/carriers\/295011\n\nSample data, not FMCSA's\n\nWhat to do/);
});

Deno.test("newsText() keeps hostile names on their line, short, and without characters that reorder text", () => {
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
  const plain = mailFor("A");
  for (const name of names) {
    const { subject, text } = mailFor(name);
    assert.equal(text.split("\n").length, plain.text.split("\n").length, JSON.stringify(name));
    assert.doesNotMatch(subject + text.replaceAll("\n", ""), /[\p{C}\p{Zl}\p{Zp}]/u);
    assert.ok([...subject].length <= [...plain.subject].length + 50, subject);
    assert.ok([...text].length <= [...plain.text].length + 120);
    assert.ok((subject + text).isWellFormed());
  }
  assert.match(mailFor("\u202e ").text, /^USDOT 295011\n/);
});

Deno.test("confirmText() and knownText() have nothing that a stranger chose but the number", () => {
  const url = "https://carriers.example/alerts/confirm/t";
  const confirm = confirmText(295011, url);
  assert.match(confirm.text, /^You asked for alerts on USDOT 295011\./);
  assert.ok(confirm.text.includes(`\n${url}\n`) && confirm.text.includes("48 hours"));
  assert.ok(confirm.text.includes("Email 30, 7 and 1 days before an MCS-150 is due"));
  const known = knownText(295011, UNSUBSCRIBE);
  assert.ok(known.text.includes(`\nUnsubscribe: ${UNSUBSCRIBE}\n`));
  for (const { subject, text } of [confirm, known]) {
    assert.match(subject, /USDOT 295011$/);
    assert.match(text, /Not you\? Ignore this email/);
    assert.match(text, /not FMCSA/);
  }
});

Deno.test("htmlOf() escapes names, joins broken lines, and links only addresses alone on a line", () => {
  const html = htmlOf(mailFor(`<b>&"' https://evil.example`).text);
  assert.match(html, /<p>&lt;b&gt;&amp;&quot;' https:\/\/evil\.example \(USDOT 295011\)<\/p>/);
  assert.match(
    html,
    /All six checks:<br>\n<a href="https:\/\/carriers\.example\/carriers\/295011">/,
  );
  assert.match(html, /<br>\n- USDOT status changed from active to inactive\.<br>/);
  assert.match(html, /query\.asp\?searchtype=ANY&amp;query_type=[^"]*">https:/);
  assert.match(html, /FMCSA's public files, which can lag the official record\.<\/p>/);
  assert.ok(html.includes(`Unsubscribe: <a href="${UNSUBSCRIBE}">`));
  assert.ok(!html.includes('href="https://evil'));
});
