import assert from "node:assert/strict";
import { Outbox } from "../../api/outbox.ts";
import { VirtualTime } from "../pipeline/virtual_time.ts";

function setUp(most?: number) {
  const time = new VirtualTime();
  const written: string[] = [];
  let taken: Promise<void> = Promise.resolve();
  const outbox = new Outbox({
    async write(text) {
      await taken;
      written.push(text);
    },
    after: time.after,
    dropped: (lines) => `${lines} dropped`,
    ...(most === undefined ? {} : { most }),
  });
  return {
    time,
    written,
    outbox,
    /** What is written now is taken when the promise says so. */
    stall(until: Promise<void>) {
      taken = until;
    },
  };
}

Deno.test("Outbox gathers lines and writes them together, in order", async () => {
  const { time, written, outbox } = setUp();
  outbox.push("a");
  outbox.push("b");
  time.after(50, () => outbox.push("c"));
  time.after(150, () => outbox.push("d"));
  await time.run();
  assert.deepEqual(written, ["a\nb\nc\n", "d\n"]);
  assert.equal(time.waiting, 0);
});

Deno.test("Outbox never waits for its reader: it drops what finds no room, and says so", async () => {
  const { time, written, outbox, stall } = setUp(10);
  const reader = Promise.withResolvers<void>();
  stall(reader.promise);
  outbox.push("12345");
  await time.run();
  for (const line of ["6789", "too long now", "too", "x"]) outbox.push(line);
  await time.run();
  assert.deepEqual(written, []);
  reader.resolve();
  await time.run();
  assert.deepEqual(written, ["12345\n", "6789\nx\n2 dropped\n"]);
  outbox.push("1234567890");
  await time.run();
  assert.equal(written[2], "1234567890\n", "there is room again");
});

Deno.test("Outbox goes on after a write that failed", async () => {
  const { time, written, outbox, stall } = setUp();
  const reader = Promise.withResolvers<void>();
  stall(reader.promise);
  outbox.push("a");
  await time.run();
  reader.reject(new Error("nobody reads"));
  await time.run();
  stall(Promise.resolve());
  outbox.push("b");
  await time.run();
  assert.deepEqual(written, ["b\n"]);
});

Deno.test("Outbox.flush() writes everything, also what comes while it writes", async () => {
  const { time, written, outbox, stall } = setUp();
  const reader = Promise.withResolvers<void>();
  stall(reader.promise);
  outbox.push("a");
  await time.run();
  outbox.push("b");
  const flushed = outbox.flush();
  reader.resolve();
  await flushed;
  assert.deepEqual(written, ["a\n", "b\n"]);
  await outbox.flush();
  assert.equal(written.length, 2);
  assert.equal(time.waiting, 0);
});
