import assert from "node:assert/strict";
import { Pacer } from "../../../api/state/pacer.ts";
import { steady, until } from "../../until.ts";

Deno.test("Pacer starts work in order, 64 pieces at a time, and only 8 during foreground requests", async () => {
  const foreground = { open: 0, cameAt: -Infinity };
  const pacer = new Pacer(foreground);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = Array.from({ length: 200 }, (_, n) =>
    pacer.run(() => {
      begun.push(n);
      return new Promise<void>((resolve) => ends.push(resolve));
    }));
  const inFlight = async (most: number): Promise<void> => {
    await until("pieces are in flight", () => ends.length >= most);
    assert.equal(await steady(() => ends.length), most);
  };
  await inFlight(64);
  foreground.open = 1;
  for (const end of ends.splice(0, 10)) end();
  await inFlight(54);
  for (const end of ends.splice(0)) end();
  await inFlight(8);
  foreground.open = 0;
  await until("all have begun", () => {
    for (const end of ends.splice(0)) end();
    return begun.length === 200;
  });
  for (const end of ends.splice(0)) end();
  await Promise.all(work);
  assert.deepEqual(begun, [...begun.keys()]);
});

Deno.test("Pacer runs a single piece, returns its result and rethrows its error", async () => {
  const pacer = new Pacer({ open: 0, cameAt: -Infinity });
  assert.equal(await pacer.run(() => Promise.resolve(7)), 7);
  await assert.rejects(pacer.run(() => Promise.reject(new Error("no"))), /no/);
});
