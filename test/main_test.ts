import assert from "node:assert/strict";
import { command, MAIN, start, withSnapshot } from "./run_main.ts";

async function endOf(args: string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await command(args, env).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test(`main serves a folder, and ends with 0 on ${signal}`, async () => {
    await withSnapshot(async (folder) => {
      const run = start({ SNAPSHOT_URL: folder });
      const address = await run.address;
      const response = await fetch(`${address}/api/v1/carriers/295017`);
      assert.equal((await response.json()).page_url, `${address}/carriers/295017`);
      assert.equal(await run.stop(signal), 0);
    });
  });
}

Deno.test("main answers 503 while the snapshot cannot be read, and recovers by itself", async () => {
  await withSnapshot(async (folder) => {
    await Deno.rename(`${folder}/current.json`, `${folder}/later.json`);
    const run = start({ SNAPSHOT_URL: folder });
    const url = `${await run.address}/api/v1/carriers/295017`;
    const before = await fetch(url);
    assert.equal(before.status, 503);
    assert.ok(!(await before.text()).includes(folder));
    await Deno.rename(`${folder}/later.json`, `${folder}/current.json`);
    const after = await fetch(url);
    assert.equal(after.status, 200);
    await after.body?.cancel();
    await run.stop("SIGTERM");
  });
});

Deno.test("main says how to name a snapshot when there is none", async () => {
  const { code, err } = await endOf([]);
  assert.equal(code, 2);
  assert.match(
    err,
    /^Cannot serve without a snapshot: set SNAPSHOT_URL .* or run with --sample\n$/,
  );
});

Deno.test("main stops with 2 and one sentence for settings that cannot be", async () => {
  for (const env of [{ PORT: "x" }, { BASE_URL: "x" }, { SNAPSHOT_URL: "s3://x/y", PORT: "0" }]) {
    const { code, err } = await endOf([], { SNAPSHOT_URL: ".", ...env });
    assert.equal(code, 2, err);
    assert.match(err, /^Cannot [^\n]+\n$/);
  }
});

Deno.test("main stops with 1 and the way out when the port is in use", async () => {
  const listener = Deno.listen({ port: 0, hostname: "0.0.0.0" });
  try {
    const { port } = listener.addr;
    const { code, err } = await endOf([], { PORT: String(port), SNAPSHOT_URL: "." });
    assert.equal(code, 1);
    assert.match(err, /^Cannot listen on port \d+: it is in use; .* set PORT, e\.g\. PORT=\d+\n$/);
  } finally {
    listener.close();
  }
});

Deno.test("main prints its help, and refuses options it does not know", async () => {
  const help = await endOf(["--help"]);
  assert.equal(help.code, 0);
  assert.match(help.out, /SNAPSHOT_URL/);
  assert.equal((await endOf(["--smaple"])).code, 2);
});

Deno.test("main exports a handler when another program imports it", async () => {
  await withSnapshot(async (folder) => {
    const program = `
      const { default: service } = await import(${JSON.stringify("file://" + MAIN)});
      const response = await service.fetch(new Request("http://any.example/api/v1/carriers/295017"));
      Deno.exit(response.status === 200 ? 0 : 1);
    `;
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", program],
      env: { PORT: "", BASE_URL: "", SNAPSHOT_URL: folder, KV_PATH: ":memory:" },
      cwd: new URL("..", import.meta.url),
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
  });
});

Deno.test("main logs a line a request to standard error, without address and without what was asked", async () => {
  await withSnapshot(async (folder) => {
    const run = start({ SNAPSHOT_URL: folder, LOG: "json" });
    const address = await run.address;
    const response = await fetch(`${address}/api/v1/carriers/295017`, {
      headers: { authorization: "Bearer secret", "x-request-id": "mine" },
    });
    await response.body?.cancel();
    const ready = await fetch(`${address}/readyz`);
    assert.equal(ready.status, 200);
    await ready.body?.cancel();
    run.child.kill("SIGTERM");
    const text = await new Response(run.child.stderr).text();
    await run.child.status;
    await run.rest();
    const lines = text.trimEnd().split("\n").map((line) => JSON.parse(line));
    const requests = lines.filter(({ request }) => request !== undefined);
    assert.deepEqual(
      requests.map(({ request, route, status, snapshot }) => ({
        request,
        route,
        status,
        snapshot,
      })),
      [{ request: "mine", route: "/api/v1/carriers/{dot}", status: 200, snapshot: "a" }],
    );
    assert.match(lines[0].message, /^Serving snapshot a /);
    assert.doesNotMatch(text, /127\.0\.0\.1|295017|secret/);
  });
});
