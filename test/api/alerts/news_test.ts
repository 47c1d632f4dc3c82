import assert from "node:assert/strict";
import fc from "fast-check";
import { newsOf, seenOf } from "../../../api/alerts/news.ts";
import type { Subscription } from "../../../api/alerts/records.ts";
import { ageInDays, formatDate, parseDate } from "../../../api/rules/calendar.ts";
import { toCarrier } from "../../../api/rules/carrier.ts";
import type { Carrier } from "../../../api/rules/schemas.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record.ts";
import { record } from "../../pipeline/snapshot/memory.ts";

/** The last digit means January, the one before it odd years. */
const DOT = 295011;
const DUE = "2027-01-31";

function carrierOn(day: string, more: Partial<CarrierRecord> = {}, data_date = day): Carrier {
  const window = { from: "2024-10-04", to: "2026-10-03" };
  return toCarrier(record(DOT, { mcs150_date: "2025-01-10", ...more }), {
    today: day,
    baseUrl: "https://carriers.example",
    snapshot: { id: "a", manifest: { data_date, inspections_date: "2026-10-03", window } },
  });
}

function subscribed(carrier: Carrier): Subscription {
  const said = { seen: seenOf(carrier), notice: null };
  const address = "a@b.co";
  return { link: "t", address, dot: DOT, confirm: null, answer: null, bounces: 0, ...said };
}

/** The reasons of an email on a day, and the subscription after it; null when there is none. */
function newsOn(day: string, subscription: Subscription, carrier = carrierOn(day)) {
  const news = newsOf(subscription, { carriers: new Map([[DOT, carrier]]), day, mailed: [] });
  return news && { reasons: news.reasons, after: { ...subscription, ...news.change } };
}

Deno.test("newsOf() announces each step of each deadline at most once, and one of all that are due on each run", () => {
  let notices = 0;
  const runs = fc.uniqueArray(fc.integer({ min: 40, max: 80 }), { maxLength: 30 });
  fc.assert(
    fc.property(runs, (offsets) => {
      const first = parseDate("2026-11-15");
      let subscription = subscribed(carrierOn("2026-10-05"));
      const announced = new Set<number>();
      for (const offset of offsets.sort((a, b) => a - b)) {
        const day = formatDate(first + offset);
        const days = ageInDays(day, DUE);
        const news = newsOn(day, subscription);
        subscription = news?.after ?? subscription;
        // Over: the next deadline is two years away.
        if (parseDate(day) > parseDate(DUE)) {
          assert.equal(news, null);
          continue;
        }
        const step = [1, 7, 30].find((most) => days <= most);
        const isNew = step !== undefined && !announced.has(step);
        assert.deepEqual(news?.reasons, isNew ? [{ kind: "deadline", due: DUE, days }] : undefined);
        if (isNew) announced.add(step);
        notices += isNew ? 1 : 0;
      }
    }),
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

Deno.test("newsOf() reports changes of status, rating and MC status in one email, once, and does not take older data for a change", () => {
  const docketOf = (status: "A" | "I") => [{ prefix: "MC", number: 1, status } as const];
  const before = carrierOn("2026-10-05", { dockets: docketOf("A") });
  const changed: Partial<CarrierRecord> = { status: "I", rating: "C", dockets: docketOf("I") };
  const { reasons, after } = newsOn(
    "2026-10-06",
    subscribed(before),
    carrierOn("2026-10-06", changed),
  )!;
  assert.deepEqual(reasons, [
    { kind: "status", from: "active", to: "inactive" },
    { kind: "safety_rating", from: "Not rated", to: "Conditional" },
    { kind: "mc_active", from: true, to: false },
  ]);
  assert.equal(newsOn("2026-10-07", after, carrierOn("2026-10-07", changed)), null);
  // An instance whose pointer is a minute old, or an operator who goes back to the last snapshot.
  const older = carrierOn("2026-10-07", {}, "2026-10-05");
  assert.equal(newsOn("2026-10-07", after, older), null);
  const due = newsOn("2027-01-02", after, carrierOn("2027-01-02", {}, "2026-10-05"))!;
  assert.deepEqual(due.reasons.map(({ kind }) => kind), ["deadline"]);
  assert.deepEqual(due.after.seen, after.seen);
});
