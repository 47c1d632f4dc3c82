/**
 * No sentence about a carrier contradicts a member of its JSON, for any record, any day and files of
 * any age. Claims are read from the details by patterns that hold in any reasonable wording.
 *
 * @module
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { toCarrier } from "../../../api/rules/carrier.ts";
import { INSPECTION_KINDS } from "../../../api/rules/out_of_service.ts";
import type { Carrier, Check, CheckId } from "../../../api/rules/schemas.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record.ts";
import { anyDay, anyRecord, type ContextDays, contextOfDays } from "./arbitrary.ts";

/** Dates of the rules, whatever the carrier. */
const RULE_DATES = [
  "2000-11-20", // 49 CFR 385.13(a)(2)
  "2026-05-14", // legacy registration retired
  "2026-05-18", // FMCSA points to Motus for activity after this day
  "2026-06-01", // deactivation paused for updates due from this day
  "2026-08-31", // label of SAFER's national averages
  "2026-09-30", // deactivation pause last checked
];

/** 49 CFR 367.40 and 367.50, with the bounds of the brackets. */
const UCR_FEES: Record<string, number[]> = {
  2026: [46, 138, 276, 963, 4592, 44836],
  2027: [55, 167, 333, 1163, 5548, 54165],
};
const UCR_BOUNDS = [2, 3, 5, 6, 20, 21, 100, 101, 1000, 1001];

const STATUSES = { A: "active", I: "inactive", P: "pending" };
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A carrier, and what its sentences may draw on. */
interface Answer {
  record: CarrierRecord;
  carrier: Carrier;
  days: ContextDays;
  window: { from: string; to: string };
}

type Group = string | undefined;
/** A pattern of a claim, whether the claim is true, and the one check that may make it. */
type Claim = [
  pattern: RegExp,
  holds: (answer: Answer, ...groups: Group[]) => boolean,
  only?: CheckId,
];

const CLAIMS: Record<string, Claim> = {
  "date": [
    new RegExp(`\\b((?:${MONTHS.join("|")})[a-z]* \\d{1,2}, \\d{4})\\b`, "g"),
    (answer, date) => isKnown(answer, dayOf(date!)),
  ],
  "date style": [/\b\d{1,2} [A-Z][a-z]+ \d{4}\b|\d{4}-\d\d-\d\d/g, () => false],
  "power units": [
    /(\d[\d,]*) power units?\b/g,
    ({ record }, units) => [record.power_units, ...UCR_BOUNDS].includes(numberOf(units)),
  ],
  "rating": [
    /\b(?:[Rr]ated|[Rr]ating(?: is| of)?):? (Satisfactory|Conditional|Unsatisfactory)\b/g,
    ({ carrier }, rating) => rating === carrier.safety_rating,
  ],
  "status": [
    /\b(?:number|registration|carrier)(?: itself)? is (?:now )?(active|inactive|pending)\b/gi,
    ({ record }, status) => status!.toLowerCase() === STATUSES[record.status],
  ],
  "operation": [
    /\b(?:filed|registered|listed|reported)(?: as)?(?: an?)? (inter|intra)state\b/gi,
    ({ carrier }, kind) => carrier.operation.toLowerCase().startsWith(kind!.toLowerCase()),
  ],
  "docket": [
    /\b(MC|MX|FF)[ -]?(\d+)(?:(?:[:,]| is)?(?: listed)?(?: as)? (active|inactive|pending))?/g,
    ({ carrier }, prefix, number, status) =>
      carrier.dockets.some((docket) =>
        docket.prefix === prefix && docket.number === number &&
        (status === undefined || STATUSES[docket.status as "A" | "I" | "P"] === status)
      ),
  ],
  "dollars": [
    /\$(\d[\d,]*)(?: (?:for|in) (20\d\d))?/g,
    (_, dollars, year) =>
      (year === undefined ? Object.values(UCR_FEES).flat() : UCR_FEES[year] ?? UCR_FEES[2027]!)
        .includes(numberOf(dollars)),
  ],
  "operating": [/\bmay (?:not )?operate\b/gi, ({ carrier }) => carrier.status === "active"],
  "roadside inspections": [
    /(\d[\d,]*) roadside inspections?\b/g,
    ({ carrier }, count) => numberOf(count) === carrier.inspections_24m?.total,
  ],
  "inspections of a kind": [
    /\b(vehicle|driver|hazmat):? (\d[\d,]*) of (\d[\d,]*)/gi,
    (answer, kind, out, count) => isCount(answer, kind!, out, count),
  ],
  "kind of inspections": [
    /(?:(\d[\d,]*) of )?(\d[\d,]*) (vehicle|driver|hazmat) inspections?\b/gi,
    (answer, out, count, kind) => isCount(answer, kind!, out, count),
  ],
  "no inspections": [
    /\bno (?:roadside )?inspections?\b(?! (?:of|with|counted|data))/gi,
    ({ carrier, days }) => carrier.inspections_24m === null && days.notice === undefined,
  ],
  "filings after": [
    /\bfilings after ([A-Z][a-z]+ \d+, \d{4})/gi,
    ({ days }, date) => dayOf(date!) === days.census,
  ],
  "percentage": [
    /(\d+(?:\.\d+)?) ?%/g,
    ({ carrier: { inspections_24m } }, value) =>
      INSPECTION_KINDS.flatMap((kind) => inspections_24m?.[kind] ?? [])
        .flatMap(({ rate_pct, national_average_pct }) => [rate_pct ?? NaN, national_average_pct])
        .some((rate) => Math.abs(rate - Number(value)) < 0.0501),
    "oos_rates",
  ],
  "missed": [
    /(?<!not mean (?:that )?(?:an|the) update )\b(?:was|is|has been) (?:missed|overdue)\b/gi,
    isMissed,
    "mcs150",
  ],
  "days ahead": [
    /\bin (\d[\d,]*) days?\b/gi,
    ({ carrier }, count) => carrier.mcs150.days_until_due === numberOf(count),
    "mcs150",
  ],
  "days past": [
    /(\d[\d,]*) days? (?:ago|late|overdue|past)/gi,
    ({ record, days }, count) => isScheduled(record.dot, before(days.today, numberOf(count))),
    "mcs150",
  ],
  "age of the rating": [
    /(\d+) years? (?:ago|old)/gi,
    ({ record, days }, years) =>
      Temporal.PlainDate.from(record.rating_date!).until(days.today, { largestUnit: "year" })
        .years === Number(years),
    "safety_rating",
  ],
};

