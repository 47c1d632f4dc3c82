import assert from "node:assert/strict";
import { call as callA2a, message, MessageResult } from "../a2a/service.ts";
import { outcomeOf } from "./phrasings.ts";
import { withAsk } from "./service.ts";

/** Carriers in carriers.txt whose names are unambiguous. */
const NAMES = [
  ["General Transport", 286764],
  ["Lone Star Hauling", 610006],
  ["5 Star Trucking", 610007],
  ["Sunset Logistics", 610008],
  ["Safe Way Express", 610010],
  ["Blue Bird Body Company", 610003],
  ["Old Timer Cartage", 1896],
  ["Alone Hauling", 21800],
  ["Eagle Construction", 610001],
  ["Active Transport", 610004],
  ["First Insurance Hauling", 610005],
  ["J & R Schugel Trucking", 610009],
] as const;

/** The i-th name, cyclic. */
const at = (i: number) => NAMES[i % NAMES.length]!;

Deno.test("an existing carrier is found after up to eight earlier questions, comparisons among them", async () => {
  await withAsk(async (call, deps) => {
    for (let i = 0; i < NAMES.length; i++) {
      for (const length of [1, 2, 4, 8]) {
        const prev = Array.from(
          { length },
          (_, n) =>
            n % 3 === 2
              ? `status of ${at(i + n)[0]}, ${at(i + n + 1)[0]} and ${at(i + n + 2)[0]}`
              : `compare ${at(i + 2 * n)[0]} and ${at(i + 2 * n + 1)[0]}`,
        );
        const [name, dot] = at(i + 5);
        const query = `is ${name} active`;
        assert.equal(outcomeOf(await call({ query, context: { prev } })), `status #${dot}`, query);
        if (length < 8) continue;
        const { body } = await callA2a(deps, "SendMessage", {
          message: message(query, { metadata: { prev } }),
        });
        assert.doesNotMatch(
          JSON.stringify(MessageResult.parse(body.result)),
          /Cannot find|Did not/,
        );
      }
    }
  });
});

Deno.test("a list is answered name by name; a name that was not searched is not called missing", async () => {
  await withAsk(async (call) => {
    const outcome = async (query: string) => outcomeOf(await call({ query }));
    const all = NAMES.map(([name]) => name);
    const dots = NAMES.map(([, dot]) => `#${dot}`).join(" ");
    assert.equal(
      await outcome(`status of ${all.join(", ").replace(/, (?!.*,)/, " and ")}`),
      `status ${dots}`,
    );
    assert.equal(
      await outcome("status of General Transport, Purple Mule and Lone Star Hauling"),
      "status #286764 #610006 missing",
    );
    const more = Array.from(
      { length: 18 },
      (_, i) => `Purple Mule Freight ${"ABCDEFGHIJKLMNOPQR"[i]}`,
    );
    const { body } = await call({ query: `status of ${more.join(", ")} and General Transport` });
    const texts = body.results.map(({ text = "" }) => text).join(" ");
    assert.match(texts, /Did not search for "Purple Mule Freight R"/);
    assert.doesNotMatch(texts, /Cannot find "Purple Mule Freight R"/);
  });
});

Deno.test("a question that isn't understood after one about a carrier gets its record, and says so", async () => {
  await withAsk(async (call) => {
    for (const earlier of ["286764", "MC 186800", "general transport"]) {
      for (const query of ["how is the purple", "is it blub or zork"]) {
        const { body } = await call({ query, prev: [earlier] });
        const [{ identifier, description }] = body.results;
        assert.equal(identifier, "USDOT 286764", query);
        assert.match(description, /^I (?:don't understand all of that|did not use "blub")/);
        assert.match(description, /Not shown here: insurance, .* Also on file: /);
      }
    }
    const { body } = await call({ query: "how is the purple" });
    assert.equal(body.elicitation.questions[0].options, undefined);
  });
});
