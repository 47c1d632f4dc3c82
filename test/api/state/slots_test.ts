import assert from "node:assert/strict";
import fc from "fast-check";
import { Slots } from "../../../api/state/slots.ts";

const LIMITS = { total: 3, perClient: 2, waiting: 4, waitingPerClient: 3, patienceMs: 1_000 };

/** Slots with timers that a test fires. */
function slotsOf(limits = LIMITS) {
  const timers = new Set<() => void>();
  const measures = new Set<() => void>();
  const slots = new Slots(limits, (ms, then) => {
    const all = ms === limits.patienceMs ? timers : measures;
    all.add(then);
    return () => void all.delete(then);
  });
  /** Measures the clients that have slots. If the slowest one is too slow, it loses its slot to a waiting client. */
  function measure(): void {
    for (const then of [...measures]) {
      measures.delete(then);
      then();
    }
  }
  return { slots, timers, measures, measure };
}

Deno.test("Slots never exceeds its total and per-client limits, and nobody waits while a slot is free", async () => {
  const step = fc.oneof(
    fc.constantFrom("a", "b", "c").map((client) => ({ take: client })),
    fc.nat(5).map((give) => ({ give })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: "max" }), async (steps) => {
      const { slots } = slotsOf({ ...LIMITS, waiting: 1_000, waitingPerClient: 1_000 });
      const taken: { client: string; give: () => void }[] = [];
      const waiting: string[] = [];
      for (const step of steps) {
        if ("take" in step) {
          const client = step.take;
          waiting.push(client);
          void slots.take(client).then(({ release: give }) => {
            waiting.splice(waiting.indexOf(client), 1);
            taken.push({ client, give });
          });
        } else {
          const [first] = taken.splice(step.give % (taken.length || 1), 1);
          first?.give();
          // A second release has no effect.
          first?.give();
        }
        for (let i = 0; i < 5; i++) await Promise.resolve();
        const own = (client: string): number => taken.filter((one) => one.client === client).length;
        assert.ok(taken.length <= LIMITS.total);
        for (const client of ["a", "b", "c"]) assert.ok(own(client) <= LIMITS.perClient);
        const free = (client: string): boolean =>
          taken.length < LIMITS.total && own(client) < LIMITS.perClient;
        assert.ok(!waiting.some(free));
      }
    }),
  );
});

Deno.test("Slots refuses a client behind too many waiting ones, and one that has waited too long", async () => {
  const { slots, timers, measures } = slotsOf();
  const taken = [await slots.take("a"), await slots.take("a"), await slots.take("b")];
  const busy = { code: "upstream_unavailable", retryAfter: 5 };
  const waiting = [slots.take("a"), slots.take("a"), slots.take("a")];
  await assert.rejects(slots.take("a"), busy);
  const last = slots.take("c");
  await assert.rejects(slots.take("d"), busy);
  const [first] = timers;
  timers.delete(first!);
  first!();
  await assert.rejects(waiting[0]!, busy);
  taken[2]!.release();
  (await last).release();
  taken[0]!.release();
  (await waiting[1]!).release();
  (await waiting[2]!).release();
  assert.deepEqual([timers.size, measures.size], [0, 0]);
});

const KIB = 1024;

Deno.test("Slots takes the slowest client's slot for a waiting one, but not from a fast client or one that waits for us", async () => {
  const { slots, measure } = slotsOf({ ...LIMITS, total: 4, perClient: 1 });
  const lost: string[] = [];
  const take = (name: string) => slots.take(name, () => void lost.push(name));
  const [slow, stalled, fast, ours] = [
    await take("slow"),
    await take("stalled"),
    await take("fast"),
    await take("ours"),
  ];
  for (const slot of [stalled, slow, fast]) slot.waits();
  ours.moved(0);
  const move = (): void => {
    for (const [slot, bytes] of [[slow, 10 * KIB], [fast, 64 * KIB]] as const) {
      slot.moved(bytes);
      slot.waits();
    }
  };
  const first = take("first");
  move();
  measure();
  await first;
  assert.deepEqual(lost, ["stalled"]);
  stalled.release();
  const others = [take("second"), take("third")];
  move();
  measure();
  await others[0];
  assert.deepEqual(lost, ["stalled", "slow"]);
  // Nobody else loses a slot: "fast" is fast enough, "ours" waits for the service, and "first" and "second" have
  // not been waiting for their clients.
  move();
  measure();
  assert.deepEqual(lost, ["stalled", "slow"]);
  fast.release();
  await others[1];
});

Deno.test("Slots ends a client's slow work when that client wants another slot, and counts a /56 as one client", async () => {
  const { slots, measure } = slotsOf({ ...LIMITS, total: 9, perClient: 1 });
  const lost: string[] = [];
  const take = async (name: string) => {
    const slot = await slots.take(name, () => void lost.push(name));
    slot.waits();
  };
  await take("192.0.2.1");
  await take("2001:db8:1:200::/64");
  await take("2001:db8:1:300::/64");
  const more = take("2001:db8:1:2ff::/64");
  measure();
  await more;
  assert.deepEqual(lost, ["2001:db8:1:200::/64"]);
  // Another client's slot would not help one that has its maximum and is fast.
  const fast = await slots.take("198.51.100.2", () => void lost.push("fast"));
  const again = slots.take("198.51.100.2");
  fast.moved(64 * KIB);
  fast.waits();
  measure();
  assert.equal(lost.length, 1);
  fast.release();
  await again;
});

Deno.test("Slots takes no slot from a client that got it after the measurement began", async () => {
  const { slots, measure } = slotsOf({ ...LIMITS, total: 2, perClient: 1 });
  const lost: string[] = [];
  const take = (name: string) => slots.take(name, () => void lost.push(name));
  const [fast, brief] = [await take("fast"), await take("brief")];
  const [next, last] = [take("next"), take("last")];
  brief.release();
  (await next).waits();
  fast.moved(64 * KIB);
  fast.waits();
  measure();
  assert.deepEqual(lost, []);
  measure();
  await last;
  assert.deepEqual(lost, ["fast"]);
});

Deno.test("as many clients start as slots become free at one time", async () => {
  const { slots, measure } = slotsOf();
  const names = ["a", "b", "c"];
  const taken = await Promise.all(names.map((name) => slots.take(name)));
  const waiting = ["d", "e"].map((name) => slots.take(name, () => {}));
  for (const slot of taken.slice(1)) slot.release();
  for (const slot of await Promise.all(waiting)) slot.waits();
  const others = ["f", "g"].map((name) => slots.take(name));
  measure();
  await Promise.all(others);
});
