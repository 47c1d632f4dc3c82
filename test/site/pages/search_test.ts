import assert from "node:assert/strict";
import { openSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { siteOver } from "../app.ts";
import { builtSample } from "../../pipeline/sample/built_sample.ts";

const { visit: ask } = siteOver(openSource(await builtSample()));

Deno.test("suggestions are few, small and JSON, and so are their errors", async () => {
  const response = await ask("/suggest?q=transport");
  assert.equal(response.headers.get("ratelimit-limit"), "600");
  assert.ok(response.headers.get("snapshot-id"));
  const { results } = await response.json();
  assert.equal(results.length, 8);
  for (const result of results) {
    assert.deepEqual(Object.keys(result), ["dot", "name", "dba_name", "city", "state", "active"]);
  }
  const short = await ask("/suggest?q=a");
  assert.deepEqual([short.status, (await short.json()).error.code], [400, "invalid_query"]);
  const { results: [turned] } = await (await ask("/suggest?q=desrever")).json();
  assert.doesNotMatch(turned.name, /\p{C}/u);
});
