import assert from "node:assert/strict";
import { openStore } from "../../../pipeline/publish/open_store.ts";
import type { Store } from "../../../pipeline/publish/store.ts";
import { serve } from "../../serve.ts";
import { serveS3 } from "./s3_server.ts";
import { bucketStore, s3Environment } from "./world.ts";

Deno.test("an S3 store waits longer with each retry, and gives up after the last", async () => {
  await using server = serveS3({ fault: () => "500" });
  const waits: number[] = [];
  const wait = (ms: number) => Promise.resolve(void waits.push(ms));
  await assert.rejects(bucketStore(server, { tries: 5, wait }).get("current.json"), {
    message: "Cannot read s3://carriers/current.json: status 500 InternalError (tried 5 times)",
  });
  assert.equal(waits.length, 4);
  waits.forEach((ms, i) => assert.ok(ms >= 100 * 2 ** i && ms <= 200 * 2 ** i, waits.join()));
});

Deno.test("an S3 store gives up on a server that does not answer, and says so", async () => {
  const gate = Promise.withResolvers<void>();
  await using server = serveS3({ before: () => gate.promise });
  await assert.rejects(bucketStore(server, { tries: 2, timeout: 30 }).get("x"), {
    message: "Cannot read s3://carriers/x: no byte came for 0.03 s (tried 2 times)",
  });
  gate.resolve();
});

Deno.test("an S3 store waits a millisecond longer for each kilobyte that it sends", async () => {
  const gate = Promise.withResolvers<void>();
  await using server = serveS3({ before: () => gate.promise });
  const store = bucketStore(server, { tries: 1, timeout: 30 });
  await assert.rejects(store.put("x", new Uint8Array(70_000)), {
    message: "Cannot write s3://carriers/x: no byte came for 0.1 s (tried 1 times)",
  });
  gate.resolve();
});

Deno.test("an S3 store tries six times by default", async () => {
  await using server = serveS3({ fault: () => "500" });
  const env = s3Environment(server) as Record<string, string>;
  const patience = { wait: () => Promise.resolve() };
  const store = openStore("s3://carriers", { env: (name) => env[name], patience });
  await assert.rejects(store.get("x"), /\(tried 6 times\)$/);
});

Deno.test("an S3 store waits as long as the server asks, up to a minute", async () => {
  for (const [asked, expected] of [["7", 7_000], ["86400", 60_000]] as const) {
    const headers = { "retry-after": asked };
    await using server = serve(() => new Response(null, { status: 429, headers }));
    const waits: number[] = [];
    const wait = (ms: number) => Promise.resolve(void waits.push(ms));
    await assert.rejects(bucketStore(server, { tries: 2, wait }).get("x"));
    assert.deepEqual(waits, [expected]);
  }
});

Deno.test("an S3 store does not retry what cannot succeed, and says how to fix it", async () => {
  await using server = serveS3();
  const secret = "wrong-but-secret";
  const error = await bucketStore(server, { env: { AWS_SECRET_ACCESS_KEY: secret } }).get("x")
    .catch((error) => error);
  assert.match(
    error.message,
    /SignatureDoesNotMatch\. Check AWS_SECRET_ACCESS_KEY and AWS_REGION$/,
  );
  assert.ok(!Deno.inspect(error).includes(secret));
  const cases: [Parameters<typeof bucketStore>[1], RegExp][] = [
    [{ target: "s3://none" }, /Create the bucket first/],
    [{ env: { AWS_ACCESS_KEY_ID: "WRONGKEYID" } }, /403 InvalidAccessKeyId\. Check AWS_ACCESS_KEY/],
  ];
  for (const [how, said] of cases) await assert.rejects(bucketStore(server, how).get("x"), said);
});

Deno.test("an S3 store stops immediately when aborted, also while it waits", async () => {
  await using server = serveS3({ fault: () => "500" });
  const stop = new AbortController();
  server.way.before = () => stop.abort(new Error("Interrupted"));
  await assert.rejects(bucketStore(server).get("x", stop.signal), /Interrupted/);
  assert.equal(server.asked.length, 1);
});

