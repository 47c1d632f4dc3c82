import assert from "node:assert/strict";
import { ALERT_KINDS, type AlertKind } from "../../../api/alerts/kinds.ts";
import { keyOf, type Mailbox, type Seen } from "../../../api/alerts/records.ts";
import type { CarrierRecord, InspectionRow } from "../../../pipeline/snapshot/record/record.ts";
import { record } from "../../pipeline/snapshot/memory.ts";
import { act, DAY_MS, DOT, OTHER, type Process, World } from "./world.ts";

const FIRST: Partial<CarrierRecord> = {
  legal_name: "ACME INC",
  city: "AKRON",
  phone: "3305550123",
  power_units: 10,
  dockets: [{ prefix: "MC", number: 1, status: "A" }],
  mcs150_date: "2025-08-10",
};

/** One subscriber, for all kinds or for some. */
async function watching(kinds?: readonly AlertKind[]) {
  const world = new World();
  world.publish([{ dot: DOT, ...FIRST }, { dot: OTHER }]);
  const process = world.process();
  await subscribe(world, process, kinds);
  return { world, process };
}

async function subscribe(world: World, { alerts }: Process, kinds = ALERT_KINDS): Promise<void> {
  await alerts.signUp({ address: "a@b.co", dots: [DOT], client: "a", kinds });
  await alerts.sweep();
  const answer = await act(alerts, "confirm", world.mails()[0]!);
  assert.deepEqual(answer, { outcome: "found", dots: [DOT], others: 0, kinds: [...kinds] });
}

/**
 * Makes a change and returns the next day's email: the end of its subject, the lines of its list of changes, and
 * its text.
 */
async function next(
  world: World,
  { alerts }: Process,
  work: () => unknown = () => world.publish(),
): Promise<{ subject: string; lines: string[]; text: string } | null> {
  world.clock.advance(DAY_MS);
  await work();
  await alerts.sweep();
  const [mail, ...others] = world.mails();
  assert.deepEqual(others, []);
  if (mail === undefined) return null;
  const [, list = ""] = mail.text.split("\n\n");
  const lines = list.split("\n").map((line) => line.replace(/^- /, ""));
  return { subject: mail.subject.replace(/.*\): /, ""), lines, text: mail.text };
}

/** Inspections in a window that ends on Oct 3, 2026. A row begins with the days before that. */
function inspected(...latest: InspectionRow[]): Pick<CarrierRecord, "inspections"> {
  const kind = { inspections: 1, out_of_service: 0 };
  const total = latest.length;
  const sums = { total, last: "2026-10-03", violations: 0, vehicle: kind, driver: kind };
  return { inspections: { ...sums, hazmat: kind, latest } };
}

/** A change, and what the next email says about it to subscribers of that kind; null if they get no email. */
const CHANGES: [AlertKind, Partial<CarrierRecord>, string | string[] | null][] = [
  ["status", { status: "I" }, "Status: active → inactive."],
  [
    "status",
    { dockets: [{ prefix: "MC", number: 1, status: "I" }] },
    "Dockets: MC 1 active → MC 1 inactive. Docket status isn't operating authority.",
  ],
  ["status", { prior_revoked: true }, "Prior revocation: blank → yes."],
  [
    "status",
    { orders: [{ date: "2026-09-11", reason: "Denial of Access" }] },
    "Out-of-service orders: none listed → Sep 11, 2026 (Denial of Access).",
  ],
  ["rating", { rating: "U" }, "Safety rating: blank → Unsatisfactory."],
  ["identity", { legal_name: 'ACME "LLC"' }, `Legal name: "ACME INC" → "ACME 'LLC'".`],
  // The mailing address is filed as the same as the physical one.
  ["identity", { city: "KENT" }, ['City: "AKRON" → "KENT".', "Mailing address: changed."]],
  ["identity", { phone: "3305550199" }, "Phone number: changed."],
  ["fleet", { power_units: 16 }, "Power units: 10 → 16."],
  ["fleet", { power_units: 4 }, "Power units: 10 → 4."],
  ["fleet", { power_units: 15 }, null],
  ["fleet", { drivers: 500 }, null],
];

