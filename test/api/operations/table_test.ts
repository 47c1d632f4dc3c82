import assert from "node:assert/strict";
import { z } from "zod";
import { ERRORS, ServiceError } from "../../../api/operations/errors.ts";
import { perform } from "../../../api/operations/operation.ts";
import { OPERATIONS } from "../../../api/operations/table.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { MemorySource, TestClock } from "../../pipeline/snapshot/memory.ts";

Deno.test("OPERATIONS contain all that a surface needs to describe them", () => {
  assert.equal(new Set(OPERATIONS.map(({ id }) => id)).size, OPERATIONS.length);
  for (const operation of OPERATIONS) {
    const input = z.toJSONSchema(operation.input, { io: "input" });
    z.toJSONSchema(operation.output);
    assert.deepEqual(Object.keys(input.properties ?? {}), Object.keys(operation.parameters));
    for (const property of Object.values(input.properties ?? {})) {
      assert.ok(typeof property === "object" && property.description !== undefined);
    }
    for (const [name, parameter] of Object.entries(operation.parameters)) {
      assert.equal(parameter.in === "path", operation.path.includes(`{${name}}`));
      assert.ok(operation.errors.includes(parameter.code));
    }
    for (const code of operation.errors) assert.ok(code in ERRORS);
    assert.ok(operation.summary.length > 10 && operation.description.length > 40);
  }
});

Deno.test("perform() rejects JSON of a wrong type with the error code of the member", async () => {
  const reader = new SnapshotReader(new MemorySource(new Map()), { clock: new TestClock() });
  const context = { today: "2026-10-05", baseUrl: "", reader, finish: (output: unknown) => output };
  for (const operation of OPERATIONS) {
    for (const value of [null, {}, [], true, "x", -1, 1.5, "constructor"]) {
      for (const [name, { code }] of Object.entries(operation.parameters)) {
        const isText = ["q", "name", "city", "state", "phone", "zip"].includes(name);
        if (isText && (value === "constructor" || value === "x" && name !== "q")) continue;
        const input = { vehicles: 1, q: "some carrier", dot: "1", [name]: value };
        await assert.rejects(
          perform(operation, input, context),
          (error) => error instanceof ServiceError && error.code === code,
          `${operation.id} ${name} ${JSON.stringify(value)}`,
        );
      }
    }
    for (const input of [null, [], "x", undefined]) {
      await assert.rejects(perform(operation, input, context), { code: "invalid_body" });
    }
  }
});
