import assert from "node:assert/strict";
import { Circuit, CircuitOpen } from "../../pipeline/circuit.ts";
import { TestClock } from "./snapshot/memory.ts";

/**
 * A test's steps, and the changes of state that it expects. A step is the outcome of a call (`open`: the call
 * isn't made), or milliseconds by which the clock moves.
 */
const RUNS: [what: string, failures: number, steps: string, changes: string][] = [
  ["counts only consecutive failures", 3, "fail fail ok fail fail ok fail fail fail open", "down"],
  ["stays open after a failed probe", 1, "fail +1000 fail +999 open +1 ok ok", "down up"],
  ["calls immediately after the clock moved backward", 1, "fail -5000 ok", "down up"],
];

for (const [what, failures, steps, changes] of RUNS) {
  Deno.test(`Circuit.run() ${what}`, async () => {
    const clock = new TestClock();
    const changed: string[] = [];
    const onChange = ({ down }: { down: boolean }) => changed.push(down ? "down" : "up");
    const circuit = new Circuit({ clock, failures, openMs: 1_000, onChange });
    for (const [i, step] of steps.split(" ").entries()) {
      if (/^[+-]/.test(step)) {
        clock.advance(Number(step));
        continue;
      }
      const call = () => step === "fail" ? Promise.reject(new Error("broken")) : Promise.resolve();
      const ended = await circuit.run(call)
        .then(() => "ok", (error) => error instanceof CircuitOpen ? "open" : "fail");
      assert.equal(ended, step, `step ${i}`);
    }
    assert.equal(changed.join(" "), changes);
  });
}

Deno.test("Circuit.run() closes when a call that began earlier succeeds late", async () => {
  const circuit = new Circuit({ clock: new TestClock(), failures: 1, openMs: 1_000 });
  const late = Promise.withResolvers<void>();
  const call = circuit.run(() => late.promise);
  await assert.rejects(circuit.run(() => Promise.reject(new Error("broken"))), /broken/);
  late.resolve();
  await call;
  assert.ok(!circuit.down);
});