Deno.test("an email says the value before and after between two data dates, only for the kinds that were chosen", async () => {
  for (const [kind, more, expected] of CHANGES) {
    const others = ALERT_KINDS.filter((one) => one !== kind);
    for (const kinds of [[kind], others]) {
      const { world, process } = await watching(kinds);
      const publish = () => world.publish([{ dot: DOT, ...more }]);
      const news = await next(world, process, publish);
      const where = `${kind} of ${kinds}`;
      if (expected === null || kinds === others) assert.equal(news, null, where);
      else {
        const lines = [expected].flat().map((line) => `Between Oct 5 and Oct 6, 2026: ${line}`);
        assert.deepEqual(news?.lines, lines, where);
      }
      assert.equal(await next(world, process), null, `${where}: once`);
      const { phone } = FIRST;
      // "0199" alone isn't enough: it is in the random token of a link in 1 of 2,000 emails.
      assert.ok(!news?.text.includes(phone!) && !/555\D{0,2}0199/.test(news?.text ?? ""), "hidden");
    }
  }
});

Deno.test("a fleet that grows in steps is news when it is more than 50% larger than at the last email", async () => {
  const { world, process } = await watching(["fleet"]);
  const grown = (power_units: number) =>
    next(world, process, () => world.publish([{ dot: DOT, power_units }]));
  assert.equal(await grown(14), null);
  assert.deepEqual((await grown(16))?.lines, [
    "Between Oct 6 and Oct 7, 2026: Power units: 14 → 16.",
    "Between Oct 5 and Oct 6, 2026: Power units: 10 → 14.",
  ]);
  assert.equal(await grown(20), null);
  assert.equal(await grown(9), null);
  assert.equal((await grown(7))?.subject, "power units changed");
});

Deno.test("inspections with an out-of-service finding are news once, including those that reach the file late", async () => {
  const { world, process } = await watching(["inspections"]);
  // As if the inspection file had ended on Sep 20 when the subscriber signed up.
  editSeen(world, { data_date: "2026-10-05", inspections_date: "2026-09-20" });
  const clean: InspectionRow = [1, "OH", 1, 3, 2];
  const vehicle: InspectionRow = [4, "TX", 1, 2, 1, 1];
  const driver: InspectionRow = [3, "OH", 3, 1, 0, 0, 1, 1];
  const old: InspectionRow = [13, "TX", 1, 2, 1, 1];
  const publish = (...rows: InspectionRow[]) => () =>
    world.publish([{ dot: DOT, ...inspected(...rows) }]);
  assert.equal(await next(world, process, publish(clean, old)), null);
  const news = await next(world, process, publish(clean, vehicle, old));
  assert.equal(news?.subject, "out of service at an inspection");
  assert.deepEqual(news?.lines, ["Inspection on Sep 29, 2026 in TX: vehicle out of service."]);
  assert.equal(await next(world, process), null);
  const late = await next(world, process, publish(clean, driver, vehicle, old));
  assert.deepEqual(late?.lines, ["Inspection on Sep 30, 2026 in OH: driver out of service."]);
});

