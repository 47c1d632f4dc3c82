import assert from "node:assert/strict";
import fc from "fast-check";
import { newsOf, seenOf } from "../../../api/alerts/news.ts";
import { type AlertReason, htmlOf, newsText, signUpText } from "../../../api/alerts/mail_text.ts";
import type { Subscription } from "../../../api/alerts/records.ts";
import { formatDate, parseDate } from "../../../api/rules/calendar.ts";
import { toCarrier } from "../../../api/rules/carrier.ts";
import type { Carrier } from "../../../api/rules/schemas.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record.ts";
import { record } from "../../pipeline/snapshot/memory.ts";

/** The last digit means January, the one before it odd years. */
const DOT = 295011;
const DUE = "2027-01-31";

function carrierOn(day: string, more: Partial<CarrierRecord> = {}, dataDate = day): Carrier {
  return toCarrier(record(DOT, { mcs150_date: "2025-01-10", ...more }), {
    today: day,
    baseUrl: "https://carriers.example",
    snapshot: {
      id: "a",
      manifest: {
        data_date: dataDate,
        inspections_date: "2026-10-03",
        window: { from: "2024-10-04", to: "2026-10-03" },
      },
    },
  });
}

function subscribed(carrier: Carrier): Subscription {
  const link = "t";
  const said = { seen: seenOf(carrier), notice: null, mailed_on: null };
  return { link, address: "a@b.co", dot: DOT, confirm: null, answer: null, bounces: 0, ...said };
}

function newsOn(day: string, subscription: Subscription, carrier = carrierOn(day)) {
  const news = newsOf(subscription, { carriers: new Map([[DOT, carrier]]), day });
  return news && { reasons: news.reasons, after: { ...subscription, ...news.change } };
}

/** Days on which a subscription hears of its deadline, looked at on the days given. */
function noticesOn(days: readonly string[]) {
  let subscription = subscribed(carrierOn("2026-10-05"));
  const notices: { day: string; days: number }[] = [];
  for (const day of days) {
    const news = newsOn(day, subscription);
    if (news === null) continue;
    subscription = news.after;
    assert.deepEqual(news.reasons.map(({ kind }) => kind), ["deadline"]);
    const [reason] = news.reasons;
    if (reason?.kind === "deadline") notices.push({ day, days: reason.days });
  }
  return notices;
}

Deno.test("newsOf() announces each step of each deadline at most once, and one of all that are due on each run", () => {
  let notices = 0;
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 40, max: 80 }), { maxLength: 30 }),
      (offsets) => {
        const first = parseDate("2026-11-15");
        const days = offsets.sort((a, b) => a - b).map((offset) => formatDate(first + offset));
        const found = noticesOn(days);
        notices += found.length;
        const due = (day: string) => carrierOn(day).mcs150;
        const stage = (left: number) => left <= 1 ? 1 : left <= 7 ? 7 : 30;
        const steps = found.map(({ day, days }) => `${due(day).next_due} ${stage(days)}`);
        assert.equal(new Set(steps).size, steps.length, `twice: ${steps}`);
        for (const day of days) {
          const { days_until_due: left, next_due } = due(day);
          if (left < 0 || left > 30) continue;
          assert.ok(steps.includes(`${next_due} ${stage(left)}`), `${day} says nothing`);
        }
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(notices > 100, `only ${notices}`);
});

Deno.test("newsOf() reports a deadline also after an early or a first filing, and not once it has passed", () => {
  // Incident: a filing some months early moved next_due two years on, and nothing was sent in 2027.
  const day = "2027-01-25";
  for (const filing of [{ mcs150_date: "2026-12-20" }, { added: "2026-12-20" }]) {
    const filed = carrierOn(day, { mcs150_date: "2026-12-20", ...filing });
    assert.equal(filed.mcs150.next_due, DUE);
    assert.equal(newsOn(day, subscribed(filed), filed)?.reasons[0]?.kind, "deadline");
  }
  const overdue = carrierOn("2027-02-02", { mcs150_date: "2022-01-10" });
  assert.ok(overdue.mcs150.days_until_due < 0);
  assert.equal(newsOn("2027-02-02", subscribed(overdue), overdue), null);
});

Deno.test("newsOf() reports changes of status, rating and MC status in one email, once", () => {
  const day = "2026-10-06";
  const before = carrierOn("2026-10-05", { dockets: [{ prefix: "MC", number: 1, status: "A" }] });
  const after = carrierOn(day, {
    status: "I",
    rating: "C",
    dockets: [{ prefix: "MC", number: 1, status: "I" }],
  });
  const news = newsOn(day, subscribed(before), after)!;
  assert.deepEqual(news.reasons, [
    { kind: "status", from: "active", to: "inactive" },
    { kind: "safety_rating", from: "Not rated", to: "Conditional" },
    { kind: "mc_active", from: true, to: false },
  ]);
  const next = carrierOn("2026-10-07", {
    status: "I",
    rating: "C",
    dockets: [{ prefix: "MC", number: 1, status: "I" }],
  });
  assert.equal(newsOn("2026-10-07", news.after, next), null);
});

