import assert from "node:assert/strict";
import { readSidecar } from "../../../pipeline/fmcsa/part.ts";
import { sha256 } from "../../../pipeline/sha256.ts";
import { runKilled } from "../killed.ts";
import { tempDir } from "../compile/files.ts";
import { csvBytes, serveFile } from "./file_server.ts";
import { fetchHere } from "./download.ts";

Deno.test("fetch never leaves a complete-looking wrong file when killed at any disk change", async () => {
  const [old, young] = [1, 2].map((seed) => csvBytes(20_000, seed)) as [Bytes, Bytes];
  await using census = serveFile({ chunkBytes: 8192 });
  await using inspections = serveFile({ body: csvBytes(3000, 9), etag: null });
  await using dir = await tempDir();
  const path = `${dir.path}/company_census.csv`;
  const urls = ["--census", census.url, "--inspections", inspections.url];
  let steps = 0;
  for (let isKilled = true; isKilled; steps++) {
    // Each round starts with the complete old version and fetches a new one.
    Object.assign(census.behavior, { body: old, etag: '"old"' });
    await fetchHere(dir.path, { census, inspections });
    Object.assign(census.behavior, { body: young, etag: '"new"' });
    isKilled = await runKilled(["fetch", "--to", dir.path, ...urls], steps + 1) === undefined;
    const now = await Deno.readFile(path).then(sha256, () => undefined);
    assert.ok(now === sha256(old) || now === sha256(young), `wrong after step ${steps}`);
    const note = await readSidecar(path);
    if (note !== undefined) assert.equal(note.sha256, now, `wrong note after step ${steps}`);
    await fetchHere(dir.path, { census, inspections });
    assert.equal(sha256(await Deno.readFile(path)), sha256(young));
    assert.equal((await readSidecar(path))?.sha256, sha256(young));
  }
  assert.ok(steps > 15, `only ${steps} steps`);
});

type Bytes = Uint8Array<ArrayBuffer>;
