import assert from "node:assert/strict";
import { z } from "zod";
import { firstIssue } from "../../../api/operations/issues.ts";

Deno.test("firstIssue() tells where and what in plain words", () => {
  const schema = z.object({ a: z.array(z.string().max(2)), b: z.string("Give a text").optional() });
  const issueOf = (value: unknown) => firstIssue(schema.safeParse(value).error!);
  // Callers once read "invalid input: expected string, received undefined".
  assert.deepEqual(issueOf({}), { path: "a", what: "it is missing" });
  assert.deepEqual(issueOf(undefined), { path: "", what: "it is missing" });
  assert.deepEqual(issueOf({ a: ["x", 5] }), {
    path: "a.1",
    what: "expected string, received number",
  });
  assert.deepEqual(issueOf({ a: [], b: 5 }), { path: "b", what: "give a text" });
});
