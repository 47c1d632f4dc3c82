import assert from "node:assert/strict";
import { z } from "zod";
import { faultDetail, firstIssue, ServiceError } from "../../../api/operations/errors.ts";
import { KvUnavailable } from "../../../api/state/kv.ts";
import { SnapshotUnavailable } from "../../../pipeline/snapshot/reader.ts";

function outage(cause?: unknown): ServiceError {
  return new ServiceError("upstream_unavailable", "Try again later", { cause });
}

Deno.test("faultDetail() shows an outage in one line and a defect with its stack", () => {
  // An outage of the store once filled the log with stacks, one of the data did not.
  for (const known of [new SnapshotUnavailable("gone"), new KvUnavailable("gone")]) {
    assert.equal(faultDetail(outage(known)), "gone");
    assert.equal(faultDetail(known), "gone");
  }
  assert.match(faultDetail(outage(new TypeError("broken"))), /^TypeError: broken\n +at /);
  assert.match(faultDetail(new TypeError("broken")), /^TypeError: broken\n +at /);
  assert.equal(faultDetail("a thrown string"), "a thrown string");
});

Deno.test("faultDetail() shows the message of an error without a cause", () => {
  // A snapshot without a search index once was logged as "undefined".
  assert.equal(faultDetail(outage()), "Try again later");
});

Deno.test("firstIssue() says where and what in plain words", () => {
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
