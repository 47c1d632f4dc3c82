import assert from "node:assert/strict";
import { splitPlace } from "../../../api/operations/match.ts";
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
