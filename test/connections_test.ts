import assert from "node:assert/strict";
import { hasNginx, startProxy } from "./nginx.ts";
import { startOne } from "./run_main.ts";
import { until } from "./until.ts";

const ASK = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
const HALF = "GET /healthz HTTP/1.1\r\nHost: localh";

Deno.test("more half-sent requests than the open-file limit end neither the process nor an open connection", async () => {
  await using run = await startOne({}, { files: 256 });
  using open = await connect(run.port);
  assert.match(await ask(open), /^HTTP\/1\.1 200 /);
  const idle = await halfSent(run.port, 400);
  assert.match(await ask(open), /^HTTP\/1\.1 200 /, "while no file can be opened");
  for (const connection of idle) connection.close();
  assert.equal(await eventually(() => run.get("/healthz")), 200);
  assert.match(await ask(open), /^HTTP\/1\.1 200 /, "afterwards");
  const { code, log } = await run.stop("SIGTERM");
  assert.equal(code, 0);
  const lines = log.match(/^Cannot accept connections, trying again: .*$/gm);
  assert.equal(lines?.length, 1, "one line for one outage");
});

Deno.test({
  name: "the bundled proxy cuts half-sent requests off, and the service behind it answers",
  ignore: !hasNginx(),
  async fn() {
    await using run = await startOne({ TRUSTED_PROXY_HOPS: "1" }, { files: 256 });
    await using proxy = await startProxy(`http://127.0.0.1:${run.port}`);
    const idle = await halfSent(Number(new URL(proxy.edge).port), 400);
    const response = await fetch(`${proxy.edge}/api/v1/carriers/295017`);
    assert.deepEqual([response.status, response.headers.get("ratelimit-remaining")], [200, "59"]);
    await response.body?.cancel();
    // The proxy closes all of them: a pending read returns null or fails with a reset.
    const ends = await Promise.all(
      idle.map((connection) => connection.read(new Uint8Array(1)).catch(() => null)),
    );
    assert.deepEqual(new Set(ends), new Set([null]));
    for (const connection of idle) connection.close();
    assert.equal((await run.stop("SIGTERM")).code, 0);
  },
});

function connect(port: number): Promise<Deno.TcpConn> {
  return Deno.connect({ hostname: "127.0.0.1", port });
}

/** Sends a request over an open connection, and returns the beginning of the response. */
async function ask(connection: Deno.Conn): Promise<string> {
  await connection.write(new TextEncoder().encode(ASK));
  const bytes = new Uint8Array(4_096);
  const length = await connection.read(bytes);
  return new TextDecoder().decode(bytes.subarray(0, length ?? 0));
}

/** Opens as many connections as are accepted, and never sends the end of their requests. */
async function halfSent(port: number, most: number): Promise<Deno.Conn[]> {
  const made: Deno.Conn[] = [];
  while (made.length < most) {
    const connection = await connect(port).catch(() => null);
    // Refused: nothing is listening at the moment.
    if (connection === null) break;
    made.push(connection);
    await connection.write(new TextEncoder().encode(HALF)).catch(() => {});
  }
  return made;
}

/** Retries until there is an answer. */
async function eventually(ask: () => Promise<{ status: number }>): Promise<number> {
  let answer: { status: number } | null = null;
  await until("it answers", async () => (answer = await ask().catch(() => null)) !== null);
  return answer!.status;
}
