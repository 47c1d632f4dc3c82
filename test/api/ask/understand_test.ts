import assert from "node:assert/strict";
import fc from "fast-check";
import { print } from "../../../pipeline/out.ts";
import { understand } from "../../../api/ask/understand.ts";
import { MAX_CARRIERS, MAX_QUESTION } from "../../../api/ask/understanding.ts";
import { KEYWORDS } from "../../../api/ask/vocabulary.ts";
import { compact } from "./compact.ts";
import { HELD, type Phrasing, TUNED } from "./phrasings.ts";

const words = fc.oneof(
  fc.constantFrom(...KEYWORDS),
  fc.constantFrom("286764", "0", "123456789", "2026", "12", "1,234", "and", '"', "MC-", "a dozen"),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const question = fc.oneof(
  fc.array(words, { maxLength: 60 }).map((list) => list.join(" ")),
  fc.string({ unit: "binary", maxLength: 2000 }),
);

Deno.test("understand() reads every tuned phrasing as the table says", () => {
  const wrong = TUNED.filter((phrasing) => read(phrasing) !== phrasing.expected)
    .map((phrasing) => ({ ...phrasing, read: read(phrasing) }));
  assert.deepEqual(wrong, []);
  assert.ok(TUNED.length + HELD.length >= 240);
});

Deno.test("understand() reads most of the phrasings held back, which are only scored", () => {
  const right = HELD.filter((phrasing) => read(phrasing) === phrasing.expected).length;
  print(`held-back phrasings understood: ${right} of ${HELD.length}`);
  // Measured 0.96 before anything was tuned; which ones fail is not told, so that none is tuned on.
  assert.ok(right / HELD.length >= 0.9);
});

Deno.test("understand() takes anything, says what it understood, and in bounds", () => {
  fc.assert(fc.property(question, fc.array(question, { maxLength: 10 }), (query, prev) => {
    const understanding = understand(query, prev);
    const { slots, understood, outcome } = understanding;
    assert.ok(understood.length > 0);
    assert.ok(understood.length <= 3 * MAX_QUESTION, understood);
    assert.ok(slots.carriers.length <= MAX_QUESTION);
    if (outcome === "clear") assert.ok(slots.carriers.length <= MAX_CARRIERS);
    for (const ref of slots.carriers) {
      if (ref.by === "name") assert.ok(ref.name.length <= 200);
      else assert.ok(ref.number >= 1 && ref.number <= 99_999_999);
    }
    assert.ok((slots.query ?? "").length <= 200);
    assert.ok(Number.isSafeInteger(slots.vehicles ?? 0) && (slots.vehicles ?? 0) >= 0);
    assert.deepEqual(understand(query, prev), understanding);
  }));
});

Deno.test("understand() gives what is to be done all it needs", () => {
  fc.assert(
    fc.property(question, fc.array(question, { maxLength: 3 }), (query, prev) => {
      const understanding = understand(query, prev);
      if (understanding.outcome !== "clear") return;
      const { intent, slots } = understanding;
      if (intent === "search") assert.ok(slots.query !== undefined);
      else if (intent === "ucr_fee") assert.ok(slots.vehicles !== undefined);
      else assert.ok(slots.carriers.length >= (intent === "compare" ? 2 : 1), intent);
      if (intent === "check") assert.ok(slots.topics.length > 0);
    }),
    { numRuns: 500 },
  );
});

Deno.test("understand() keeps up to twenty numbers in their order and refuses more", () => {
  const numbers = Array.from({ length: 21 }, (_, i) => 100_000 + 7 * i);
  const twenty = understand(`check ${numbers.slice(0, 20).join(", ")}`);
  assert.equal(
    compact(twenty),
    `lookup ${numbers.slice(0, 20).map((dot) => `dot:${dot}`).join(" ")}`,
  );
  assert.equal(understand(`check ${numbers.join(", ")}`).outcome, "too_many");
});

Deno.test("understand() leaves the spelling of names alone", () => {
  // One letter from keywords: carrier, rating, driver.
  for (const name of ["Cartier Trucking", "Ratint Hauling", "Driven Freight"]) {
    assert.equal(
      compact(understand(`is ${name} active`)),
      `check name:"${name.toLowerCase()}" status=active`,
    );
  }
});

Deno.test("understand() takes an option of its own question back as the answer to it", () => {
  const option = "BLUE RIVER TRUCKING INC, AKRON OH (USDOT 295018)";
  assert.equal(
    compact(understand(option, ["is blue river trucking active"])),
    "check dot:295018 status=active",
  );
});

function read({ query, prev }: Phrasing): string {
  return compact(understand(query, prev));
}