Deno.test("newsOf() does not take older data for a change", () => {
  // An instance whose pointer is a minute old, or an operator who goes back to the last snapshot.
  const subscription = subscribed(carrierOn("2026-10-06", { status: "I" }));
  const older = carrierOn("2026-10-07", {}, "2026-10-05");
  assert.equal(newsOn("2026-10-07", subscription, older), null);
  const due = carrierOn("2027-01-02", {}, "2026-10-05");
  const news = newsOn("2027-01-02", subscription, due)!;
  assert.deepEqual(news.reasons.map(({ kind }) => kind), ["deadline"]);
  assert.deepEqual(news.after.seen, subscription.seen);
});

const UNSUBSCRIBE = "https://carriers.example/alerts/unsubscribe/t";
const REASONS: AlertReason[] = [
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
  return newsText({ carrier, reasons }, UNSUBSCRIBE);
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
    `- The MCS-150 update is due by Jan 31, 2027, in 7 days.
- USDOT status changed from active to inactive.
- Safety rating changed from Not rated to Conditional.
- MC docket status changed from active to not stated. Docket status isn't operating authority.`,
    `FMCSA data as of Jan 23, 2027. All six checks:
https://carriers.example/carriers/295011`,
  ]);
  assert.equal(parts[4], `Unsubscribe from this carrier or all: ${UNSUBSCRIBE}`);
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

Deno.test("signUpText() has nothing that a stranger chose but the numbers", () => {
  const [first, second] = [DOT, 295012].map((dot) => ({ ...subscribed(carrierOn(DUE)), dot }));
  const url = "https://carriers.example/alerts/confirm/t";
  const confirm = signUpText({ waiting: [first!], known: [], isFull: false, url });
  assert.equal(confirm.subject, "Confirm email alerts for USDOT 295011");
  assert.match(confirm.text, /^You asked for alerts on USDOT 295011\. [^\n]* 48 hours/);
  assert.match(confirm.text, /Not you\? Ignore this email; we'll delete your address\./);
  const both = signUpText({ waiting: [first!, second!], known: [], isFull: true, url });
  assert.equal(both.subject, "Confirm email alerts for 2 carriers");
  assert.match(both.text, /^You asked for alerts on USDOT 295011 and 295012\./);
  assert.match(both.text, /That makes 50 carriers/);
  const mixed = signUpText({ waiting: [first!], known: [second!], isFull: false, url });
  assert.match(mixed.text, /\n\nYou already get alerts on USDOT 295012\.\n/);
  const known = signUpText({ waiting: [], known: [first!], isFull: false, url: UNSUBSCRIBE });
  assert.equal(known.subject, "You already get email alerts for USDOT 295011");
  assert.ok(known.text.includes(`\nUnsubscribe from this carrier or all: ${UNSUBSCRIBE}\n`));
  for (const { text } of [confirm, both, mixed]) {
    assert.ok(text.includes(`\n\n${url}\n\n`));
    assert.ok(text.includes("Email 30, 7 and 1 days before an MCS-150 is due"));
  }
  for (const { subject, text } of [confirm, both, mixed, known]) {
    assert.doesNotMatch(subject + text, /CARRIER/);
    assert.match(text, /Not you\? Ignore this email/);
    assert.match(text, /not FMCSA/);
  }
});

Deno.test("htmlOf() escapes names, and links only addresses alone on a line", () => {
  const html = htmlOf(mailFor(`<b>&"' https://evil.example`).text);
  assert.match(html, /<p>&lt;b&gt;&amp;&quot;' https:\/\/evil\.example \(USDOT 295011\)<\/p>/);
  assert.match(
    html,
    /All six checks:<br>\n<a href="https:\/\/carriers\.example\/carriers\/295011">/,
  );
  assert.match(html, /<br>\n- USDOT status changed from active to inactive\.<br>/);
  assert.match(html, /query\.asp\?searchtype=ANY&amp;query_type=[^"]*">https:/);
  assert.match(html, /FMCSA's public files, which can lag the official record\.<\/p>/);
  assert.ok(html.includes(`Unsubscribe from this carrier or all: <a href="${UNSUBSCRIBE}">`));
  assert.ok(!html.includes('href="https://evil'));
});
