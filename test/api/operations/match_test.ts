import assert from "node:assert/strict";
import fc from "fast-check";
import { matched, splitPlace } from "../../../api/operations/match.ts";
import { toCarrier } from "../../../api/rules/carrier.ts";
import { contextOf } from "../rules/arbitrary.ts";
import { compareName, type MatchResult } from "../../../pipeline/search/shared/name_match.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { MemorySource, putSnapshot, record, TestClock } from "../../pipeline/snapshot/memory.ts";
import { call, testApp } from "../http/service.ts";
import { ANY_UNIT } from "../../any_unit.ts";

function app() {
  const objects = new Map();
  const carriers = [
    record(286764, { legal_name: "GENERAL TRANSPORT INC", city: "AKRON", state: "OH" }),
    record(295017, { legal_name: "BLUE RIVER TRUCKING LLC", city: "ST. LOUIS", state: "MO" }),
    record(295018, { legal_name: "J & R HAULING", dba_name: "BLUE RIVER TRUCKING" }),
    record(300000, { legal_name: "", dba_name: undefined! }),
  ];
  putSnapshot(objects, { id: "a", carriers, dockets: { MC: { 143229: [295018, 295017] } } });
  const clock = new TestClock();
  const reader = new SnapshotReader(new MemorySource(objects), { clock });
  return testApp({ reader, clock, log: (line) => assert.fail(line) }).app;
}

Deno.test("compareName() ignores differences of form, and calls small ones close", () => {
  const filed = { legal_name: "GENERAL TRANSPORT INC", dba_name: "J & R HAULING" };
  const cases: [given: string, result: MatchResult][] = [
    ["General Transport, Inc.", "match"],
    ["GENERAL TRANSPORT", "match"],
    ["General-Transport Incorporated", "match"],
    ["GeneralTransport", "match"],
    ["J and R Hauling", "match"],
    ["J&R Hauling LLC", "match"],
    ["General Transport LLC", "close"],
    ["Genral Transport", "close"],
    ["Transport General", "close"],
    ["General Transport of Ohio", "close"],
    ["General Freight", "different"],
    ["General", "different"],
    ["Blue River Trucking", "different"],
    ["", "unknown"],
    ["?!", "unknown"],
  ];
  for (const [given, result] of cases) assert.equal(compareName(given, filed), result, given);
  assert.equal(compareName("x", { legal_name: "", dba_name: null }), "unknown");
  const one = { legal_name: "ROUTE 1 TRANSPORT" };
  assert.equal(compareName("=1+1", one), "different", "one word twice is not several words");
});

Deno.test("compareName() matches every name with itself, and takes anything", () => {
  fc.assert(fc.property(fc.string({ unit: ANY_UNIT }), fc.string({ unit: ANY_UNIT }), (a, b) => {
    const result = compareName(a, { legal_name: a, dba_name: b });
    assert.ok(result === "match" || !/[a-z0-9]/i.test(a), result);
    compareName(a, { legal_name: b, dba_name: null });
  }));
});

Deno.test("GET /api/v1/match says how each field compares", async () => {
  const service = app();
  const match = async (query: string) => {
    const { status, body } = await call(service, `/api/v1/match?${query}`);
    return { status, body };
  };
  const results = async (query: string) => {
    const { body } = await match(query);
    const fields = body.carriers[0].fields as { field: string; result: string }[];
    return [body.result, ...fields.map(({ field, result }) => `${field} ${result}`)];
  };
  const name = "name=General+Transport";
  assert.deepEqual(await results(`dot=286764&${name}&city=akron&state=Ohio`), [
    "match",
    "name match",
    "city match",
    "state match",
  ]);
  assert.deepEqual(await results(`dot=286764&${name}&city=Dallas`), [
    "different",
    "name match",
    "city different",
  ]);
  assert.deepEqual(await results(`dot=286764&${name}&city=Akronn`), [
    "close",
    "name match",
    "city close",
  ]);
  assert.deepEqual(await results("dot=295017&city=Saint+Louis"), ["match", "city match"]);
  assert.deepEqual(await results("dot=286764&mc=143229"), ["unknown", "mc unknown"]);
  // Nothing to compare with, on either side.
  assert.deepEqual(await results("dot=286764"), ["unknown"]);
  assert.deepEqual(await results(`dot=300000&${name}`), ["unknown", "name unknown"]);
});

