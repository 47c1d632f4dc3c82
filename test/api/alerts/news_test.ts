import assert from "node:assert/strict";
import fc from "fast-check";
import { newsOf, seenOf } from "../../../api/alerts/news.ts";
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
