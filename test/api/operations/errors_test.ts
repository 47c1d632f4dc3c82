import assert from "node:assert/strict";
import { faultDetail, ServiceError } from "../../../api/operations/errors.ts";
import { KvUnavailable } from "../../../api/state/kv.ts";
import { SnapshotUnavailable } from "../../../pipeline/snapshot/reader.ts";

function outage(cause?: unknown): ServiceError {
  return new ServiceError("upstream_unavailable", "Try again later", { cause });
}

Deno.test("faultDetail() shows an outage in one line and a defect with its stack", () => {
  // Regression: an outage of the store filled the log with stack traces. An outage of the data did not.
  for (const known of [new SnapshotUnavailable("gone"), new KvUnavailable("gone")]) {
    assert.equal(faultDetail(outage(known)), known.message);
    assert.equal(faultDetail(known), known.message);
  }
  assert.match(faultDetail(outage(new TypeError("broken"))), /^TypeError: broken\n +at /);
  assert.match(faultDetail(new TypeError("broken")), /^TypeError: broken\n +at /);
  assert.equal(faultDetail("a thrown string"), "a thrown string");
  // Regression: a snapshot without a search index was logged as "undefined".
  assert.equal(faultDetail(outage()), "Try again later");
});