type Relation = (answer: Answer, check: (id: CheckId) => Check) => boolean;

/** Relations between members of one answer. */
const MEMBERS: Record<string, Relation> = {
  "usdot_status names the status": ({ record }, check) =>
    new RegExp(`\\b${STATUSES[record.status]}\\b`, "i").test(check("usdot_status").detail),
  "usdot_status is ok for an active number only": ({ carrier }, check) =>
    (check("usdot_status").state === "ok") === (carrier.status === "active"),
  "days_until_due is next_due less today": ({ carrier: { mcs150 }, days }) =>
    Temporal.PlainDate.from(days.today).until(mcs150.next_due).days === mcs150.days_until_due,
  "next_due is scheduled": ({ record, carrier }) =>
    isScheduled(record.dot, carrier.mcs150.next_due),
  "next_due is ahead unless the update is overdue or may be": ({ carrier: { mcs150 } }) => {
    const { state, days_until_due: days } = mcs150;
    return { overdue: days < 0, "due-soon": days >= 0 && days <= 90, ok: days > 90, unknown: true }[
      state
    ];
  },
  "mcs150 agrees with its state": ({ carrier }, check) => ({
    "overdue": ["bad", "warn", "info"],
    "due-soon": ["ok", "warn", "info"],
    "ok": ["ok", "info"],
    "unknown": ["warn", "info"],
  }[carrier.mcs150.state].includes(check("mcs150").state)),
  "mcs150 is bad only in a census newer than a missed date": (answer, check) =>
    check("mcs150").state !== "bad" || isMissed(answer),
  "safety_rating agrees with the rating": ({ carrier }, check) => ({
    "Satisfactory": ["ok", "info", "warn"],
    "Conditional": ["warn", "bad", "info"],
    "Unsatisfactory": ["warn", "bad", "info"],
    "Not rated": ["info"],
  }[carrier.safety_rating].includes(check("safety_rating").state)),
  "each basis has its file's date": ({ carrier, days }) =>
    carrier.checks.every(({ id, basis }) =>
      basis.data_date === (id === "oos_rates" ? days.inspections : days.census)
    ),
};

const numberOf = (text: Group) => Number(text?.replaceAll(",", ""));

/** `YYYY-MM-DD` of `Oct 3, 2026`. */
function dayOf(date: string): string {
  const [month, day, year] = date.split(/[ ,]+/);
  const number = MONTHS.indexOf(month!.slice(0, 3)) + 1;
  return `${year}-${String(number).padStart(2, "0")}-${day!.padStart(2, "0")}`;
}