Deno.test("a carrier that leaves the census is news once, whatever kinds were chosen, and so is its return", async () => {
  for (const kinds of [ALERT_KINDS, ["deadline"], ["rating"]] as const) {
    const { world, process } = await watching(kinds);
    const left = await next(world, process, () => world.publishAll([record(OTHER)]));
    assert.equal(left?.subject, "no longer in the census");
    assert.deepEqual(left.lines, ["Between Oct 5 and Oct 6, 2026: No longer in the census."]);
    assert.match(left.text, /^ACME INC \(USDOT 295011\)\n/);
    assert.match(left.text, /is no longer in FMCSA's census of Oct 6, 2026, last seen on Oct 5/);
    const publishOther = () => world.publishAll([record(OTHER)]);
    assert.equal(await next(world, process, publishOther), null);
    const back = await next(world, process, () => world.publish());
    assert.equal(back?.subject, "in the census again");
    assert.equal(await next(world, process), null);
  }
});

Deno.test("when the chain begins after what the subscriber last saw, one email says which changes are unknown", async () => {
  const { world, process } = await watching();
  const begun = await next(
    world,
    process,
    () => world.publishFirst([{ dot: DOT, status: "I" }]),
  );
  assert.deepEqual(begun?.lines, [
    "We don't know what changed between Oct 5 and Oct 6, 2026. We have tracked changes since Oct 6, 2026.",
  ]);
  assert.match(begun.text, /In FMCSA's files now: Inactive/);
  assert.equal(await next(world, process), null);
  const publish = () => world.publish([{ dot: DOT, status: "A" }]);
  assert.equal((await next(world, process, publish))?.subject, "now active");
  const { world: other, process: own } = await watching(["deadline"]);
  assert.equal(await next(other, own, () => other.publishFirst()), null);
});

Deno.test("news is corrected when its data is withdrawn later", async () => {
  const { world, process } = await watching();
  const publish = () => world.publish([{ dot: DOT, status: "I" }]);
  assert.equal((await next(world, process, publish))?.subject, "now inactive");
  assert.equal(await next(world, process, () => world.rollback()), null);
  const corrected = await next(world, process);
  assert.deepEqual(corrected?.lines, [
    "The data we last read (Oct 6, 2026) was withdrawn. These changes are since the data of Oct 5, 2026.",
  ]);
  assert.doesNotMatch(corrected.text, /Inactive/);
  assert.equal(await next(world, process), null);
});

Deno.test("a subscription stored before kinds existed keeps the kinds it was for", async () => {
  const { world, process } = await watching();
  editSeen(
    world,
    { status: "active", safety_rating: "Not rated", mc_active: true, data_date: "2026-10-05" },
  );
  const publish = () => world.publish([{ dot: DOT, status: "I", legal_name: "B", rating: "C" }]);
  const news = await next(world, process, publish);
  assert.equal(news?.subject, "now inactive; safety rating now Conditional");
  assert.deepEqual(world.subscriptions[0]!.seen, { data_date: "2026-10-06" });
  assert.equal(await next(world, process), null);
});

Deno.test("a second sign-up sets the kinds of pending subscriptions, and leaves confirmed ones unchanged", async () => {
  const { world, process } = await watching(["rating"]);
  const wish = { address: "a@b.co", client: "a" };
  await process.alerts.signUp({ ...wish, dots: [OTHER], kinds: ["fleet"] });
  await process.alerts.signUp({ ...wish, dots: [DOT, OTHER], kinds: ["deadline", "status"] });
  await process.alerts.sweep();
  const mail = world.mails().at(-1)!;
  const [, waiting, known] = mail.text.match(/carrier:\n([^]*?)\n\n[^]*day:\n([^]*?)\n\n/)!;
  assert.deepEqual(waiting!.split("\n"), [
    "- MCS-150 due date: 30, 7 and 1 day before",
    "- Status: USDOT number, out-of-service orders, dockets, prior revocation",
  ]);
  assert.equal(known, "- Safety rating");
  const answer = await act(process.alerts, "confirm", mail);
  assert.deepEqual(answer.outcome === "found" && answer.kinds, ["deadline", "status"]);
  assert.deepEqual(
    new Map(world.subscriptions.map(({ dot, kinds }) => [dot, kinds])),
    new Map([[DOT, "r"], [OTHER, "ds"]]),
  );
});

/** Replaces the stored `seen`, which may have members that only older versions of the code stored. */
function editSeen(world: World, seen: Seen & Record<string, unknown>): void {
  const [mailboxKey] = keyOf("mailbox");
  for (const entry of world.kv.entries.values()) {
    if (entry.key[0] !== mailboxKey || entry.key[1] !== "mailbox") continue;
    const mailbox = entry.value as Mailbox;
    for (const one of mailbox.subscriptions) {
      one.seen = seen;
      if (seen.inspections_date === undefined) delete one.kinds;
    }
  }
}
