import assert from "node:assert/strict";
import { diagnose, type Diagnosis } from "../../api/doctor.ts";
import { SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { command, ROOT, startOne } from "../run_main.ts";
import { serve } from "../serve.ts";
import { published, s3Environment } from "../pipeline/publish/world.ts";
import { BUCKET, serveS3 } from "../pipeline/publish/s3_server.ts";
import { startServer } from "./alerts/smtp_server.ts";

async function diagnosed(env: Record<string, string>, ahead = 0): Promise<Diagnosis[]> {
  const clock = { ...SYSTEM_CLOCK, now: () => Date.now() + ahead };
  return await Array.fromAsync(diagnose(env, clock));
}

/** The lines of one check, as `state text`. */
function linesOf(all: readonly Diagnosis[], wanted: string): string[] {
  return all.filter(({ check }) => check === wanted).map(({ state, text }) => `${state} ${text}`);
}

/** The bucket's CORS rules, and the headers that it sends with the pointer. */
interface Rules {
  origin?: string;
  allowed?: string;
  exposed?: string;
  caching?: string;
}

const RIGHT: Rules = { origin: "*", allowed: "If-None-Match", exposed: "ETag" };

/** A data host in front of an address, with its own CORS rules. */
function host(root: string, { origin, allowed, exposed, caching }: Rules) {
  return serve(async (request) => {
    const headers = new Headers();
    if (origin !== undefined) headers.set("access-control-allow-origin", origin);
    if (request.method === "OPTIONS") {
      if (allowed === undefined) return new Response(null, { status: 403 });
      headers.set("access-control-allow-headers", allowed);
      return new Response(null, { status: 204, headers });
    }
    const response = await fetch(root + new URL(request.url).pathname);
    for (const name of ["cache-control", "etag"]) {
      const value = response.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    if (caching !== undefined) headers.set("cache-control", caching);
    if (exposed !== undefined) headers.set("access-control-expose-headers", exposed);
    return new Response(await response.arrayBuffer(), { status: response.status, headers });
  });
}

Deno.test("diagnose() reports nothing missing when bucket, data host, service, store and mail server work", async () => {
  await using days = await published(1);
  await using cdn = host(`${days.server.url}/${BUCKET}`, RIGHT);
  await using service = await startOne();
  const smtp = await startServer({ login: ["alerts", "s3cret"] });
  try {
    const all = await diagnosed({
      ...s3Environment(days.server),
      SNAPSHOT_TARGET: `s3://${BUCKET}`,
      SNAPSHOT_URL: cdn.url,
      BASE_URL: service.address,
      KV_PATH: ":memory:",
      SMTP_URL: `smtp://alerts:s3cret@127.0.0.1:${smtp.port}?ignoreTLS=true`,
      MAIL_FROM: "alerts@carriers.example",
    });
    assert.deepEqual(all.filter(({ state }) => state !== "ok"), []);
    assert.deepEqual(
      all.map(({ check }) => check),
      ["settings", "target", "data", "CORS", "service", "store", "mail", "clock"],
    );
    assert.equal(smtp.connections(), 1);
    assert.deepEqual(smtp.taken, []);
  } finally {
    await smtp.close();
  }
});

Deno.test("diagnose() reports in one line each what the data host's CORS and caching lack", async () => {
  await using days = await published(1);
  const cases: [Rules, string, RegExp[]][] = [
    [{}, "CORS", [/^missing .*no other origins/]],
    [{ origin: "*" }, "CORS", [/^missing AllowedHeaders: If-None-Match/, /^missing Expose.*ETag/]],
    [{ ...RIGHT, allowed: "Range" }, "CORS", [/^missing AllowedHeaders: If-None-Match/]],
    [{ origin: "*", allowed: "*" }, "CORS", [/^missing ExposeHeaders: ETag/]],
    [{ ...RIGHT, caching: "max-age=14400" }, "data", [/^ok /, /^missing Cache-Control .*14400/]],
  ];
  for (const [rules, check, wanted] of cases) {
    await using cdn = host(`${days.server.url}/${BUCKET}`, rules);
    const lines = linesOf(await diagnosed({ SNAPSHOT_URL: cdn.url }), check);
    assert.equal(lines.length, wanted.length, lines.join());
    wanted.forEach((pattern, at) => assert.match(lines[at]!, pattern));
  }
});

Deno.test("diagnose() reports what is wrong with settings, target, service, store, mail and clock", async () => {
  assert.match((await diagnosed({ PORT: "x" }))[0]!.text, /PORT: not a whole number/);
  const bare = await diagnosed({});
  assert.match(linesOf(bare, "settings").join(), /missing SNAPSHOT_URL.*missing BASE_URL/);
  assert.deepEqual(new Set(bare.slice(2).map(({ state }) => state)), new Set(["skipped"]));

  await using empty = serveS3();
  await using careless = serveS3({ ignoresConditions: true });
  const target = async (env: Record<string, string>): Promise<string> =>
    linesOf(await diagnosed({ SNAPSHOT_TARGET: `s3://${BUCKET}`, ...env }), "target").join();
  assert.match(await target({}), /^missing .*set S3_ENDPOINT/);
  assert.match(await target(s3Environment(empty)), /^ok .*missing nothing is published/);
  assert.match(await target(s3Environment(careless)), /^missing .*ignores If-Match/);
  const keys = { ...s3Environment(empty), AWS_SECRET_ACCESS_KEY: "wrong" };
  assert.match(await target(keys), /^missing .*403/);

  const smtp = await startServer({ login: ["alerts", "s3cret"] });
  try {
    const all = await diagnosed({
      S3_ENDPOINT: empty.url,
      SNAPSHOT_URL: `${empty.url}/${BUCKET}`,
      BASE_URL: "http://127.0.0.1:1",
      KV_PATH: "http://127.0.0.1:1",
      DENO_KV_ACCESS_TOKEN: "t0ken",
      SMTP_URL: `smtp://alerts:wr0ng@127.0.0.1:${smtp.port}?ignoreTLS=true`,
      MAIL_FROM: "alerts@carriers.example",
    }, 3_600_000);
    for (const check of ["data", "CORS", "service", "store", "mail", "clock"]) {
      assert.match(linesOf(all, check).join(), /^missing /, check);
    }
    assert.match(linesOf(all, "mail").join(), /AUTH.* answered 535/);
    assert.match(linesOf(all, "clock").join(), / 3[67]\d\d s ahead of 127/);
    assert.doesNotMatch(JSON.stringify(all), /wr0ng|t0ken/);
  } finally {
    await smtp.close();
  }
});

Deno.test("diagnose() reports a data host that serves another bucket than the target", async () => {
  await using days = await published(1);
  await using service = await startOne();
  const lines = linesOf(
    await diagnosed({
      ...s3Environment(days.server),
      SNAPSHOT_TARGET: `s3://${BUCKET}`,
      SNAPSHOT_URL: service.folder,
    }),
    "data",
  );
  assert.match(lines.join(), /missing SNAPSHOT_TARGET has .*another root/);
});

Deno.test("`deno task doctor` prints one line per check, and exits with 1 when something is missing", async () => {
  await using service = await startOne();
  const run = async (env: Record<string, string>, ...args: string[]) => {
    const task = ["run", "--no-prompt", "--allow-net", "--allow-env", "--allow-read"];
    const rights = ["--allow-write", "--allow-sys=hostname", `${ROOT}api/doctor.ts`];
    const ended = await command([...task, ...rights, ...args], { SNAPSHOT_TARGET: "", ...env })
      .output();
    const [out, err] = [ended.stdout, ended.stderr].map((bytes) => new TextDecoder().decode(bytes));
    return { code: ended.code, out: out!, err: err! };
  };
  const good = await run({ SNAPSHOT_URL: service.folder, BASE_URL: service.address });
  assert.equal(good.code, 0, good.out);
  assert.match(good.out, /^ok {7}settings .*\n[^]*\nNothing is missing\n$/);
  const bad = await run({ SNAPSHOT_URL: service.folder });
  assert.equal(bad.code, 1);
  assert.match(bad.out, /missing {2}settings {2}BASE_URL: .*\n[^]*\n1 missing\n$/);
  assert.equal((await run({}, "--help")).code, 0);
  const wrong = await run({}, "now");
  assert.deepEqual([wrong.code, wrong.out], [2, ""]);
  assert.match(wrong.err, /^Cannot use "now": .*\nRun "deno task doctor --help"/);
});
