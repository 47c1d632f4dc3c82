/**
 * The ETag contains BODY_REVISION instead of a hash of the body. If bodies change and it doesn't,
 * clients keep the old body for a day. When this test fails because you meant to change a body, raise
 * BODY_REVISION in api/http/lookups.ts and run `UPDATE_GOLDEN=1 deno task test` on this file.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { BODY_REVISION } from "../../../api/http/lookups.ts";
import { openSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { from, testApp } from "./service.ts";
import { CLOCK } from "../../pipeline/compile/files.ts";
import { builtSample } from "../../pipeline/sample/built_sample.ts";

const GOLDEN = new URL("./golden/body_revision.json", import.meta.url);

/** The sample's synthetic carriers in every state, and the calculations. */
const PATHS = [
  ...Array.from({ length: 60 }, (_, i) => `/api/v1/carriers/${90010001 + i}`),
  ...["286764", "295017", "146793"].map((dot) => `/api/v1/carriers/${dot}`),
  "/api/v1/mc/143229",
  ...["7", "21800", "286764"].map((dot) => `/api/v1/mcs150-due-date?dot=${dot}`),
  ...[0, 4, 1001].map((vehicles) => `/api/v1/ucr-fee?vehicles=${vehicles}`),
  "/api/v1/ucr-fee?vehicles=4&year=2026",
];

Deno.test("BODY_REVISION is raised when a body changes", async () => {
  const sample = await builtSample();
  const { snapshot } = JSON.parse(await Deno.readTextFile(`${sample}/current.json`));
  const { app } = testApp({
    reader: new SnapshotReader(openSource(sample), { clock: CLOCK }),
    clock: CLOCK,
    baseUrl: "https://example.org",
  });
  const hash = createHash("sha256");
  for (const path of PATHS) {
    const response = await app.fetch(new Request(`https://example.org${path}`), from());
    // The tag already contains the snapshot's id.
    const body = (await response.text()).replaceAll(snapshot, "");
    hash.update(`${path} ${response.status} ${body}\n`);
  }
  const now = { revision: BODY_REVISION, sha256: hash.digest("hex") };
  if (Deno.env.has("UPDATE_GOLDEN")) {
    await Deno.mkdir(new URL(".", GOLDEN), { recursive: true });
    await Deno.writeTextFile(GOLDEN, JSON.stringify(now) + "\n");
  }
  assert.deepEqual(now, JSON.parse(await Deno.readTextFile(GOLDEN)));
});
