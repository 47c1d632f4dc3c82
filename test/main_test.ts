import assert from "node:assert/strict";
import { command, MAIN, start, withSnapshot } from "./run_main.ts";

async function endOf(args: string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await command(args, env).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

Deno.test("main serves a folder, and ends with 0 on SIGINT", async () => {
  await withSnapshot(async (folder) => {
    const run = start({ SNAPSHOT_URL: folder });
    const address = await run.address;
    const response = await fetch(`${address}/api/v1/carriers/295017`);
    assert.equal((await response.json()).page_url, `${address}/carriers/295017`);
    assert.equal(await run.stop("SIGINT"), 0);
  });
});

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
    assert.equal(await run.stop("SIGTERM"), 0);
  });
});

Deno.test("main stops with 2 and one sentence for arguments and settings that cannot be", async () => {
  const cases: [args: string[], env: Record<string, string>, says: RegExp][] = [
    [[], {}, /^Cannot serve without a snapshot: set SNAPSHOT_URL .* or run with --sample\n$/],
    [[], { SNAPSHOT_URL: ".", PORT: "x" }, /^Cannot [^\n]+\n$/],
    [[], { SNAPSHOT_URL: "s3://x/y", PORT: "0" }, /^Cannot [^\n]+\n$/],
    [["--smaple"], {}, /--smaple/],
  ];
  await Promise.all(cases.map(async ([args, env, says]) => {
    const { code, err } = await endOf(args, env);
    assert.match(err, says);
    assert.equal(code, 2);
  }));
  const { code, out } = await endOf(["--help"]);
  assert.equal(code, 0);
  assert.match(out, /SNAPSHOT_URL/);
});

Deno.test("main stops with 1 and the way out when the port is in use", async () => {
  const listener = Deno.listen({ port: 0, hostname: "0.0.0.0" });
  try {
    const { port } = listener.addr;
    const { code, err } = await endOf([], { PORT: String(port), SNAPSHOT_URL: "." });
    assert.equal(code, 1);
    assert.match(err, /^Cannot listen on [\d.]+, port \d+: it is in use; .* set PORT\n$/);
  } finally {
    listener.close();
  }
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
      requests.map(({ request, route, status, snapshot }) => [request, route, status, snapshot]),
      [["mine", "/api/v1/carriers/{dot}", 200, "a"]],
    );
    assert.match(lines[0].message, /^Serving snapshot a /);
    assert.doesNotMatch(text, /127\.0\.0\.1|295017|secret/);
  });
});
