import assert from "node:assert/strict";
import { command, MAIN, snapshotFolder, startOne } from "./run_main.ts";

const LOOKUP = "/api/v1/carriers/295017";

async function endOf(args: string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await command(args, env).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, out: out!, err: err! };
}

Deno.test("main serves a folder, and exits with 0 on SIGINT", async () => {
  await using run = await startOne();
  const { text } = await run.get(LOOKUP);
  assert.equal(JSON.parse(text).page_url, `${run.address}/carriers/295017`);
  assert.equal((await run.stop("SIGINT")).code, 0);
});

Deno.test("main answers 503 while the snapshot can't be read, and recovers by itself", async () => {
  await using folder = await snapshotFolder();
  const [pointer, later] = [`${folder.path}/current.json`, `${folder.path}/later.json`];
  await Deno.rename(pointer, later);
  await using run = await startOne({ SNAPSHOT_URL: folder.path });
  const before = await run.get(LOOKUP);
  assert.equal(before.status, 503);
  assert.ok(!before.text.includes(folder.path));
  await Deno.rename(later, pointer);
  assert.equal((await run.get(LOOKUP)).status, 200);
  assert.equal((await run.stop("SIGTERM")).code, 0);
});

Deno.test("main exits with 2 and one sentence for invalid arguments and settings", async () => {
  const cases: [args: string[], env: Record<string, string>, says: RegExp][] = [
    [[], {}, /^Cannot serve without a snapshot: set SNAPSHOT_URL .* or run with --sample\n$/],
    [[], { SNAPSHOT_URL: ".", PORT: "x" }, /^Cannot [^\n]+\n$/],
    [[], { SNAPSHOT_URL: "s3://x/y", PORT: "0" }, /^Cannot [^\n]+\n$/],
    [["--smaple"], {}, /--smaple/],
  ];
  await Promise.all(cases.map(async ([args, env, says]) => {
    const { code, err } = await endOf(["run", "-A", MAIN, ...args], env);
    assert.match(err, says);
    assert.equal(code, 2);
  }));
  const { code, out } = await endOf(["run", "-A", MAIN, "--help"]);
  assert.equal(code, 0);
  assert.match(out, /SNAPSHOT_URL/);
});

Deno.test("main exits with 1 and says what to do when the port is in use", async () => {
  using listener = Deno.listen({ port: 0, hostname: "0.0.0.0" });
  const env = { PORT: String(listener.addr.port), SNAPSHOT_URL: "." };
  const { code, err } = await endOf(["run", "-A", MAIN], env);
  assert.equal(code, 1);
  assert.match(
    err,
    /^Cannot listen on [\d.]+, port \d+: it is in use; .* set PORT, e\.g\. PORT=\d+\n$/,
  );
});

Deno.test("main exports a handler when another program imports it", async () => {
  await using folder = await snapshotFolder();
  const program = `
    const { default: service } = await import(${JSON.stringify("file://" + MAIN)});
    const response = await service.fetch(new Request("http://any.example${LOOKUP}"));
    Deno.exit(response.status === 200 ? 0 : 1);
  `;
  const { code, err } = await endOf(["eval", program], { SNAPSHOT_URL: folder.path });
  assert.equal(code, 0, err);
});

Deno.test("main logs one line per request to standard error, without address and query", async () => {
  await using run = await startOne({ LOG: "json" });
  await run.get(LOOKUP, { headers: { authorization: "Bearer secret", "x-request-id": "mine" } });
  assert.equal((await run.get("/readyz")).status, 200);
  const { log } = await run.stop("SIGTERM");
  const lines = log.trimEnd().split("\n").map((line) => JSON.parse(line));
  const requests = lines.filter(({ request }) => request !== undefined);
  assert.deepEqual(
    requests.map(({ request, route, status, snapshot }) => [request, route, status, snapshot]),
    [["mine", "/api/v1/carriers/{dot}", 200, "a"]],
  );
  assert.match(lines[0].message, /^Serving snapshot a /);
  assert.doesNotMatch(log, /127\.0\.0\.1|295017|secret/);
});

Deno.test("main prints URLs of carriers in the snapshot, and no carrier while it can't be read", async () => {
  await using folder = await snapshotFolder();
  const printed = async (SNAPSHOT_URL: string): Promise<string[]> => {
    const env = { SNAPSHOT_URL, PORT: "0" };
    const child = command(["run", "-A", MAIN], env).spawn();
    let text = "";
    for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
      text += part;
      if (/^Site .*$/m.test(text)) break;
    }
    child.kill("SIGTERM");
    await child.stderr.cancel();
    await child.status;
    return [...text.matchAll(/http:\/\/localhost:\d+(\/\S*)/g)].map(([, path]) => path!);
  };
  assert.deepEqual(await printed(folder.path), [LOOKUP, "/api/v1/ucr-fee?vehicles=4", "/"]);
  assert.deepEqual(await printed(`${folder.path}/none`), ["/api/v1/ucr-fee?vehicles=4", "/"]);
});
