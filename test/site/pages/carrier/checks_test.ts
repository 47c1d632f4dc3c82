import fc from "fast-check";
import assert from "node:assert/strict";
import { toCarrier } from "../../../../api/rules/carrier.ts";
import { nextStep } from "../../../../site/pages/carrier/checks.tsx";
import { anyDay, anyRecord, contextOf } from "../../../api/rules/arbitrary.ts";

Deno.test("nextStep() says what to do about every finding, and never points to missing data", () => {
  fc.assert(
    fc.property(anyRecord(), anyDay(), (record, today) => {
      const carrier = toCarrier(record, contextOf(today));
      for (const check of carrier.checks) {
        const next = nextStep(carrier, check);
        if (check.state === "warn" || check.state === "bad") assert.ok(next, check.id);
        if (carrier.inspections_24m === null) {
          assert.doesNotMatch(next?.text ?? "", /roadside inspections/);
        }
      }
    }),
    { numRuns: 1000 },
  );
});
