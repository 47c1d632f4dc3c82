import assert from "node:assert/strict";
import fc from "fast-check";
import type { OperationObject } from "../../../api/discovery/openapi.ts";
import { hours } from "../../../api/discovery/limits.ts";
import { MAX_KEY } from "../../../api/http/parameters.ts";
import { type ErrorCode, ERRORS } from "../../../api/operations/errors.ts";
import { BATCH_OPERATIONS, OPERATIONS, SERVICE_OPERATIONS } from "../../../api/operations/table.ts";
import { KEEP_MS } from "../../../api/state/idempotency.ts";
import { openSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { npmTool } from "../../mcp/npm_tool.ts";
import { tempDir } from "../../pipeline/compile/files.ts";
import { builtSample } from "../../pipeline/sample/built_sample.ts";
import { MemorySource } from "../../pipeline/snapshot/memory.ts";
import { checkAnswer } from "../http/service.ts";
import { checked, DOCUMENT, posted, resolve, type Sent, serviceOn, wrongBy } from "./contract.ts";
import { exampleRequest, requestsFor } from "./requests.ts";

const redocly = await npmTool("@redocly/cli@2.77.0");
const RUNS = 80;
const BATCH = "/api/v1/carriers/batch";
const JOBS = "/api/v1/jobs";

Deno.test("every answer conforms to the OpenAPI document, whatever the request", async (t) => {
  const app = serviceOn(openSource(await builtSample()));
  const send = async (operation: OperationObject, target: string, init: Sent = {}) => {
    const { method = "GET" } = init;
    return checkAnswer(await checked(app, operation, target, init), { method, target });
  };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(DOCUMENT.paths[path]!.post!, path, { ...posted(body, headers), peer: "192.0.2.1" });
  const created = await post(JOBS, { dots: ["286764", "0", "99999999"] });

  // /ask is not in the table of operations; it has its own contract test.
  for (const { path, method, operation } of operations().filter(({ path }) => path !== "/ask")) {
    await t.step(operation.operationId, async () => {
      const job = String(created.body.id);
      const good = exampleRequest({ path, operation }, { job });
      const { status, text } = await send(operation, good.target, good.init);
      assert.ok(status < 300, text);
      const bad = exampleRequest({ path, operation }, { job, isWrong: true });
      // An operation without parameters has no wrong requests.
      if (bad.target !== good.target || bad.init.body !== good.init.body) {
        const refused = await send(operation, bad.target, bad.init);
        assert.ok(refused.status >= 400, refused.text);
      }
      const requests = requestsFor({ path, method, operation }, [job]);
      await fc.assert(
        fc.asyncProperty(requests, async ({ target, init, ...request }) => {
          // OpenAPI can't say that one of two parameters is required.
          const lacks = operation.operationId === "matchCarrier" && !/[?&](?:dot|mc)=/.test(target);
          const wrong = request.wrong ?? (lacks ? "neither dot nor mc" : null);
          const { status, text } = await send(operation, target, init);
          if (wrong !== null) assert.ok(status >= 400 && status < 500, `${status}: ${wrong}`);
          // 404: a valid number may not exist. 422: the key may have been used with another body.
          else assert.ok(status < 400 || [404, 422].includes(status), text);
        }),
        { numRuns: RUNS },
      );
    });
  }

  await t.step("replays", async () => {
    for (const path of [BATCH, JOBS]) {
      await post(path, { dots: ["1"] }, { "idempotency-key": "k" });
      const replayed = await post(path, { dots: ["1"] }, { "idempotency-key": "k" });
      assert.equal(replayed.headers.get("idempotent-replayed"), "true");
    }
  });
});

Deno.test("an overloaded service's refusals conform to the OpenAPI document", async () => {
  const app = serviceOn(new MemorySource(new Map()), { log() {} });
  for (const { path, method, operation } of operations()) {
    const target = path.replace("{id}", crypto.randomUUID()).replace("{docket}", "FF-1").replace(
      /\{\w+\}/,
      "286764",
    ) +
      "?q=general&dot=286764&dots=286764&vehicles=4&query=is+DOT+286764+active";
    const body = { dots: ["286764"], query: "is DOT 286764 active" };
    const init = method === "post" ? posted(body) : {};
    const peer = `192.0.2.${operation.operationId.length}`;
    let last = await checked(app, operation, target, init);
    if (operation.responses[503] !== undefined && operation.operationId !== "getJob") {
      assert.equal(last.status, 503, operation.operationId);
    }
    for (let i = 0; i < 61 && last.status !== 429; i++) {
      last = await checked(app, operation, target, { ...init, peer });
    }
    assert.equal(last.status, 429);
  }
});

Deno.test("openApi() describes every operation, and every error of it with an example", () => {
  const described = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method} ${path}`)
  );
  const all = [...OPERATIONS, ...BATCH_OPERATIONS, ...SERVICE_OPERATIONS];
  const wanted = all.map(({ id, method, path }) => `${id} ${method.toLowerCase()} ${path}`);
  wanted.push("ask post /ask", "askByAddress get /ask");
  assert.deepEqual(described.toSorted(), wanted.toSorted());
  for (const { path, method, errors } of all) {
    const { responses } = DOCUMENT.paths[path]![method.toLowerCase()]!;
    for (const code of [...errors, "rate_limited", "internal_error"] as ErrorCode[]) {
      const { examples } = resolve(responses[ERRORS[code].status]).content["application/json"];
      assert.equal(examples[code].value.error.code, code, path);
    }
  }
});

Deno.test("openApi() states how long an idempotency key may be, and how long it is stored", () => {
  const { description, schema } = DOCUMENT.components.parameters.IdempotencyKey!;
  assert.equal(schema.maxLength, MAX_KEY);
  assert.match(description, new RegExp(`1 to ${MAX_KEY} characters.* For ${hours(KEEP_MS)} `));
});

Deno.test("every example in the OpenAPI document is valid by its schema, and every body has one", () => {
  let examples = 0;
  // Parameters, headers and bodies have a schema beside their examples; schemas have their own examples.
  JSON.stringify(DOCUMENT, (_, node) => {
    const { schema, example, examples: more = [] } = Object(node);
    const values = schema === undefined
      ? Array.isArray(more) ? more : []
      : [...Object.values<{ value: unknown }>(more).map(({ value }) => value), example]
        .filter((value) => value !== undefined);
    for (const value of values) {
      assert.equal(wrongBy(schema ?? node, value), null, JSON.stringify(value).slice(0, 200));
    }
    examples += values.length;
    for (const content of Object.values<{ schema: unknown }>(node?.content ?? {})) {
      const shown = JSON.stringify(content, (name, part) => name === "schema" ? undefined : part);
      assert.match(shown, /"(example|value)":/);
    }
    return node;
  });
  assert.ok(examples > 100, String(examples));
});

Deno.test({
  name: "openApi() passes Redocly's recommended rules",
  ignore: redocly.missing,
  async fn() {
    await using dir = await tempDir();
    const path = `${dir.path}/openapi.json`;
    await Deno.writeTextFile(path, JSON.stringify(DOCUMENT));
    const { code, text } = await redocly.run(["lint", path]);
    assert.equal(code, 0, text);
    assert.doesNotMatch(text, /warning/i, text);
  },
});

function operations(): { path: string; method: string; operation: OperationObject }[] {
  return Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation }))
  );
}
