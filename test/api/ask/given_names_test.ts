import assert from "node:assert/strict";
import { withAsk } from "./service.ts";

/** Words that an impostor adds to a name, many of them keywords of questions. */
const ADDED =
  ("Brokerage Broker Freight Carrier Cargo Fleet Active Rating Interstate Logistics Leasing Express USA Group " +
    "Holdings Services Solutions Data Insurance Safety Trust Legal Check Overdue Report Truck Drivers Hazmat " +
    "Authority Inspection Review Best Now Texas Sons II 2 Same Compare Find National").split(" ");
const CARRIERS = [
  ["286764", "General Transport"],
  ["610006", "Lone Star Hauling"],
  ["610008", "Sunset Logistics"],
  ["610009", "J & R Schugel Trucking"],
] as const;

Deno.test("a name with an added word never matches, whatever the word means in questions", async () => {
  await withAsk(async (call) => {
    for (const [dot, name] of CARRIERS) {
      const own = await call({ query: `is DOT ${dot} ${name}?` });
      assert.equal(own.body.results[0].match.result, "match", name);
      for (const word of ADDED) {
        for (
          const query of [
            `is DOT ${dot} ${name} ${word}?`,
            `is DOT ${dot} ${name} ${word} LLC?`,
            `is DOT ${dot} ${name.toLowerCase()} ${word.toLowerCase()}?`,
            `does DOT ${dot} belong to ${word} ${name}`,
          ]
        ) {
          const { body } = await call({ query });
          const results = (body.results ?? []).map(({ match }: { match?: { result: string } }) =>
            match?.result
          );
          assert.ok(!results.includes("match"), query);
        }
      }
    }
    const { body } = await call({ query: "is DOT 286764 General Transport Brokerage LLC?" });
    assert.match(body.results[0].description, /'Brokerage' isn't in FMCSA's name/);
  });
});