function isKnown(answer: Answer, day: string): boolean {
  // UCR registration opens on Oct 1 and is due before Jan 1.
  return RULE_DATES.includes(day) || /-(10-01|12-31|01-01)$/.test(day) ||
    JSON.stringify(answer).includes(day) || isScheduled(answer.record.dot, day);
}

/** Whether 49 CFR 390.19T(b) schedules an update of the number on the day. */
function isScheduled(dot: number, day: string): boolean {
  const date = Temporal.PlainDate.from(day);
  return date.day === date.daysInMonth && date.month === (dot % 10 || 10) &&
    date.year % 2 === Math.floor(dot / 10) % 2;
}

/** Whether the census is new enough to show that the previous date, or the one before, was missed. */
function isMissed({ carrier: { mcs150 }, days }: Answer): boolean {
  const earlier = (day: string, months: number) =>
    String(Temporal.PlainDate.from(day).subtract({ months }));
  return mcs150.state === "overdue" && (mcs150.next_due <= days.census ||
    earlier(mcs150.next_due, 24) <= days.census &&
      mcs150.last_filed! < earlier(mcs150.next_due, 48));
}

function before(day: string, count: number): string {
  return String(Temporal.PlainDate.from(day).subtract({ days: count }));
}

function isCount({ carrier }: Answer, kind: string, out: Group, count: Group): boolean {
  const of = carrier.inspections_24m?.[kind.toLowerCase() as "vehicle" | "driver" | "hazmat"];
  return of?.inspections === numberOf(count) &&
    (out === undefined || of.out_of_service === numberOf(out));
}

/** What is false in the answer; counts the claims read by kind. */
function contradictions(answer: Answer, read: Map<string, number>): string[] {
  const { checks } = answer.carrier;
  const wrong = Object.entries(MEMBERS)
    .filter(([, holds]) => !holds(answer, (id) => checks.find((check) => check.id === id)!))
    .map(([name]) => `not so: ${name}`);
  for (const [kind, [pattern, holds, only]] of Object.entries(CLAIMS)) {
    for (const { id, summary, detail } of checks) {
      if (only !== undefined && id !== only) continue;
      const said = `${summary}. ${detail}`;
      for (const match of said.matchAll(pattern)) {
        read.set(kind, (read.get(kind) ?? 0) + 1);
        if (!holds(answer, ...match.slice(1))) wrong.push(`${kind}, "${match[0]}": ${said}`);
      }
    }
  }
  return wrong;
}

/** A record and the days of its files: the census up to 200 days old, inspections up to 100 more. */
function anyCase(): fc.Arbitrary<{ record: CarrierRecord; days: ContextDays }> {
  return fc.record({
    record: anyRecord(),
    added: fc.option(anyDay()),
    today: fc.nat(1500).map((day) => before("2030-12-31", day)),
    ages: fc.tuple(fc.oneof(fc.nat(3), fc.nat(200)), fc.nat(100)),
    filed: fc.option(fc.nat(1800)),
    last: fc.nat(700),
    notice: fc.constantFrom(undefined, undefined, "This is a sample"),
  }).map(({ record, added, today, ages: [census, inspections], filed, last, notice }) => {
    const days = {
      today,
      census: before(today, census),
      inspections: before(today, census + inspections),
      notice,
    };
    return {
      days,
      record: {
        ...record,
        ...(added === null ? {} : { added }),
        ...(filed === null ? {} : { mcs150_date: before(days.census, filed) }),
        ...(record.inspections === undefined ? {} : {
          inspections: { ...record.inspections, last: before(days.inspections, last) },
        }),
      },
    };
  });
}

Deno.test("no sentence about a carrier contradicts a member of its JSON", () => {
  const read = new Map<string, number>();
  fc.assert(
    fc.property(anyCase(), ({ record, days }) => {
      const context = contextOfDays(days);
      const answer = { record, days, carrier: toCarrier(record, context) };
      assert.deepEqual(
        contradictions({ ...answer, window: context.snapshot.manifest.window }, read),
        [],
      );
    }),
    { numRuns: 1000 },
  );
  // The property proves nothing about a kind of claim that no detail makes any more.
  for (const kind of ["date", "percentage", "dollars", "power units", "inspections of a kind"]) {
    assert.ok((read.get(kind) ?? 0) > 100, `no detail claims: ${kind}`);
  }
});
