import assert from "node:assert/strict";
import fc from "fast-check";
import { CarrierHistory } from "../../../api/operations/history.ts";
import { Carrier } from "../../../api/rules/schemas.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";
import { type Objects, record } from "../../pipeline/snapshot/memory.ts";
import { type CensusDay, putChain } from "../../pipeline/snapshot/memory_chain.ts";
import { BATCH, call, JOBS, post, surfaceOver, testApp } from "../http/service.ts";

/** A mailing address that stays when the physical one changes. */
const MAILED = { mailing: ["PO BOX 1", "AKRON", "OH", "44306"] };

const seven = (more: Partial<CarrierRecord>): CarrierRecord =>
  record(7, { legal_name: "ACME INC", status: "A", power_units: 12, ...more });

const DAYS: CensusDay[] = [
  { dataDate: "2026-09-30", carriers: [seven({}), record(9, MAILED)] },
  {
    dataDate: "2026-10-01",
    carriers: [
      seven({ phone: "3305550123", mcs150_date: "2026-09-29" }),
      record(9, { ...MAILED, city: "AKRON" }),
    ],
  },
  {
    dataDate: "2026-10-03",
    carriers: [
      seven({ status: "I", mcs150_date: "2026-09-29", refused: { power_units: "12O" } }),
      record(11),
    ],
  },
];
// The service's clock.
const TODAY = "2026-10-05";

function serviceOver(days: readonly CensusDay[], more: Parameters<typeof putChain>[2] = {}) {
  const objects: Objects = new Map();
  putChain(objects, days, more);
  const { deps, source } = surfaceOver(objects);
  const { app } = testApp({ ...deps, source });
  return { app, source, objects, clock: deps.clock };
}

async function historyOf(
  app: ReturnType<typeof serviceOver>["app"],
  dot: number,
  query = "",
): Promise<CarrierHistory> {
  const { status, body, text } = await call(app, `/api/v1/carriers/${dot}/history${query}`);
  assert.equal(status, 200, text);
  return CarrierHistory.parse(body);
}

Deno.test("a history lists the values before and after each change, newest first", async () => {
  const { app } = serviceOver(DAYS, { gaps: [{ day: "2026-10-01", members: ["dba_name"] }] });
  const { since, changes, removed, gaps } = await historyOf(app, 7);
  assert.equal(since, "2026-09-30");
  assert.equal(removed, undefined);
  assert.deepEqual(gaps, [{ between: ["2026-09-30", "2026-10-01"], members: ["dba_name"] }]);
  assert.deepEqual(
    changes.map(({ between, label, was, was_state, now, now_state }) =>
      [between.join(" "), label, was, was_state, now, now_state].join("|")
    ),
    [
      "2026-10-01 2026-10-03|Phone number||hidden||hidden",
      "2026-10-01 2026-10-03|Status|active|known|inactive|known",
      "2026-10-01 2026-10-03|Power units|12|known|12O|unusable",
      "2026-09-30 2026-10-01|Phone number||hidden||hidden",
      "2026-09-30 2026-10-01|MCS-150 filing date||blank|2026-09-29|known",
    ],
  );
});

Deno.test("a removed carrier is 404 with the day it was last seen, and keeps its history", async () => {
  const { app } = serviceOver(DAYS);
  const { status, body } = await call(app, "/api/v1/carriers/9");
  assert.equal(status, 404);
  assert.deepEqual(body.error, {
    code: "not_found",
    message:
      "Cannot find USDOT number 9: no longer in FMCSA's census of Oct 3, 2026, last seen on Oct 1, 2026",
    last_seen: "2026-10-01",
  });
  const { body: batch } = await post({ app }, BATCH, { dots: ["9", "7"] });
  assert.deepEqual(batch.results[0].error, body.error);
  const { removed, changes } = await historyOf(app, 9);
  assert.deepEqual(removed, { last_seen: "2026-10-01", between: ["2026-10-01", "2026-10-03"] });
  assert.deepEqual(changes, [{
    between: ["2026-09-30", "2026-10-01"],
    member: "city",
    label: "City",
    was: null,
    was_state: "blank",
    now: null,
    now_state: "unknown",
  }]);
  const arrived = await historyOf(app, 11);
  assert.deepEqual(arrived.changes.map(({ member, was, now }) => [member, was, now]), [
    ["dot", "not listed", "listed"],
  ]);
  assert.equal((await call(app, "/api/v1/carriers/12/history")).status, 404);
});

