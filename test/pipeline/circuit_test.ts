import assert from "node:assert/strict";
import { Circuit, CircuitOpen } from "../../pipeline/circuit.ts";
import { TestClock } from "./snapshot/memory.ts";

function setUp(failures: number) {
  const clock = new TestClock();
  const changes: boolean[] = [];
  const circuit = new Circuit({
    clock,
    failures,
    openMs: 1_000,
    onChange: ({ down }) => changes.push(down),
  });
  const fail = (): Promise<void> =>
    circuit.run(() => Promise.reject<void>(new Error("broken"))).catch((error) => {
      assert.ok(!(error instanceof CircuitOpen), "it was called");
    });
  const works = (): Promise<boolean> =>
    circuit.run(() => Promise.resolve(true)).catch((error) => {
      assert.ok(error instanceof CircuitOpen);
      return false;
    });
  return { clock, changes, circuit, fail, works };
}

Deno.test("Circuit.run() counts failures in a row only", async () => {
  const { circuit, fail, works, changes } = setUp(3);
  for (let i = 0; i < 5; i++) {
    await fail();
    await fail();
    assert.ok(await works());
  }
  assert.equal(circuit.down, false);
  for (let i = 0; i < 3; i++) await fail();
  assert.equal(await works(), false);
  assert.deepEqual(changes, [true]);
});

Deno.test("Circuit.run() stays open after a failed probe, and calls at once when the clock was put back", async () => {
  const { clock, fail, works } = setUp(1);
  await fail();
  clock.advance(1_000);
  await fail();
  clock.advance(999);
  assert.equal(await works(), false);
  clock.advance(-5_000);
  assert.ok(await works());
});

Deno.test("Circuit.run() is closed by a late success of a call that was made before", async () => {
  const { circuit, fail, works } = setUp(1);
  const late = Promise.withResolvers<void>();
  const call = circuit.run(() => late.promise);
  await fail();
  late.resolve();
  await call;
  assert.ok(await works());
});
