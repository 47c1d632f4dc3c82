import assert from "node:assert/strict";
import fc from "fast-check";
import { matched, splitPlace } from "../../../api/operations/match.ts";
import { toCarrier } from "../../../api/rules/carrier.ts";
import { compareName, type MatchResult } from "../../../pipeline/search/shared/name_match.ts";
import { ANY_UNIT } from "../../any_unit.ts";
import { contextOf } from "../rules/arbitrary.ts";

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

Deno.test("matched() says how each field compares, and of phone and ZIP code not what is filed", () => {
  const carrier = toCarrier({
    dot: 1,
    legal_name: "GENERAL TRANSPORT INC",
    status: "A",
    city: "ST. LOUIS",
    state: "OH",
    phone: "3305550123",
    zip: "44306-3754",
    dockets: [{ prefix: "MC", number: 186800 }],
  }, contextOf("2026-10-05"));
  const blank = toCarrier({ dot: 2, legal_name: "", status: "A" }, contextOf("2026-10-05"));
  const name = "General Transport";
  const cases: [given: Parameters<typeof matched>[1], result: MatchResult, fields: string][] = [
    [{ name, city: "saint louis", state: "Ohio" }, "match", "name match, city match, state match"],
    [{ name, city: "Dallas" }, "different", "name match, city different"],
    [{ name: "Genral Transport", city: "Saint Loui" }, "close", "name close, city close"],
    [{ state: "OK", city: "?" }, "different", "city unknown, state different"],
    [{ name, city: "?" }, "unknown", "name match, city unknown"],
    [{ mc: "MC 186800" }, "match", "mc match"],
    [{ mc: "MC 1" }, "different", "mc different"],
    [{ phone: "+1 330.555.0123", zip: "44306" }, "match", "phone match, zip match"],
    [{ phone: "(330) 555-0124" }, "different", "phone different"],
    [{ zip: "44307-3754" }, "different", "zip different"],
    // No area code.
    [{ phone: "555-0123" }, "unknown", "phone unknown"],
    [{ name: " ", city: "", state: " ", phone: "", zip: "" }, "unknown", ""],
  ];
  for (const [given, result, wanted] of cases) {
    const answer = matched(carrier, given);
    const fields = answer.fields.map(({ field, result }) => `${field} ${result}`).join(", ");
    assert.deepEqual([answer.result, fields], [result, wanted], JSON.stringify(given));
    for (const { field, filed } of answer.fields) {
      assert.equal(filed.length, field === "phone" || field === "zip" ? 0 : 1, field);
    }
    const unknown = matched(blank, given);
    assert.equal(unknown.result, "unknown");
    assert.deepEqual(unknown.fields.flatMap(({ filed }) => filed), []);
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