Deno.test("a returned carrier's last change before its removal has an unknown new value", async () => {
  const on = (dataDate: string, ...carriers: CarrierRecord[]) => ({ dataDate, carriers });
  const { app } = serviceOver([
    on("2026-09-30", record(7, { ...MAILED, city: "AKRON" })),
    on("2026-10-01", record(7, { ...MAILED, city: "KENT" })),
    on("2026-10-02"),
    on("2026-10-03", record(7, { ...MAILED, city: "SALEM" })),
  ]);
  const { changes } = await historyOf(app, 7);
  assert.deepEqual(
    changes.map(({ member, was, now, now_state, last_seen }) => [
      ...[member, was, now, now_state, last_seen],
    ]),
    [
      ["dot", "not listed", "listed", "known", "2026-10-01"],
      ["city", "AKRON", null, "unknown", undefined],
    ],
  );
});

Deno.test("a change has an unknown new value when its member could not be compared on a later day", async () => {
  const on = (dataDate: string, city: string) => ({
    dataDate,
    carriers: [record(7, { ...MAILED, city })],
  });
  const days = [on("2026-09-30", "AKRON"), on("2026-10-01", "KENT"), on("2026-10-03", "KENT")];
  const nowWith = async (day: string) => {
    const { app } = serviceOver(days, { gaps: [{ day, members: ["city"] }] });
    const [change] = (await historyOf(app, 7)).changes;
    return [change!.was, change!.now, change!.now_state];
  };
  assert.deepEqual(await nowWith("2026-10-03"), ["AKRON", null, "unknown"]);
  assert.deepEqual(await nowWith("2026-10-01"), ["AKRON", "KENT", "known"]);
});

Deno.test("every answer as of a day is that day's, says so, and can be cached forever once it is final", async () => {
  const { app } = serviceOver(DAYS);
  const asked = await call(app, "/api/v1/carriers/7?as_of=2026-10-02");
  const carrier = Carrier.parse(asked.body);
  assert.equal(carrier.as_of, "2026-10-02");
  assert.equal(carrier.status, "active");
  assert.equal(carrier.phone, "(330) 555-0123");
  const { id: _, ...facts } = carrier.snapshot;
  assert.deepEqual(facts, {
    data_date: "2026-10-01",
    inspections_date: "2026-10-03",
    age_days: 1,
    stale: false,
    as_of: "2026-10-02",
  });
  assert.equal(asked.headers.get("snapshot-age"), "86400");
  assert.equal(asked.headers.get("cache-control"), "private, max-age=31536000");
  const history = await historyOf(app, 7, "?as_of=2026-10-02");
  assert.equal(history.changes.length, 2);
  // Not final: a snapshot with a later data date may still be published for Oct 4.
  const open = await call(app, `/api/v1/carriers/7?as_of=2026-10-04`);
  assert.equal(open.body.status, "inactive");
  assert.equal(open.headers.get("cache-control"), "private, max-age=60");
  const now = await call(app, "/api/v1/carriers/7");
  assert.equal(now.body.as_of, undefined);
  assert.equal(now.headers.get("cache-control"), "private, max-age=60");
});

