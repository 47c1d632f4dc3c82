import assert from "node:assert/strict";

/**
 * The browser driver reads below /proc/sys, which Deno allows with -A only. So its tests run in a
 * process apart, and all others with the permissions of the task: `deno test -A --lock=test/deno.lock
 * test/browser` runs them alone. It takes longest, so its name puts it first among the files that run side by side.
 */
Deno.test("pages and the MCP card work in Chromium", async () => {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--parallel", "--no-check", "--lock=test/deno.lock", "test/browser"],
    cwd: new URL("..", import.meta.url),
    // Beside the other tests, two browsers at a time.
    env: { DENO_JOBS: "2" },
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  assert.ok(success, "a test in test/browser failed: see above");
});
