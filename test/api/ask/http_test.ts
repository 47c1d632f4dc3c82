import assert from "node:assert/strict";
import { askMount, MAX_BODY } from "../../../api/ask/http.ts";
import { BASE_URL, from, testApp } from "../http/service.ts";
import { eventsIn, withAsk } from "./service.ts";

const QUESTION = "is DOT 286764 active";

Deno.test("ask() adds a summary when the mode asks for it, and streams only where that is preferred", async () => {
  await withAsk(async (call) => {
    const headers = { "Content-Type": "application/json", Accept: "text/event-stream" };
    const list = await call({ query: QUESTION }, { headers });
    for (const mode of ["summarize", "list, summarize"]) {
      const { body } = await call({ query: QUESTION, prefer: { mode } });
      const [first, summary] = body.results;
      assert.deepEqual([first], list.body.results);
      assert.equal(summary["@type"], "SearchSummary");
      assert.match(summary.text, /^"GENERAL TRANSPORT INC" \(USDOT 286764\): /);
    }
    const events = eventsIn((await call({ prefer: { streaming: true } })).text);
    assert.deepEqual(events.map(({ event }) => event), ["start", "complete"]);
    assert.ok(events[1]!.data.elicitation.questions.length > 0);
  });
});

Deno.test("ask() reads no more of a body that never ends than its limit", async () => {
  await withAsk(async (call) => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled++;
        controller.enqueue(new Uint8Array(1024).fill(32));
      },
    });
    assert.equal((await call("", { body: endless })).status, 413);
    assert.ok(pulled <= MAX_BODY / 1024 + 3);
  });
});

Deno.test("/ask stands in the app, with its headers and its rate limit", async () => {
  await withAsk(async (_, deps) => {
    const { app } = testApp({ ...deps, mounts: [askMount(deps)] });
    const ask = async (init: RequestInit, query = "") =>
      await app.fetch(new Request(`${BASE_URL}/ask${query}`, init), from("192.0.2.1"));
    const post = (body: unknown) =>
      ask({
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const answer = await post({ query: QUESTION });
    assert.match(await answer.text(), /286764/);
    assert.equal(answer.headers.get("ratelimit-remaining"), "59");
    assert.equal(answer.headers.get("access-control-allow-origin"), "*");
    const stream = await post({ query: QUESTION, prefer: { streaming: true } });
    assert.match(stream.headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.equal(stream.headers.get("ratelimit-remaining"), "58");
    assert.match(await stream.text(), /event: complete/);

    // It once had the length 0, which no answer to GET has.
    const head = await ask({ method: "HEAD" });
    const { length } = await (await ask({})).text();
    assert.deepEqual([head.headers.get("content-length"), await head.text()], [String(length), ""]);
  });
});
