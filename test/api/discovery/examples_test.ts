import assert from "node:assert/strict";
import { EXAMPLE_JOB } from "../../../api/discovery/examples.ts";
import { openSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { builtSample } from "../../pipeline/sample/built_sample.ts";
import { BASE_URL, from, requestOf } from "../http/service.ts";
import { serviceOn } from "./contract.ts";

const GOLDEN = new URL("../../../api/discovery/text/examples.txt", import.meta.url);

Deno.test("the examples in the documents are the real answers", async () => {
  const app = serviceOn(openSource(await builtSample()));
  const golden = await Deno.readTextFile(GOLDEN);
  const blocks: string[] = [];
  let job = EXAMPLE_JOB;
  for (const block of golden.trimEnd().split("\n\n")) {
    const [title, request] = block.split("\n") as [string, string];
    const response = await app.fetch(requestOf(request.replace(EXAMPLE_JOB, job)).request, from());
    const text = await response.text();
    if (response.status === 202) job = JSON.parse(text).id;
    const isJson = response.headers.get("content-type")!.startsWith("application/json");
    const answer = (isJson ? text : JSON.stringify(text))
      .replaceAll(BASE_URL, "{{base_url}}").replaceAll(job, EXAMPLE_JOB)
      // Any change to the sample changes the snapshot's id, which doesn't matter to people who read the examples.
      .replaceAll(/("\d{4}-\d\d-\d\d|s\/\d{4}-\d\d-\d\d)-[0-9a-f]{16}/g, "$1-30ed173a202a43e6");
    blocks.push([title, request, answer].join("\n"));
  }
  const answered = blocks.join("\n\n") + "\n";
  if (Deno.env.has("UPDATE_GOLDEN")) await Deno.writeTextFile(GOLDEN, answered);
  assert.deepEqual(answered.split("\n"), (await Deno.readTextFile(GOLDEN)).split("\n"));
});
