import assert from "node:assert/strict";
import { matched, splitPlace } from "../../../api/operations/match.ts";
import type { Carrier } from "../../../api/rules/schemas.ts";
import { STATE_NAMES } from "../../../pipeline/search/query/query.ts";

// "Montana" was different from MT, which a city's name has for Mount.
Deno.test("matched() takes a state for its two letters, written out or not", () => {
  for (const [letters, name] of STATE_NAMES) {
    const carrier = { state: letters.toUpperCase(), city: "AKRON" } as Carrier;
    for (const given of [name, name.toUpperCase(), letters, `${letters.toUpperCase()}.`]) {
      assert.equal(matched(carrier, { state: given }).result, "match", given);
    }
    assert.equal(matched(carrier, { state: letters === "oh" ? "Iowa" : "OH" }).result, "different");
  }
});

Deno.test("splitPlace() separates a place from a name", () => {
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
