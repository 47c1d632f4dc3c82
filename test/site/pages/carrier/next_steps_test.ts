import assert from "node:assert/strict";
import fc from "fast-check";
import { toCarrier } from "../../../../api/rules/carrier.ts";
import { CHECK_IDS } from "../../../../api/rules/schemas.ts";
import { NEXT_STEPS } from "../../../../site/pages/carrier/next_steps.ts";
import { anyDay, anyRecord, contextOf } from "../../../api/rules/arbitrary.ts";

Deno.test("NEXT_STEPS has what to do for every verdict that a check gives, and for no other", () => {
  const given = new Set<string>();
  fc.assert(
    fc.property(anyRecord(), anyDay(), (record, today) => {
      for (const { id, state } of toCarrier(record, contextOf(today)).checks) {
        given.add(`${id} ${state}`);
        assert.ok(NEXT_STEPS[id][state], `${id} ${state}`);
      }
    }),
    { numRuns: 1000, seed: 1 },
  );
  const written = CHECK_IDS.flatMap((id) =>
    Object.keys(NEXT_STEPS[id]).map((state) => `${id} ${state}`)
  );
  assert.deepEqual(written.toSorted(), [...given].toSorted());
});
