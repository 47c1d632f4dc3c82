import assert from "node:assert/strict";
import { keepsConditions, lookBeforeWrite } from "../../../pipeline/publish/conditions.ts";
import { openStore } from "../../../pipeline/publish/open_store.ts";
import { S3Client, type S3Patience, xmlValue } from "../../../pipeline/publish/s3_client.ts";
import { ConditionFailed } from "../../../pipeline/publish/store.ts";
import { BUCKET, KEYS, type S3Server, serveS3 } from "./s3_server.ts";
import { bucketStore, MovedClock, s3Environment } from "./world.ts";

function client({ url }: Pick<S3Server, "url">, patience: S3Patience, changes = {}): S3Client {
  const address = { endpoint: url, region: "auto", bucket: BUCKET, ...KEYS, ...changes };
  return new S3Client(address, patience);
}

Deno.test("S3Client.request() waits longer from try to try, and gives up after the last", async () => {
  await using server = serveS3({ fault: () => "slow_down" });
  const waits: number[] = [];
  const wait = (ms: number): Promise<void> => {
    waits.push(ms);
    return Promise.resolve();
  };
  await assert.rejects(
    client(server, { tries: 5, wait }).request({ method: "GET", key: "current.json" }),
    {
      message: "Cannot read s3://carriers/current.json: status 503 SlowDown (tried 5 times)",
    },
  );
  assert.equal(waits.length, 4);
  waits.forEach((ms, i) => assert.ok(ms >= 100 * 2 ** i && ms <= 200 * 2 ** i, waits.join()));
});

Deno.test("S3Client.request() gives up on a server that does not answer, and says so", async () => {
  const gate = Promise.withResolvers<void>();
  await using server = serveS3({ before: () => gate.promise });
  await assert.rejects(
    client(server, { tries: 2, timeout: 30, wait: () => Promise.resolve() })
      .request({ method: "GET", key: "x" }),
    /Cannot read s3:\/\/carriers\/x: no byte came for 0\.03 s \(tried 2 times\)/,
  );
  gate.resolve();
});

Deno.test("S3Client.request() waits as long as the server asks, up to a minute", async () => {
  for (const [asked, expected] of [["7", 7_000], ["86400", 60_000]] as const) {
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      () => new Response(null, { status: 429, headers: { "retry-after": asked } }),
    );
    const waits: number[] = [];
    const wait = (ms: number) => Promise.resolve(void waits.push(ms));
    const url = `http://127.0.0.1:${server.addr.port}`;
    await assert.rejects(client({ url }, { tries: 2, wait }).request({ method: "GET", key: "x" }));
    assert.deepEqual(waits, [expected]);
  }
});

Deno.test("S3Client.request() does not repeat what cannot succeed, and tells the way out", async () => {
  await using server = serveS3();
  const get = { method: "GET", key: "x" } as const;
  const secretAccessKey = "wrong-but-secret";
  const error = await client(server, {}, { secretAccessKey }).request(get).catch((error) => error);
  assert.match(error.message, /SignatureDoesNotMatch\. Check AWS_SECRET_ACCESS_KEY and AWS_REGION/);
  assert.ok(!Deno.inspect(error).includes(secretAccessKey));
  await assert.rejects(
    client(server, {}, { bucket: "none" }).request(get),
    /Make the bucket first/,
  );
  await assert.rejects(
    client(server, {}, { accessKeyId: "WRONGKEYID" }).request(get),
    /status 403 InvalidAccessKeyId\. Check AWS_ACCESS_KEY_ID and S3_ENDPOINT/,
  );
});

Deno.test("S3Client.request() stops at once when told to, also while it waits", async () => {
  await using server = serveS3({ fault: () => "500" });
  const stop = new AbortController();
  server.way.before = () => stop.abort(new Error("Interrupted"));
  await assert.rejects(
    client(server, {}).request({ method: "GET", key: "x", signal: stop.signal }),
    /Interrupted/,
  );
  assert.equal(server.asked.length, 1);
});

Deno.test("xmlValue() unescapes what servers escape", () => {
  assert.equal(xmlValue("<A><Key>a&amp;b&#39;&#x41;&quot;&odd;</Key></A>", "Key"), `a&b'A"&odd;`);
  assert.equal(xmlValue("<A></A>", "Key"), undefined);
});

Deno.test("keepsConditions() finds the server that ignores conditions, and leaves nothing behind", async () => {
  await using good = serveS3();
  assert.equal(await keepsConditions(bucketStore(good)), true);
  assert.equal(good.objects.size, 0);
  await using bad = serveS3({ ignoresConditions: true });
  assert.equal(await keepsConditions(bucketStore(bad)), false);
  assert.equal(bad.objects.size, 0);
});

Deno.test("lookBeforeWrite() keeps a condition that an ignorant server would break", async () => {
  await using server = serveS3({ ignoresConditions: true });
  const store = lookBeforeWrite(bucketStore(server));
  const bytes = new TextEncoder().encode("one");
  const headers = { contentType: "text/plain", cacheControl: "no-store" };
  await store.put("a.json", bytes, { ...headers, condition: { ifAbsent: true } });
  for (const condition of [{ ifAbsent: true } as const, { ifMatch: '"other"' }]) {
    await assert.rejects(store.put("a.json", bytes, { ...headers, condition }), ConditionFailed);
  }
  const { etag } = (await store.get("a.json"))!;
  await store.put("a.json", bytes, { ...headers, condition: { ifMatch: etag } });
});

Deno.test("openStore() says which variable is missing, and repeats none of their values", () => {
  const env: Record<string, string> = s3Environment({ url: "https://s3.example.org" });
  const open = (target: string, changes: Record<string, string> = {}) => {
    const all = { ...env, ...changes };
    return openStore(target, { clock: new MovedClock(), env: (name) => all[name] });
  };
  assert.equal(open("s3://carriers/a/b/").name, "s3://carriers/a/b");
  assert.equal(open("s3://carriers").name, "s3://carriers");
  assert.equal(open("folder/x").name, "folder/x");
  assert.equal(open("file:///folder/x").name, "/folder/x");
  for (const name of ["S3_ENDPOINT", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]) {
    assert.throws(() => open("s3://carriers", { [name]: "" }), {
      message: `Cannot open s3://carriers: set ${name} in the environment`,
    });
  }
  for (
    const url of ["https://a:pass@example.org", "https://example.org/?pass", "ftp://pass", "pass"]
  ) {
    assert.throws(() => open("s3://carriers", { S3_ENDPOINT: url }), (error: Error) => {
      assert.match(error.message, /Cannot use S3_ENDPOINT/);
      return !error.message.includes("pass");
    });
  }
  for (const target of ["", "s3://", "s3://A_B", "s3://carriers/../x", "s3://carriers//x"]) {
    assert.throws(() => open(target), TypeError, target);
  }
  assert.throws(() => open("gs://carriers"), /use a folder or s3/);
});
