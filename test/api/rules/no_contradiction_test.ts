/**
 * No sentence about a carrier contradicts a member of its JSON, for any record, any day, and files of any age.
 * Patterns find the claims in the details; they match every reasonable wording.
 *
 * @module
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { toCarrier } from "../../../api/rules/carrier.ts";
import { INSPECTION_KINDS, type InspectionKindName } from "../../../api/rules/out_of_service.ts";
import type { Carrier } from "../../../api/rules/schemas.ts";
import { usdotStatusWord } from "../../../api/rules/words.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";
import { anyDay, anyRecord, type ContextDays, contextOfDays } from "./arbitrary.ts";

/** Dates in the rules, the same for every carrier. */
const RULE_DATES = [
  "2000-11-20", // 49 CFR 385.13(a)(2)
  "2026-05-18", // FMCSA points to Motus for activity after this day
  "2026-06-01", // no deactivation for updates due from this day
  "2026-09-30", // deactivation pause last checked
];

/** 49 CFR 367.40 and 367.50. */
const UCR_FEES: Record<string, number[]> = {
  2026: [46, 138, 276, 963, 4592, 44836],
  2027: [55, 167, 333, 1163, 5548, 54165],
};

const STATUSES = { A: "active", I: "inactive", P: "pending" };

/** A carrier, and the values that its sentences may use. */
interface Answer {
  record: CarrierRecord;
  carrier: Carrier;
  days: ContextDays;
  window: { from: string; to: string };
}

type Group = string | undefined;

/** Patterns of claims, and whether a claim is true. */
const CLAIMS: Record<
  string,
  [pattern: RegExp, holds: (answer: Answer, ...groups: Group[]) => boolean]
> = {
  "date": [
    /\b([A-Z][a-z]{2} \d{1,2}, \d{4})\b/g,
    (answer, date) => isKnown(answer, dayOf(date!)),
  ],
  "date style": [/\b\d{1,2} [A-Z][a-z]+ \d{4}\b|\d{4}-\d\d-\d\d/g, () => false],
  "power units": [
    /(\d[\d,]*) power units?\b/g,
    ({ record }, units) => record.power_units === numberOf(units),
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
        // One of several statuses must not be reported alone.
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
    /\b(vehicle|driver|hazmat) (\d[\d,]*) of (\d[\d,]*)/g,
    ({ carrier }, kind, out, count) => {
      const of = carrier.inspections_24m?.[kind as InspectionKindName];
      return of?.inspections === numberOf(count) && of.out_of_service === numberOf(out);
    },
  ],
  "no inspections": [
    /\bno (?:roadside )?inspections?\b(?! (?:of|data))/gi,
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
        .flatMap(({ rate_pct, national_average_pct: average }) => [rate_pct ?? NaN, average ?? NaN])
        .some((rate) => Math.abs(rate - Number(value)) < 0.0501),
  ],
  "days ahead": [
    /\bin (\d[\d,]*) days?\b/gi,
    ({ carrier }, count) => carrier.mcs150.days_until_due === numberOf(count),
  ],
  "days past": [
    /(\d[\d,]*) days? (?:ago|late|overdue|past)/gi,
    ({ record, days }, count) => isScheduled(record.dot, before(days.today, numberOf(count))),
  ],
  "age of the rating": [
    /(\d+) years? (?:ago|old)/gi,
    ({ record, days }, years) =>
      Temporal.PlainDate.from(record.rating_date!).until(days.today, { largestUnit: "year" })
        .years === Number(years),
  ],
};

const numberOf = (text: Group) => Number(text?.replaceAll(",", ""));

/** `YYYY-MM-DD` of `Oct 3, 2026`. */
function dayOf(date: string): string {
  return new Date(`${date} UTC`).toISOString().slice(0, 10);
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

function before(day: string, count: number): string {
  return String(Temporal.PlainDate.from(day).subtract({ days: count }));
}

/** The false claims in the answer. Counts the claims by kind. */
function contradictions(answer: Answer, read: Map<string, number>): string[] {
  const { checks } = answer.carrier;
  return Object.entries(CLAIMS).flatMap(([kind, [pattern, holds]]) =>
    checks.flatMap(({ summary, detail }) => {
      const said = `${summary}. ${detail}`;
      const claims = [...said.matchAll(pattern)];
      read.set(kind, (read.get(kind) ?? 0) + claims.length);
      return claims.filter(([, ...groups]) => !holds(answer, ...groups))
        .map(([claim]) => `${kind}, "${claim}": ${said}`);
    })
  );
}

/** A record and the days of its files: the census up to 200 days old, inspections up to 100 days older. */
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
      const carrier = toCarrier(record, context);
      assert.equal(usdotStatusWord(carrier), STATUSES[record.status]);
      const { window } = context.snapshot.manifest;
      assert.deepEqual(contradictions({ record, carrier, days, window }, read), []);
      const { state, next_due, days_until_due: ahead } = carrier.mcs150;
      assert.equal(Temporal.PlainDate.from(days.today).until(next_due).days, ahead);
      assert.ok(isScheduled(record.dot, next_due));
      const asStated = {
        overdue: ahead < 0,
        "due-soon": ahead >= 0 && ahead <= 90,
        ok: ahead > 90,
      };
      assert.ok(state === "unknown" || asStated[state], state);
      // A census from before the date can't show that it was missed.
      if (carrier.checks[1]!.state === "bad") {
        assert.ok(state === "overdue" && next_due <= days.census);
      }
    }),
    { numRuns: 1000 },
  );
  // A kind of claim that no detail makes any more would not be tested.
  for (const kind of ["date", "percentage", "dollars", "power units", "inspections of a kind"]) {
    assert.ok((read.get(kind) ?? 0) > 100, `no detail claims: ${kind}`);
  }
});