Deno.test("an invalid, future or expired day is rejected with the reason", async () => {
  const { app } = serviceOver(DAYS);
  const refused = async (asOf: string) => {
    const { status, body } = await call(app, `/api/v1/carriers/7?as_of=${asOf}`);
    return `${status} ${body.error.code}: ${body.error.message}`;
  };
  for (const text of ["", "2026-02-30", "2026-1-1", "Oct 3, 2026", "0000-01-01"]) {
    assert.match(await refused(text), /^400 invalid_query: Cannot use as_of .*give a day as YYYY/);
  }
  assert.equal(
    await refused("2026-10-06"),
    "400 invalid_query: Cannot use as_of 2026-10-06: today is Oct 5, 2026",
  );
  assert.equal(
    await refused("2026-09-29"),
    "404 not_found: Cannot answer as of Sep 29, 2026: the first day kept is Sep 30, 2026",
  );
  const twice = await call(app, "/api/v1/carriers/7?as_of=2026-10-01&as_of=2026-10-02");
  assert.equal(twice.body.error.code, "invalid_query");
  assert.equal((await call(app, `/api/v1/carriers/7?as_of=${TODAY}`)).status, 200);
});

Deno.test("a batch and a job as of a day answer each number as a lookup does, and stay on that day", async () => {
  const service = serviceOver(DAYS);
  const asked = { as_of: "2026-10-02", dots: ["7", "9", "11"], peer: "192.0.2.1" };
  const singles = await Promise.all(
    asked.dots.map((dot) => call(service.app, `/api/v1/carriers/${dot}?as_of=${asked.as_of}`)),
  );
  const bodies = singles.map(({ body }) => body.error ?? body);
  const itemsOf = (results: { carrier?: unknown; error?: unknown }[]) =>
    results.map(({ carrier, error }) => error ?? carrier);
  for (const path of [BATCH, JOBS]) {
    const first = await post(service, path, { ...asked, key: "k" });
    const { body, headers } = first;
    assert.equal(body.as_of, asked.as_of);
    assert.equal(body.snapshot.as_of, asked.as_of);
    assert.equal(headers.get("snapshot-id"), "2026-10-01-1");
    const { results } = path === BATCH
      ? body
      : (await call(service.app, `${JOBS}/${body.id}`)).body;
    assert.deepEqual(itemsOf(results), bodies);
    // The key is bound to the day, too.
    const other = await post(service, path, { ...asked, key: "k", as_of: "2026-10-01" });
    assert.equal(other.body.error.code, "idempotency_key_reused");
    service.clock.advance(61_000);
    putChain(service.objects, [...DAYS, { dataDate: "2026-10-04", carriers: [] }]);
    service.clock.advance(20 * 3_600_000);
    const again = await post(service, path, { ...asked, key: "k" });
    assert.equal(again.headers.get("idempotent-replayed"), "true");
    assert.equal(again.text, first.text);
    if (path === BATCH) continue;
    const early = await post(service, path, { dots: ["7"], as_of: "2026-09-01" });
    assert.deepEqual([early.status, early.body.error.code], [404, "not_found"]);
  }
});

Deno.test("recent changes of identity are facts with both dates for 30 days", async () => {
  const before = record(7, {
    ...MAILED,
    legal_name: "ACME INC",
    phone: "3305550123",
    city: "AKRON",
  });
  const { app } = serviceOver([
    { dataDate: "2026-09-04", carriers: [before] },
    {
      dataDate: "2026-09-05",
      carriers: [record(7, { ...MAILED, legal_name: "ACME LLC", city: "AKRON" })],
    },
    { dataDate: "2026-10-03", carriers: [record(7, { ...MAILED, legal_name: "ACME LLC" })] },
  ]);
  const factsOn = async (day: string) => {
    const { body } = await call(app, `/api/v1/carriers/7?as_of=${day}`);
    const { findings } = Carrier.parse(body);
    return findings.filter(({ id }) => id.endsWith("_changed"))
      .map(({ kind, id, text, detail, reasons }) => {
        assert.ok(
          kind === "fact" && reasons.length > 0 && text.endsWith("in the last 30 days"),
          id,
        );
        return detail;
      });
  };
  assert.deepEqual(await factsOn("2026-09-04"), []);
  const name =
    'Between Sep 4 and Sep 5, 2026 the legal name changed from "ACME INC" to "ACME LLC". Source: ';
  const phone = "Between Sep 4 and Sep 5, 2026 the phone number changed. Source: ";
  const september = "FMCSA's census of Sep 5, 2026.";
  assert.deepEqual(await factsOn("2026-09-05"), [name + september, phone + september]);
  const october = "FMCSA's census of Oct 3, 2026.";
  const city = 'Between Sep 5 and Oct 3, 2026 the city changed from "AKRON" to blank. Source: ';
  assert.deepEqual(await factsOn("2026-10-05"), [name, city, phone].map((it) => it + october));
});

