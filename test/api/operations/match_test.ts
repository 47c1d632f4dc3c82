import assert from "node:assert/strict";
import fc from "fast-check";
import { splitPlace } from "../../../api/operations/match.ts";
import { compareName, type MatchResult } from "../../../pipeline/company_name.ts";
import { ANY_UNIT } from "../../any_unit.ts";

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