Deno.test("GET /api/v1/match compares every holder of a docket, the best first", async () => {
  const service = app();
  for (const mc of ["143229", "MC-143229", "mc%20143229", "00143229"]) {
    const { body } = await call(service, `/api/v1/match?mc=${mc}&name=Blue+River+Trucking+LLC`);
    assert.equal(body.result, "match");
    const each = body.carriers.map((
      { dot, result }: { dot: string; result: string },
    ) => [dot, result]);
    assert.deepEqual(each, [["295018", "match"], ["295017", "match"]]);
  }
  const { body } = await call(service, "/api/v1/match?mc=143229&name=J+and+R+Hauling");
  assert.deepEqual(body.carriers.map(({ result }: { result: string }) => result), [
    "match",
    "different",
  ]);
});

Deno.test("GET /api/v1/match refuses invalid input and answers 404 for an unknown number", async () => {
  const service = app();
  const cases: [query: string, status: number, code: string][] = [
    ["name=x", 400, "invalid_dot_number"],
    ["dot=12A", 400, "invalid_dot_number"],
    ["mc=MC-0", 400, "invalid_mc_number"],
    ["mc=AB12", 400, "invalid_mc_number"],
    [`dot=286764&name=${"x".repeat(201)}`, 400, "invalid_query"],
    ["dot=286764&name=a&name=b", 400, "invalid_query"],
    ["dot=999", 404, "not_found"],
    ["mc=999", 404, "not_found"],
    ["mc=FF-143229", 404, "not_found"],
  ];
  for (const [query, status, code] of cases) {
    const answer = await call(service, `/api/v1/match?${query}`);
    assert.deepEqual([answer.status, answer.body.error.code], [status, code], query);
  }
});

Deno.test("splitPlace() parts a place from a name", () => {
  const cases: [string, ReturnType<typeof splitPlace>][] = [
    ["General Transport in Akron, OH", { name: "General Transport", city: "Akron", state: "OH" }],
    ["General Transport, Akron Ohio", { name: "General Transport", city: "Akron", state: "Ohio" }],
    ["Blue River of New York", { name: "Blue River", state: "New York" }],
    ["General Transport, Inc.", { name: "General Transport, Inc." }],
    ["in Akron", { name: "", city: "Akron" }],
    ["General Transport", { name: "General Transport" }],
  ];
  for (const [text, parts] of cases) assert.deepEqual(splitPlace(text), parts);
});

Deno.test("matched() compares a phone and a ZIP code without showing what is filed", () => {
  const carrier = toCarrier({
    dot: 1,
    legal_name: "EXAMPLE LLC",
    status: "A",
    phone: "3305550123",
    zip: "44306-3754",
  }, contextOf("2026-10-05"));
  const results = (given: { phone?: string; zip?: string }): unknown =>
    matched(carrier, given).fields.map(({ result, filed }) => [result, filed]);
  assert.deepEqual(results({ phone: "+1 330.555.0123", zip: "44306" }), [
    ["match", []],
    ["match", []],
  ]);
  assert.deepEqual(results({ phone: "(330) 555-0124", zip: "44307-3754" }), [
    ["different", []],
    ["different", []],
  ]);
  const blank = { ...carrier, phone: null };
  assert.equal(matched(blank, { phone: "3305550123" }).fields[0]!.result, "unknown");
  assert.equal(
    matched(carrier, { phone: "555-0123" }).fields[0]!.result,
    "unknown",
    "no area code",
  );
});