Deno.test("openStore() says which variable is missing, and never prints a value", () => {
  const server = { url: "https://s3.example.org" };
  const open = (target: string, env = {}) => bucketStore(server, { target, env });
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
  assert.throws(() => open(""), /it is empty/);
  for (const target of ["s3://", "s3://A_B", "s3://carriers/../x", "s3://carriers//x"]) {
    assert.throws(() => open(target), /not s3:\/\/bucket\/prefix/, target);
  }
  assert.throws(() => open("gs://carriers"), /use a folder or s3/);
});

// S3 rejects a request to delete nothing.
Deno.test("an S3 store sends no request to delete nothing", async () => {
  await using server = serveS3();
  await bucketStore(server).delete([]);
  assert.deepEqual(server.asked, []);
});

Deno.test("an S3 store deletes at most 1,000 objects in a request, and says which could not be deleted", async () => {
  await using server = serveS3();
  const paths = Array.from({ length: 1_001 }, (_, i) => `s/${i}`);
  await bucketStore(server).delete(paths.slice(1));
  assert.equal(server.asked.length, 1);
  await bucketStore(server).delete(paths);
  assert.equal(server.asked.length, 3);
  const failed = "<Error><Key>a&amp;b&#39;&#x27;&other;</Key><Code>AccessDenied</Code></Error>";
  await using refusing = serve(() => new Response(`<DeleteResult>${failed}</DeleteResult>`));
  await assert.rejects(bucketStore(refusing).delete(["x"]), {
    message: "Cannot delete s3://carriers/a&b''&other;: AccessDenied",
  });
});

/** A response to every request, what is asked, and what the store says; undefined when it accepts the response. */
const ODD: [
  response: [body: string | null, init?: ResponseInit],
  ask: (store: Store) => Promise<unknown>,
  says: RegExp | undefined,
][] = [
  [["<ListBucketResult>"], list, /Cannot list s3:.*: status 200 without a whole list$/],
  [["<ListBucketResult></ListBucketResult>", { status: 404 }], list, /status 404 without a whole/],
  [
    ["<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"],
    list,
    /a page has no continuation token$/,
  ],
  [["x"], (store) => store.get("x"), /Cannot read s3:.*: the answer has no ETag$/],
  [[null, { status: 204 }], (store) => store.put("x", new Uint8Array()), undefined],
  [
    [null, { status: 412 }],
    (store) => store.put("x", new Uint8Array()),
    /Cannot write .*status 412$/,
  ],
  [
    ["<Error><Code>\u001b[31m red</Code></Error>", { status: 400 }],
    (store) => store.get("x"),
    /Cannot read s3:\/\/carriers\/x: status 400$/,
  ],
];

function list(store: Store): Promise<unknown> {
  return Array.fromAsync(store.list("s/"));
}

Deno.test("an S3 store says what is odd about a response", async () => {
  for (const [[body, init], ask, says] of ODD) {
    await using server = serve(() => new Response(body, init));
    const asked = ask(bucketStore(server, { tries: 1 }));
    if (says === undefined) await asked;
    else await assert.rejects(asked, { name: "Error", message: says });
  }
});

Deno.test("openStore() signs for AWS_REGION, by default auto, and with a session token if there is one", async () => {
  const signed: string[] = [];
  await using server = serve(({ headers }) => {
    const [, region] = /\/\d{8}\/([^/]*)\/s3\//.exec(headers.get("authorization")!)!;
    signed.push(`${region} ${headers.get("x-amz-security-token")}`);
    return new Response(null, { status: 404 });
  });
  await bucketStore(server).get("x");
  await bucketStore(server, { env: { AWS_REGION: "eu-1", AWS_SESSION_TOKEN: "token" } }).get("x");
  assert.deepEqual(signed, ["auto null", "eu-1 token"]);
});
