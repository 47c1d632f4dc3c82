import assert from "node:assert/strict";

/**
 * The browser driver reads below /proc/sys, which Deno allows only with -A. So its tests run in a separate
 * process, and all other tests run with the permissions of the task. To run only the browser tests:
 * `deno test -A --lock=test/deno.lock test/browser`. They take longest, so the name puts this file first among
 * those that run in parallel.
 */
Deno.test("pages and the MCP card work in Chromium", async () => {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--parallel", "--no-check", "--lock=test/deno.lock", "test/browser"],
    cwd: new URL("..", import.meta.url),
    // At most two browsers at a time, because other tests run in parallel.
    env: { DENO_JOBS: "2" },
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  assert.ok(success, "a test in test/browser failed: see above");
});
