import assert from "node:assert/strict";
import fc from "fast-check";
import { EXAMPLES } from "../../../api/ask/answers/schemas.ts";
import { ASK_BODIES } from "../../../api/discovery/openapi_ask.ts";
import { openSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { eventsIn } from "../ask/service.ts";
import { builtSample } from "../../pipeline/sample/built_sample.ts";
import { checked, DOCUMENT, posted, resolve, serviceOn, wrongBy } from "./contract.ts";

const { post, get } = DOCUMENT.paths["/ask"]!;
const BODY = post!.requestBody!.content["application/json"]!.schema;
const ANSWER = resolve(post!.responses[200]).content["application/json"].schema;

const question = fc.oneof(
  fc.constantFrom(
    EXAMPLES.lookupCarrier[0]!,
    "ucr",
    "12 trucks",
    "can I trust 286764",
    "286764 vs 90000193",
  ),
  fc.string({ maxLength: 1100 }),
);
const anything = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.boolean());
/** Mostly allowed values: with arbitrary ones nearly every request would be refused. */
const mostly = (allowed: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 9, arbitrary: allowed }, { weight: 1, arbitrary: anything });
const mode = mostly(fc.constantFrom("list", "summarize", "list, summarize"));
const prev = mostly(fc.array(question, { maxLength: 3 }));
const body = fc.record({
  query: mostly(fc.oneof(question, fc.record({ text: question }))),
  context: mostly(fc.record({ prev })),
  prefer: fc.record({
    streaming: mostly(fc.boolean()),
    mode,
    response_format: mostly(fc.constantFrom("conversational_search", "conv_search")),
  }, { requiredKeys: [] }),
  meta: fc.record({ request_id: mostly(fc.string()) }),
}, { requiredKeys: ["query"] });
const older = fc.record({ query: question, prev, mode, streaming: mostly(fc.boolean()) }, {
  requiredKeys: [],
});
const anyBody = fc.oneof(
  { weight: 4, arbitrary: body },
  { weight: 4, arbitrary: older },
  { weight: 1, arbitrary: fc.jsonValue() },
);

Deno.test("every answer of /ask conforms to the OpenAPI document, whatever the question", async (t) => {
  const app = serviceOn(openSource(await builtSample()));
  const send = (init: RequestInit, target = "/ask") =>
    checked(app, init.method === "POST" ? post! : get!, target, init);

  await t.step("by POST", async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(anyBody, async (sent) => {
        const json = JSON.stringify(sent);
        const { status, body, text } = await send(posted(json));
        const wrong = wrongBy(open(BODY), sent);
        assert.equal(status, wrong === null ? 200 : 400, `${json}: ${wrong}: ${text}`);
        seen.add(body === null ? "stream" : `${status} ${body._meta.response_type}`);
      }),
      { numRuns: 120 },
    );
    assert.ok(seen.size >= 5, [...seen].join());
  });

  await t.step("by GET", async () => {
    const query = fc.record({
      query: question,
      prev: question,
      mode: fc.constantFrom("list", "summarize", "list,summarize", "generate"),
      streaming: fc.constantFrom("true", "false"),
    }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(query, async (given) => {
        const { status } = await send({}, `/ask?${new URLSearchParams(given)}`);
        const allowed = given.mode !== "generate" && (given.query ?? "").length <= 1000;
        assert.equal(status, allowed ? 200 : 400, JSON.stringify(given));
      }),
      { numRuns: 60 },
    );
  });

  await t.step("bodies that can't be read", async () => {
    const plain = { "content-type": "text/plain" };
    const cases = [
      [400, posted("{")],
      [413, posted(" ".repeat(70_000))],
      [415, posted("{}", plain)],
    ] as const;
    for (const [status, init] of cases) {
      const answer = await send(init);
      assert.equal(answer.status, status);
      const { examples } = resolve(post!.responses[status]).content["application/json"];
      assert.deepEqual(answer.body, examples.failure.value);
    }
  });

  await t.step("the requests in the document, with its example events", async () => {
    for (const { value } of Object.values(ASK_BODIES)) {
      assert.equal(wrongBy(BODY, value), null);
      const { status, text, body } = await send(posted(value));
      assert.deepEqual([status, body?._meta.response_type ?? "answer"], [200, "answer"]);
      const [start, result] = body === null ? eventsIn(text) : [];
      if (start === undefined) continue;
      assert.equal(wrongBy(ANSWER, { ...start.data, results: [result!.data.item] }), null);
    }
  });
});

/** The schema with unknown members allowed, which requests ignore. */
function open(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(resolve(schema)), (_, value) => {
    return value?.type === "object" ? { ...value, additionalProperties: true } : value;
  });
}
