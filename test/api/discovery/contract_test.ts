import assert from "node:assert/strict";
import fc from "fast-check";
import { EXAMPLE_DAY } from "../../../api/discovery/examples.ts";
import type { OperationObject } from "../../../api/discovery/openapi.ts";
import { openSource } from "../../../pipeline/snapshot/open_source.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { builtSample } from "../../pipeline/sample/built_sample.ts";
import { MemorySource, TestClock } from "../../pipeline/snapshot/memory.ts";
import { type Answer, call, testApp } from "../http/service.ts";
import { checkAgainst, DOCUMENT, resolve, withAnyId } from "./contract.ts";
import { requestsFor } from "./requests.ts";

const RUNS = 80;

Deno.test("every answer is as the OpenAPI document says, whatever is asked", async (t) => {
  const clock = new TestClock(Date.parse(`${EXAMPLE_DAY}T16:00:00Z`));
  const reader = new SnapshotReader(openSource(await builtSample()), { clock });
  const { app } = testApp({ reader, clock, log() {} });
  const post = (path: string, body: unknown, more: { key?: string; peer?: string } = {}) =>
    call(app, path, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(more.key === undefined ? {} : { "idempotency-key": more.key }),
      },
      body: JSON.stringify(body),
      ...(more.peer === undefined ? {} : { peer: more.peer }),
    });
  const created = await post("/api/v1/jobs", { dots: ["286764", "0", "99999999"] });

  for (const { path, method, operation } of operations()) {
    await t.step(operation.operationId, async () => {
      const statuses = new Set<number>();
      const requests = requestsFor({ path, method, operation, jobs: [created.body.id] });
      await fc.assert(
        fc.asyncProperty(requests, async ({ target, init, ...request }) => {
          // The document cannot say that one of two parameters is needed.
          const lacks = operation.operationId === "matchCarrier" && !/[?&](?:dot|mc)=/.test(target);
          const wrong = request.wrong ?? (lacks ? "neither dot nor mc" : null);
          const answer = await call(app, target, init);
          statuses.add(answer.status);
          checkAgainst(operation, answer);
          if (wrong !== null) {
            assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status}: ${wrong}`);
          } else {
            // What the document allows may still be unknown, or a key of another body.
            assert.ok(answer.status < 400 || [404, 422].includes(answer.status), answer.text);
          }
        }),
        { numRuns: RUNS },
      );
      assert.ok(Math.min(...statuses) < 300, [...statuses].join());
      // What takes no parameter cannot be asked wrongly.
      const refusable = operation.parameters.length > 2;
      if (refusable) assert.ok(Math.max(...statuses) >= 400, [...statuses].join());
    });
  }

  await t.step("replays", async () => {
    for (const path of ["/api/v1/carriers/batch", "/api/v1/jobs"]) {
      const once = { key: "k", peer: "192.0.2.1" };
      await post(path, { dots: ["1"] }, once);
      const replayed = await post(path, { dots: ["1"] }, once);
      assert.equal(replayed.headers.get("idempotent-replayed"), "true");
      checkAgainst(DOCUMENT.paths[path]!.post!, replayed);
    }
  });

  await t.step("the examples are the real answers", async () => {
    const shown = (path: string, name: string, method = "get"): unknown => {
      const { responses } = DOCUMENT.paths[path]![method]!;
      return resolve(responses[200]).content["application/json"].examples[name].value;
    };
    const real = [
      [shown("/api/v1/carriers/{dot}", "real"), await call(app, "/api/v1/carriers/286764")],
      [shown("/api/v1/carriers/{dot}", "inspected"), await call(app, "/api/v1/carriers/90000193")],
      [
        shown("/api/v1/carriers", "found"),
        await call(app, "/api/v1/carriers?q=general+transport+akron&limit=1"),
      ],
      [shown("/api/v1/carriers", "nothing"), await call(app, "/api/v1/carriers?q=zzzzqx")],
      [shown("/api/v1/mc/{mc}", "shared"), await call(app, "/api/v1/mc/143229")],
      [
        shown("/api/v1/mcs150-due-date", "schedule"),
        await call(app, "/api/v1/mcs150-due-date?dot=286764"),
      ],
      [shown("/api/v1/health", "old"), await call(app, "/api/v1/health")],
      [shown("/api/v1/ucr-fee", "fee"), await call(app, "/api/v1/ucr-fee?vehicles=4")],
      [
        shown("/api/v1/carriers/batch", "partly", "post"),
        await post("/api/v1/carriers/batch", { dots: ["286764", "99999999"] }),
      ],
    ] as [unknown, Answer][];
    for (const [example, { body }] of real) assert.deepEqual(example, withAnyId(body, example));
  });
});

Deno.test("refusals of an overloaded service are as the OpenAPI document says", async () => {
  const clock = new TestClock();
  const reader = new SnapshotReader(new MemorySource(new Map()), { clock });
  const { app } = testApp({ reader, clock, log() {} });
  for (const { path, method, operation } of operations()) {
    const target = path.replace("{id}", crypto.randomUUID()).replace(/\{\w+\}/, "286764") +
      "?q=general&dot=286764&vehicles=4";
    const headers = { "content-type": "application/json" };
    const init = { headers, method: method.toUpperCase() };
    const body = method === "post" ? { body: '{"dots":["286764"]}' } : {};
    const peer = `192.0.2.${operation.operationId.length}`;
    const answer = await call(app, target, { ...init, ...body });
    checkAgainst(operation, answer);
    if (operation.responses[503] !== undefined && operation.operationId !== "getJob") {
      assert.equal(answer.status, 503, operation.operationId);
    }
    let last = answer;
    for (let i = 0; i < 61 && last.status !== 429; i++) {
      last = await call(app, target, { ...init, ...body, peer });
    }
    assert.equal(last.status, 429);
    checkAgainst(operation, last);
  }
});

function operations(): { path: string; method: string; operation: OperationObject }[] {
  // What is asked of /ask is no row of the table: it has a contract test of its own.
  return Object.entries(DOCUMENT.paths).filter(([path]) => path !== "/ask").flatMap((
    [path, methods],
  ) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })));
}
