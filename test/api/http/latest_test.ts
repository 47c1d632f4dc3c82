import assert from "node:assert/strict";
import { type Objects, putSnapshot, record } from "../../pipeline/snapshot/memory.ts";
import { answerOf, BASE_URL, from, surfaceOver, testApp } from "./service.ts";

const ADDRESS = "https://data.example.org/fmcsa/";

function world({ snapshotUrl = ADDRESS, hasExport = true } = {}) {
  const objects: Objects = new Map();
  putSnapshot(objects, { id: "a", carriers: [record(5)], export: hasExport });
  const { deps, source } = surfaceOver(objects);
  const { app } = testApp({ ...deps, source, snapshotUrl });
  const get = async (file: string, method = "GET") =>
    await answerOf(await app.fetch(new Request(`${BASE_URL}/latest/${file}`, { method }), from()));
  return { get };
}

Deno.test("/latest redirects to the current snapshot's files of all carriers, and the redirect is not cached", async () => {
  const { get } = world();
  for (const file of ["carriers.parquet", "carriers.ndjson.gz", "datapackage.json"]) {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await get(file, method);
      assert.equal(status, 302);
      assert.equal(headers.get("location"), `https://data.example.org/fmcsa/s/a/export/${file}`);
      assert.equal(headers.get("cache-control"), "no-cache");
      assert.equal(headers.get("access-control-allow-origin"), "*");
      assert.equal(headers.get("snapshot-id"), "a");
    }
  }
});

Deno.test("/latest says why there is no file", async () => {
  const cases = [
    [
      {},
      "carriers.xlsx",
      /the files are carriers\.ndjson\.gz, carriers\.parquet, datapackage\.json$/,
    ],
    [{ hasExport: false }, "carriers.parquet", /this snapshot was built without it$/],
    [{ snapshotUrl: "/srv/x" }, "carriers.parquet", /reads its snapshot from a folder/],
  ] as const;
  for (const [given, file, message] of cases) {
    const { status, body } = await world(given).get(file);
    assert.equal(status, 404);
    assert.equal(body.error.code, "not_found");
    assert.match(body.error.message, message);
    assert.doesNotMatch(body.error.message, /srv/);
  }
});
