import assert from "node:assert/strict";
import { carrierOf } from "../rules/carrier_lines.ts";
import { mailHtml, newsText, signUpText } from "../../../api/alerts/mail_text.ts";
import type { AlertReason } from "../../../api/alerts/reasons.ts";
import { MEMBER_LABELS } from "../../../api/rules/change_words.ts";
import type { CarrierChange } from "../../../api/rules/changes.ts";
import type { RoadsideInspection } from "../../../api/rules/schemas.ts";

const GOLDEN = new URL("emails.golden.txt", import.meta.url);

const UNSUBSCRIBE = "https://carriers.example/alerts/unsubscribe/t";

function changed(member: CarrierChange["member"], was: string | null, now: string | null) {
  const state = (text: string | null) => text === null ? "blank" : "known";
  const change: CarrierChange = {
    between: ["2027-01-21", "2027-01-22"],
    member,
    label: MEMBER_LABELS[member],
    was,
    was_state: state(was),
    now,
    now_state: state(now),
  };
  return { kind: "change", change } as const;
}

const hidden = changed("phone", null, null);
const [none, out] = [0, 1].map((out_of_service) => ({
  violations: out_of_service,
  out_of_service,
}));

function inspection(date: string, state: string | null): RoadsideInspection {
  const found = { vehicle: out!, driver: state === null ? none! : out!, hazmat: none! };
  const rest = { level: 1, violations: 2, hazmat_present: false, post_crash: false };
  return { date, state, ...found, ...rest };
}

const CHANGES: AlertReason[] = [
  changed("status", "active", "inactive"),
  changed("rating", null, "Conditional"),
  changed("dockets", "MC 123 active", "MC 123 inactive"),
  changed("legal_name", "SOME CARRIER", 'EVIL "CARRIER"'),
  { ...hidden, change: { ...hidden.change, was_state: "hidden", now_state: "hidden" } },
  changed("power_units", "10", "1600"),
  changed("prior_revoked", "no", "yes"),
];

const REASONS: AlertReason[] = [
  { kind: "deadline", due: "2027-01-31", days: 7 },
  ...CHANGES,
  {
    kind: "inspections",
    found: [inspection("2027-01-20", "TX"), inspection("2027-01-19", null)],
    isAll: true,
  },
];

const LEFT = { last_seen: "2027-01-21", between: ["2027-01-21", "2027-01-22"] };

function newsFor(name: string, reasons: readonly AlertReason[] = REASONS, notice?: string) {
  const { verdict, findings } = carrierOf("status=I; rating=C; rating_date=2014-11-05");
  const carrier = {
    dot: "295011",
    name,
    page_url: "https://carriers.example/carriers/295011",
    standing: `In FMCSA's files now: ${verdict}.`,
    findings,
    snapshot: { data_date: "2027-01-23", notice },
  };
  return newsText({ carrier, reasons }, UNSUBSCRIBE);
}

const DOT = 295011;

/** For numbers other than {@link DOT} no name was stored. */
function signUpFor(waiting: number[], known: number[], isFull = false, name = "SOME CARRIER") {
  const [url, dots] = [
    waiting.length === 0 ? UNSUBSCRIBE : "https://carriers.example/alerts/confirm/t",
    (numbers: number[]) =>
      numbers.map((dot) => dot === DOT ? { dot, name, kinds: "dsrifo" } : { dot }),
  ];
  return signUpText({ waiting: dots(waiting), known: dots(known), isFull, url });
}

function deadline(days: number): AlertReason[] {
  return [{ kind: "deadline", due: "2027-01-31", days }];
}

Deno.test("emails match the golden file", async () => {
  const emails = {
    "sign-up for one": signUpFor([295011], []),
    "sign-up for two, which fill the mailbox": signUpFor([295011, 295012], [], true),
    "sign-up for a new one and a known one": signUpFor([295011], [295012]),
    "sign-up for a known one": signUpFor([], [295011]),
    "news of every kind": newsFor("SOME CARRIER"),
    "due tomorrow": newsFor("A", deadline(1)),
    "due today": newsFor("A", deadline(0)),
    "active again": newsFor("A", [
      changed("status", "inactive", "active"),
      changed("status", "active", "inactive"),
    ]),
    "left the census": newsFor("A", [{ kind: "left", removed: LEFT }]),
    "more than an email lists": newsFor("A", [
      ...Array.from({ length: 25 }, () => changed("city", "A", "B")),
      {
        kind: "inspections",
        found: Array.from({ length: 9 }, () => inspection("2027-01-20", "TX")),
        isAll: false,
      },
    ]),
    "a new chain": newsFor("A", [
      { kind: "restart", from: "2027-01-03", since: "2027-01-20", isBefore: false },
    ]),
    "data that was withdrawn": newsFor("A", [
      { kind: "restart", from: "2027-01-20", since: "2027-01-19", isBefore: true },
    ]),
    "sample data": newsFor("A", deadline(30), "Sample data,\nnot FMCSA's"),
    "no name that can be shown": newsFor("\u202e ", deadline(30)),
  };
  const texts = Object.entries(emails).map(([name, { subject, text }]) =>
    `=== ${name}\nSubject: ${subject}\n\n${text}`
  );
  texts.push(`=== as HTML\n${mailHtml(newsFor(`<b>&"' https://evil.example`).text)}`);
  const now = texts.join("\n");
  if (Deno.env.has("UPDATE_GOLDEN")) await Deno.writeTextFile(GOLDEN, now);
  assert.equal(now, await Deno.readTextFile(GOLDEN));
});

Deno.test("newsText() and signUpText() keep hostile names on one line, short, and without characters that reorder text", () => {
  const names = [
    "EVIL\r\nBcc: victim@b.co\r\n\r\nNEW BODY",
    "A\n- The carrier is in perfect order.\nB",
    "\u202EDESREVER\u202C \u200FMARK\u2066 X\u2069 \u200bZERO\ufeff \u2028LINE\u2029 \0NUL \u0085NEL",
    "<script>alert(1)</script>",
    "https://evil.example",
    "W".repeat(500),
    "😀".repeat(500),
    "\ud800LONE",
    "\u202e\u200b",
    "",
  ];
  const plain = newsFor("A");
  for (const name of names) {
    const { subject, text } = newsFor(name);
    assert.equal(text.split("\n").length, plain.text.split("\n").length, JSON.stringify(name));
    assert.doesNotMatch(subject + text.replaceAll("\n", ""), /[\p{C}\p{Zl}\p{Zp}]/u);
    assert.ok([...subject].length <= [...plain.subject].length + 50, subject);
    assert.ok([...text].length <= [...plain.text].length + 120);
    assert.ok((subject + text).isWellFormed());
  }
  for (const name of names) {
    for (
      const [asked, plain] of [[[DOT], signUpFor([DOT], [])], [
        [DOT, 5],
        signUpFor([DOT, 5], []),
      ]] as const
    ) {
      const { subject, text } = signUpFor([...asked], [], false, name);
      assert.equal(subject, plain.subject, "a stranger may have chosen the name");
      assert.equal(text.split("\n").length, plain.text.split("\n").length, JSON.stringify(name));
      assert.doesNotMatch(text.replaceAll("\n", ""), /[\p{C}\p{Zl}\p{Zp}]/u);
      assert.deepEqual(mailHtml(text).match(/<a /g), ["<a "], "no link but ours");
    }
  }
});
