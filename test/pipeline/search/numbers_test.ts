import assert from "node:assert/strict";
import { numberIntents } from "../../../pipeline/search/query/query.ts";

Deno.test("numberIntents() reads numbers as people write them", () => {
  const table: [string, string][] = [
    ["286764", "USDOT286764 MC286764"],
    ["00286764", "USDOT286764 MC286764"],
    ["usdot 286764", "USDOT286764"],
    ["USDOT# 286764", "USDOT286764"],
    ["US DOT: 286764", "USDOT286764"],
    ["MC 186800", "MC186800"],
    ["mc-186800", "MC186800"],
    ["MC#00186800", "MC186800"],
    ["ff 77", "FF77"],
    ["0", ""],
    ["123456789", ""],
    ["7 eleven", ""],
    ["mc donald", ""],
  ];
  for (const [query, expected] of table) {
    const intents = numberIntents(query).map(({ prefix, number }) => prefix + number);
    assert.equal(intents.join(" "), expected, query);
  }
});
