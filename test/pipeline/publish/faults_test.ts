/** Publishing through an S3 server that fails by seed, or becomes unreachable at any request. */

import assert from "node:assert/strict";
import { publish } from "../../../pipeline/publish/publish.ts";
import { rollback } from "../../../pipeline/publish/rollback.ts";
import { httpSource } from "../../../pipeline/snapshot/sources/http_source.ts";
import { seedsOf } from "../../fuzz.ts";
import { mix } from "../../../pipeline/mix.ts";
import { NEVER_LATE } from "../snapshot/memory.ts";
import { BUCKET, FAULTS, serveS3 } from "./s3_server.ts";
import {
  bucketStore,
  builtContent,
  contentOf,
  MovedClock,
  options,
  pollWhole,
  published,
  twoDays,
} from "./world.ts";

const SEEDS = 10;

Deno.test("publish() and rollback() through faults of 10 seeds end with the same objects, and readers see complete snapshots", async () => {
  const days = await twoDays("small");
  for (const seed of seedsOf(SEEDS)) {
    await using server = serveS3({ pageSize: 2 });
    const store = bucketStore(server, { tries: 12 });
    const clock = new MovedClock();
    // One request in three fails, each in its own way. A list may have to be read again from its middle.
    server.way.fault = ({ n }) => {
      const draw = mix(seed, n, 1);
      return draw % 3 === 0 ? FAULTS[Math.floor(draw / 3) % FAULTS.length]! : null;
    };
    await publish(days.first.source, store, options({ clock }));
    const poll = pollWhole(
      httpSource(`${server.url}/${BUCKET}`, { fetch, after: NEVER_LATE }),
      days,
    );
    const { pointer } = await publish(days.second.source, store, options({ clock }));
    assert.equal(pointer.sequence, 2, `seed ${seed}`);
    const back = await rollback(store, { clock, owner: "a test" });
    assert.equal(back.sequence, 3, `seed ${seed}`);
    await poll.stop();
    const expected = builtContent(days.first, days.second);
    assert.deepEqual(await contentOf(store), expected, `seed ${seed}`);
  }
});

// To the store, a killed publisher looks like one without a network.
Deno.test("when publish() loses the store after any write, readers see complete snapshots and the next publish() resumes", async () => {
  await using at = await published(1, "small");
  const { days, server } = at;
  const before = new Map(server.objects);
  const source = httpSource(`${server.url}/${BUCKET}`, { fetch, after: NEVER_LATE });
  let moved = 0;
  let isLost = true;
  let writes = 0;
  for (; isLost; writes++) {
    server.objects.clear();
    for (const [key, stored] of before) server.objects.set(key, stored);
    isLost = false;
    let left = writes;
    server.way.fault = ({ method }) => {
      if (method !== "GET" && left-- === 0) isLost = true;
      return isLost ? "500" : null;
    };
    const poll = pollWhole(source, days);
    const clock = new MovedClock();
    const withoutRetries = bucketStore(server, { tries: 1 });
    const isDone = await publish(days.second.source, withoutRetries, options({ clock }))
      .then(() => true, (error: Error) => {
        assert.match(error.message, /s3:\/\/carriers\/.*status 500 InternalError/);
        return false;
      });
    server.way.fault = () => null;
    if (at.pointer().snapshot === days.second.id) moved++;
    else assert.ok(!isDone);
    clock.ahead = 61_000; // Past the lost publisher's lease
    const { pointer } = await publish(days.second.source, at.store, options({ clock }));
    assert.deepEqual([pointer.snapshot, pointer.sequence], [days.second.id, 2], `${writes}`);
    assert.deepEqual(await contentOf(at.store), builtContent(days.first, days.second));
    await poll.stop();
    assert.ok(poll.seen.length <= 2, poll.seen.join());
  }
  // A run for each write (lease, tests of two conditions, objects, pointer, release of the lease), and one without
  // a fault.
  assert.deepEqual([writes, moved], [builtContent(days.second).size + 6, 2]);
});
