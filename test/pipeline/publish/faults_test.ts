/**
 * Publishing through an S3 server that fails by seed. A failing seed replays: the faults are a function
 * of the seed and the request's number.
 */

import assert from "node:assert/strict";
import { publish } from "../../../pipeline/publish/publish.ts";
import { rollback } from "../../../pipeline/publish/rollback.ts";
import { httpSource } from "../../../pipeline/snapshot/http_source.ts";
import { mix } from "../../../pipeline/mix.ts";
import { BUCKET, FAULTS, serveS3 } from "./s3_server.ts";
import {
  bucketStore,
  builtContent,
  contentOf,
  MovedClock,
  options,
  pollWhole,
  twoDays,
} from "./world.ts";

const SEEDS = 16;

Deno.test("publish() and rollback() through faults of 16 seeds end as without, and readers see whole snapshots", async () => {
  const days = await twoDays();
  for (let seed = 1; seed <= SEEDS; seed++) {
    await using server = serveS3({ pageSize: 4, isReordered: seed % 2 === 0 });
    const store = bucketStore(server, { tries: 12 });
    const clock = new MovedClock();
    // One request in three fails, each in its way; a list may have to be read again from its middle.
    server.way.fault = ({ n }) => {
      const draw = mix(seed, n, 1);
      return draw % 3 === 0 ? FAULTS[Math.floor(draw / 3) % FAULTS.length]! : null;
    };
    await publish(days.first.source, store, options({ clock }));
    const poll = pollWhole(httpSource(`${server.url}/${BUCKET}`, { fetch }), days);
    const { pointer } = await publish(days.second.source, store, options({ clock }));
    assert.equal(pointer.sequence, 2, `seed ${seed}`);
    const back = await rollback(store, { clock, owner: "a test" });
    assert.equal(back.sequence, 3, `seed ${seed}`);
    await poll.stop();
    assert.deepEqual(
      await contentOf(store),
      builtContent(days.first, days.second),
      `seed ${seed}`,
    );
  }
});

Deno.test("publish() that gives up under faults leaves the pointer, and the next one resumes", async () => {
  const days = await twoDays();
  let failed = 0;
  for (let seed = 1; seed <= 10; seed++) {
    await using server = serveS3();
    const clock = new MovedClock();
    await publish(days.first.source, bucketStore(server), options({ clock }));
    const pointer = server.objects.get("current.json");
    server.way.fault = ({ n, key }) => mix(seed, n, 2) % 4 === 0 && key !== "" ? "500" : null;
    const impatient = bucketStore(server, { tries: 1 });
    const ended = await publish(days.second.source, impatient, options({ clock }))
      .catch((error: Error) => error);
    if (ended instanceof Error) {
      failed++;
      assert.match(ended.message, /s3:\/\/carriers\/.*status 500 InternalError/);
      assert.equal(server.objects.get("current.json"), pointer);
    }
    server.way.fault = () => null;
    clock.ahead += 61_000; // The lease may not have been given back
    await publish(days.second.source, bucketStore(server), options({ clock }));
    assert.deepEqual(
      await contentOf(bucketStore(server)),
      builtContent(days.first, days.second),
    );
  }
  assert.ok(failed > 5, `${failed}`);
});
