import assert from "node:assert/strict";
import fc from "fast-check";
import { newsOf, seenOf } from "../../../api/alerts/news.ts";
import type { Subscription } from "../../../api/alerts/records.ts";
import { ageInDays, formatDate, parseDate } from "../../../pipeline/dates.ts";
import { toCarrier } from "../../../api/rules/carrier.ts";
import type { Watched } from "../../../api/operations/watched.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";
import { record } from "../../pipeline/snapshot/memory.ts";

/** The last digit means January, and the one before it odd years. */
const DOT = 295011;
const DUE = "2027-01-31";

function watchedOn(day: string, more: Partial<CarrierRecord> = {}, data_date = day): Watched {
  const window = { from: "2024-10-04", to: "2026-10-03" };
  const carrier = toCarrier(record(DOT, { mcs150_date: "2025-01-10", ...more }), {
    today: day,
    baseUrl: "https://carriers.example",
    snapshot: { id: "a", manifest: { data_date, inspections_date: "2026-10-03", window } },
  });
  const { page_url, snapshot } = carrier;
  return { dot: String(DOT), carrier, history: null, absence: null, page_url, snapshot };
}

function subscribed({ carrier }: Watched): Subscription {
  const said = { seen: seenOf(carrier!), notice: null };
  const address = "a@b.co";
  return { link: "t", address, dot: DOT, confirm: null, answer: null, bounces: 0, ...said };
}

/** The reasons for an email on a day, and the subscription after it; null without an email. */
function newsOn(day: string, subscription: Subscription, watched = watchedOn(day)) {
  const first = parseDate("2026-10-05");
  const days = parseDate(watched.snapshot.data_date) - first + 1;
  const dates = Array.from({ length: days }, (_, i) => formatDate(first + i));
  const carriers = new Map([[DOT, watched]]);
  const news = newsOf(subscription, { carriers, dates, day, mailed: [] });
  return news && { reasons: news.reasons, after: { ...subscription, ...news.change } };
}

Deno.test("newsOf() announces each step of a deadline at most once, and only one step per run", () => {
  let notices = 0;
  const runs = fc.uniqueArray(fc.integer({ min: 40, max: 80 }), { maxLength: 30 });
  fc.assert(
    fc.property(runs, (offsets) => {
      const first = parseDate("2026-11-15");
      let subscription = subscribed(watchedOn("2026-10-05"));
      const announced = new Set<number>();
      for (const offset of offsets.sort((a, b) => a - b)) {
        const day = formatDate(first + offset);
        const days = ageInDays(day, DUE);
        const news = newsOn(day, subscription);
        subscription = news?.after ?? subscription;
        // Past the deadline: the next one is two years away.
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

Deno.test("newsOf() reports a deadline after an early or a first filing too, and not once it has passed", () => {
  // Regression: a filing some months early moved next_due two years ahead, and nothing was sent in 2027.
  const day = "2027-01-25";
  for (const filing of [{ mcs150_date: "2026-12-20" }, { added: "2026-12-20" }]) {
    const filed = watchedOn(day, { mcs150_date: "2026-12-20", ...filing });
    assert.equal(filed.carrier!.mcs150.next_due, DUE);
    assert.equal(newsOn(day, subscribed(filed), filed)?.reasons[0]?.kind, "deadline");
  }
  const overdue = watchedOn("2027-02-02", { mcs150_date: "2022-01-10" });
  assert.ok(overdue.carrier!.mcs150.days_until_due < 0);
  assert.equal(newsOn("2027-02-02", subscribed(overdue), overdue), null);
});

Deno.test("newsOf() reports no changes from older data, but still reports deadlines", () => {
  const after = { ...subscribed(watchedOn("2026-10-06")) };
  // A process's pointer can be a minute old, or an operator may have rolled back.
  const older = watchedOn("2027-01-02", {}, "2026-10-05");
  const due = newsOn("2027-01-02", after, older)!;
  assert.deepEqual(due.reasons.map(({ kind }) => kind), ["deadline"]);
  assert.deepEqual(due.after.seen, after.seen);
});