Deno.test("the values in a history are consecutive, from the first census to the last", async () => {
  const city = fc.constantFrom("", "AKRON", "KENT");
  const member = fc.record({
    city,
    status: fc.constantFrom("A", "I", "P"),
    power_units: fc.nat(2),
    hazmat: fc.boolean(),
    phone: fc.constantFrom("3305550123", "3305550199"),
    rating: fc.constantFrom("S", "C", "U"),
    mcs150_date: fc.constantFrom("2026-09-29", "2026-09-30"),
    undeliverable: fc.constant(true),
    refused: fc.constantFrom({ drivers: "1O" }, { drivers: "" }),
  }, { requiredKeys: ["status"] }) as fc.Arbitrary<Partial<CarrierRecord>>;
  const census = fc.tuple(fc.option(member, { freq: 4 }), fc.nat(1));
  const chains = fc.array(census, { minLength: 2, maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(chains, async (chain) => {
      let day = Date.UTC(2026, 7, 1);
      const days = chain.map(([members, gap]): CensusDay => ({
        dataDate: new Date(day += gap * 86_400_000).toISOString().slice(0, 10),
        carriers: [record(9), ...members === null ? [] : [record(7, { ...members })]],
      }));
      const { app } = serviceOver(days);
      const kept = days.filter(({ dataDate }, i) => days[i + 1]?.dataDate !== dataDate);
      const sevens = kept.map(({ carriers }) => carriers.find(({ dot }) => dot === 7));
      if (sevens.every((seven) => seven === undefined)) return;
      const history = await historyOf(app, 7);
      assert.equal(history.since, kept[0]!.dataDate);
      assert.equal(history.removed === undefined, sevens.at(-1) !== undefined);
      const listed = new Set<string>();
      for (const { between, member, was, was_state, now, now_state } of history.changes) {
        const i = kept.findIndex(({ dataDate }) => dataDate === between[1]);
        assert.equal(kept[i - 1]!.dataDate, between[0], "between two data dates that follow");
        listed.add(`${i} ${member}`);
        if (member === "dot") assert.ok(sevens[i - 1] === undefined && sevens[i] !== undefined);
        else if (was_state !== "hidden") {
          assert.deepEqual([was, was_state], stateOf(sevens[i - 1]!, member));
          if (now_state !== "unknown") {
            assert.deepEqual([now, now_state], stateOf(sevens[i]!, member));
          } // Only where the carrier was removed later without another change of the member.
          else assert.ok(sevens.slice(i).includes(undefined));
        }
      }
      for (let i = 1; i < kept.length; i++) {
        const [before, after] = [sevens[i - 1], sevens[i]];
        if (after === undefined) continue;
        if (before === undefined) assert.ok(listed.has(`${i} dot`));
        else {
          for (const member of ["city", "status", "power_units", "phone", "rating", "drivers"]) {
            const differs: boolean =
              String(stateOf(before, member)) !== String(stateOf(after, member));
            assert.equal(listed.has(`${i} ${member}`), differs, `${i} ${member}`);
          }
        }
      }
    }),
    { numRuns: 150 },
  );
});

/** A filed value and its state, as a history must report them. */
function stateOf(record: CarrierRecord, member: string): [string | null, string] {
  const refused = (record.refused as Record<string, string> | undefined)?.[member];
  if (refused !== undefined) return [refused, "unusable"];
  const value = record[member as keyof CarrierRecord];
  if (value === undefined || value === "") {
    return member === "undeliverable" ? ["no", "known"] : [null, "blank"];
  }
  const words: Record<string, string> = {
    ...{ A: "active", I: "inactive", P: "pending", true: "yes", false: "no" },
    ...{ S: "Satisfactory", C: "Conditional", U: "Unsatisfactory" },
  };
  return [words[String(value)] ?? String(value), "known"];
}
