import assert from "node:assert/strict";
import { CarrierHistory } from "../../../api/operations/history.ts";
import { Carrier } from "../../../api/rules/schemas.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record.ts";
import { type Objects, record } from "../../pipeline/snapshot/memory.ts";
import { type CensusDay, putChain } from "../../pipeline/snapshot/memory_chain.ts";
import { call, post, surfaceOver, testApp } from "../http/service.ts";

const seven = (more: Partial<CarrierRecord>): CarrierRecord =>
  record(7, { legal_name: "ACME INC", status: "A", power_units: 12, ...more });

const DAYS: CensusDay[] = [
  { dataDate: "2026-09-30", carriers: [seven({}), record(9)] },
  {
    dataDate: "2026-10-01",
    carriers: [
      seven({ phone: "3305550123", mcs150_date: "2026-09-29" }),
      record(9, { city: "AKRON" }),
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
// The clock of the service.
const TODAY = "2026-10-05";

function serviceOver(days: readonly CensusDay[], more: Parameters<typeof putChain>[2] = {}) {
  const objects: Objects = new Map();
  putChain(objects, days, more);
  const { deps, source } = surfaceOver(objects);
  const { app } = testApp({ ...deps, source });
  return { app, source, reader: deps.reader };
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

Deno.test("a history lists values before and after each change, the newest first", async () => {
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
      "2026-10-01 2026-10-03|Power units|12|known|12O|unusable",
      "2026-10-01 2026-10-03|Status|active|known|inactive|known",
      "2026-10-01 2026-10-03|Phone number||hidden||hidden",
      "2026-09-30 2026-10-01|MCS-150 filing date||blank|2026-09-29|known",
      "2026-09-30 2026-10-01|Phone number||hidden||hidden",
    ].sort((a, b) => changes.length === 0 ? 0 : order(a) - order(b)),
  );
  function order(line: string): number {
    const [period, label] = line.split("|");
    return changes.findIndex((one) => one.between.join(" ") === period && one.label === label);
  }
});

Deno.test("a carrier that left is 404 with the day it was last seen, and keeps its history", async () => {
  const { app } = serviceOver(DAYS);
  const { status, body } = await call(app, "/api/v1/carriers/9");
  assert.equal(status, 404);
  assert.deepEqual(body.error, {
    code: "not_found",
    message:
      "Cannot find USDOT number 9: no longer in FMCSA's census of Oct 3, 2026, last seen on Oct 1, 2026",
    last_seen: "2026-10-01",
  });
  const { body: batch } = await post({ app }, "/api/v1/carriers/batch", { dots: ["9", "7"] });
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

Deno.test("what a carrier had when it left is not said of what it has since it returned", async () => {
  const on = (dataDate: string, ...carriers: CarrierRecord[]) => ({ dataDate, carriers });
  const { app } = serviceOver([
    on("2026-09-30", record(7, { city: "AKRON" })),
    on("2026-10-01", record(7, { city: "KENT" })),
    on("2026-10-02"),
    on("2026-10-03", record(7, { city: "SALEM" })),
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

Deno.test("as of a day every answer is that day's, says so, and is kept for ever once it is final", async () => {
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
  // A snapshot with a later data date may still be published for it.
  const open = await call(app, `/api/v1/carriers/7?as_of=2026-10-04`);
  assert.equal(open.body.status, "inactive");
  assert.equal(open.headers.get("cache-control"), "private, max-age=60");
  const now = await call(app, "/api/v1/carriers/7");
  assert.equal(now.body.as_of, undefined);
  assert.equal(now.headers.get("cache-control"), "private, max-age=60");
});

Deno.test("a day that is no day, to come or no longer kept is refused with the reason", async () => {
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
