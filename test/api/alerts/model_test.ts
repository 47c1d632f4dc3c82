import assert from "node:assert/strict";
import fc from "fast-check";
import { ALERT_KINDS } from "../../../api/alerts/kinds.ts";
import type { Sent } from "../../../api/alerts/smtp_mailer.ts";
import { assertSteps, step as anyStep } from "../../steps.ts";
import { KV_FAULTS } from "../state/fake_kv.ts";
import { ADDRESSES, DOTS, LABELS, Model, PROCESSES } from "./model.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./world.ts";

function step<A extends unknown[]>(
  name: string,
  values: fc.Arbitrary<A>,
  run: (model: Model, ...values: A) => unknown,
) {
  return anyStep<Model, A>(name, values, async (model, ...values) => {
    await run(model, ...values);
    model.check();
  });
}

const which = fc.nat(PROCESSES - 1);
const dots = fc.uniqueArray(fc.constantFrom(...DOTS), { minLength: 1 });
const outcome = fc.constantFrom<Sent["outcome"]>(
  "sent",
  "sent",
  "sent",
  "later",
  "down",
  "unknown",
);
const STEPS = [
  step(
    "signUp",
    fc.tuple(
      fc.constantFrom(...ADDRESSES),
      dots,
      fc.option(fc.subarray([...ALERT_KINDS], { minLength: 1 }), { nil: undefined }),
    ),
    (model, ...wish) => model.signUp(...wish),
  ),
  step("confirmAll", fc.constant([]), (model) => model.confirmAll()),
  step("unsubscribe", fc.tuple(fc.nat(5)), (model, n) => model.unsubscribe(n)),
  step(
    "change",
    fc.tuple(fc.constantFrom(...DOTS), fc.constantFrom(...LABELS)),
    (model, ...what) => model.change(...what),
  ),
  step(
    "step",
    fc.tuple(which, fc.integer({ min: 1, max: 60 }), fc.option(fc.constantFrom(...KV_FAULTS))),
    (model, ...how) => model.step(...how),
  ),
  step("kill", fc.tuple(which), (model, at) => model.kill(at)),
  step("stop", fc.tuple(which), (model, at) => model.stop(at)),
  step(
    "advance",
    fc.tuple(fc.constantFrom(MINUTE_MS, 6 * MINUTE_MS, HOUR_MS, DAY_MS)),
    (model, ms) => model.world.clock.advance(ms),
  ),
  step("evening", fc.constant([]), (model) => model.evening()),
  step("server", fc.tuple(fc.array(outcome, { minLength: 1, maxLength: 4 })), (model, outcomes) => {
    model.world.server.outcome = (_, attempt) => outcomes[attempt % outcomes.length]!;
  }),
];

Deno.test("alerts match the model through crashes, races, lost leases and mail server failures", async () => {
  let changes = 0;
  await assertSteps(STEPS, {
    world: () => new Model().begin(),
    async end(model) {
      await model.end();
      changes += model.checkNews();
    },
    numRuns: 60,
  });
  assert.ok(changes > 5, `only ${changes} changes were mailed`);
});

/** Regression: sequences of steps on which the model once failed. */
const FOUND: Record<string, (model: Model) => Promise<void>> = {
  async "an alert that reaches the server a day after its claim"(model) {
    model.change(1005);
    await model.step(0, 18, null);
    model.change(1005);
    await model.step(0, 1, null);
  },
  async "an alert that reaches the server after a failed call of the store and a day"(model) {
    model.change(1015);
    await model.step(0, 14, "error");
    model.change(1005);
    await model.step(0, 24, "error");
    model.change(1015);
    model.kill(1);
  },
  async "a subscription that ends and starts again on the day of its alert"(model) {
    model.change(2005);
    await model.signUp("a@b.co", [2005, 1005]);
    model.world.clock.advance(MINUTE_MS);
    await model.unsubscribe(2);
    model.kill(0);
    await model.stop(0);
    model.world.clock.advance(2 * MINUTE_MS);
    await model.confirmAll();
    model.change(2005);
    await model.signUp("a@b.co", [1005]);
  },
};

for (const [name, run] of Object.entries(FOUND)) {
  Deno.test(`alerts match the model: ${name}`, async () => {
    const model = await new Model().begin();
    await run(model);
    await model.end();
    model.checkNews();
  });
}
