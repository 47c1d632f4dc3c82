import assert from "node:assert/strict";
import { POINTER_PATH } from "../pipeline/snapshot/paths.ts";
import { from, serviceAt } from "./api/http/service.ts";
import { hasNginx, startNginx } from "./nginx.ts";
import { serve } from "./serve.ts";
import { snapshot } from "./pipeline/commands/snapshot_root.ts";
import { startUpstream } from "./pipeline/commands/upstream.ts";
import { TestClock } from "./pipeline/snapshot/memory.ts";

const ignore = !hasNginx();

const CACHE_MS = 61_000;

Deno.test({
  name: "from FMCSA's files to answers over a CDN: two days and a rollback",
  ignore,
  async fn() {
    await using upstream = await startUpstream();
    const target = `${upstream.dir}/public`;
    await Deno.mkdir(target);
    await using cdn = await startNginx(target);
    // Called after a pointer move, like a CDN's purge.
    await using purge = serve(async () => {
      await cdn.refresh(POINTER_PATH);
      return new Response(null, { status: 204 });
    });
    const publish = () =>
      upstream.daily({ target, publicUrl: cdn.edge, purgeUrl: purge.url, atOnce: 8 });

    const clock = new TestClock();
    const service = serviceAt(cdn.edge, { clock });
    async function lookUp(): Promise<{ id: string | null; dot: string }> {
      const request = new Request("http://localhost/api/v1/carriers?q=trucking&limit=1");
      const found = await (await service.app.fetch(request, from())).json();
      const { dot } = found.results[0];
      const carrier = await service.app.fetch(
        new Request(`http://localhost/api/v1/carriers/${dot}`),
        from(),
      );
      assert.equal(carrier.status, 200);
      const id = carrier.headers.get("snapshot-id");
      assert.equal((await carrier.json()).snapshot.id, id);
      return { id, dot };
    }

    try {
      upstream.serveDay(0);
      assert.match(await publish(), /is current, number 1$/);
      const first = JSON.parse(await upstream.pointer()).snapshot;
      assert.equal((await lookUp()).id, first);

      upstream.serveDay(1);
      await publish();
      const second = JSON.parse(await upstream.pointer()).snapshot;
      assert.notEqual(second, first);
      // Not yet: a service reads the pointer once a minute.
      assert.equal((await lookUp()).id, first);
      clock.advance(CACHE_MS);
      assert.equal((await lookUp()).id, second);

      const back = await snapshot("rollback", target, "--purge-url", purge.url);
      assert.equal(back.code, 0, back.err);
      clock.advance(CACHE_MS);
      assert.equal((await lookUp()).id, first);

      const log = await cdn.log();
      const shards = log.filter((line) => line.includes("/carriers/"));
      assert.ok(
        shards.some((line) => line.startsWith("HIT")),
        "the edge answered nothing by itself",
      );
      const looks = log.filter((line) => line.endsWith(`/${POINTER_PATH}`));
      assert.ok(looks.some((line) => line.startsWith("BYPASS")), "the purge reached no edge");
    } finally {
      await service.close();
    }
  },
});
