import assert from "node:assert/strict";
import { calculationOperation } from "../../../api/operations/operation.ts";
import { z } from "zod";
import { BASE_URL, call, testService } from "./service.ts";

Deno.test("lookup() answers a carrier with six checks and names its snapshot", async () => {
  const { app } = testService();
  const { status, body, headers } = await call(app, "/api/v1/carriers/295017");
  assert.equal(status, 200);
  assert.equal(body.dot, "295017");
  assert.equal(body.name, "SOME CARRIER");
  assert.equal(body.page_url, `${BASE_URL}/carriers/295017`);
  assert.equal(body.snapshot.id, "a");
  assert.equal(headers.get("snapshot-id"), "a");
});

Deno.test("lookup() takes leading zeros for the same number", async () => {
  const { app } = testService();
  const { text } = await call(app, "/api/v1/carriers/295017");
  assert.equal((await call(app, "/api/v1/carriers/00295017")).text, text);
  assert.equal((await call(app, "/api/v1/carriers/295017?dot=1&dot=2&x=%ZZ")).text, text);
});

Deno.test("lookup() answers 404 with its snapshot for an unknown number", async () => {
  const { app } = testService();
  for (const target of ["/api/v1/carriers/295018", "/api/v1/carriers/1", "/api/v1/mc/1"]) {
    const { status, body, headers } = await call(app, target);
    assert.deepEqual([status, body.error.code], [404, "not_found"]);
    assert.equal(headers.get("snapshot-id"), "a");
  }
});

Deno.test("lookup() answers 400 with a safe, short message for an invalid number", async () => {
  const { app } = testService();
  const bad = ["0", "00000000", "123456789", "12A", "-5", "1.5", "1e3", "%20", "+1", "%00", "%ZZ"];
  const worse = [
    "٣",
    "%D9%A3",
    "%F0%9F%9A%9A",
    "1%2F2",
    "<script>",
    "'--",
    "9".repeat(5000),
    "%E2%80%AE1",
  ];
  for (const text of [...bad, ...worse]) {
    const carrier = await call(app, `/api/v1/carriers/${text}`);
    assert.deepEqual([carrier.status, carrier.body.error.code], [400, "invalid_dot_number"], text);
    assert.match(carrier.body.error.message, /^[\x20-\x7e]{1,160}$/);
    const mc = await call(app, `/api/v1/mc/${text}`);
    assert.deepEqual([mc.status, mc.body.error.code], [400, "invalid_mc_number"], text);
    const due = await call(app, `/api/v1/mcs150-due-date?dot=${text}`);
    assert.deepEqual([due.status, due.body.error.code], [400, "invalid_dot_number"], text);
  }
  const { body } = await call(app, "/api/v1/carriers/12A");
  assert.equal(
    body.error.message,
    "Cannot parse USDOT number 12A: not a digit at position 3",
  );
});

Deno.test("mc() answers the first holder and lists the others", async () => {
  const { app } = testService();
  const { snapshot, ...found } = (await call(app, "/api/v1/mc/0143229")).body;
  assert.equal(snapshot.id, "a");
  assert.deepEqual(found, {
    mc_number: "143229",
    dot: "146793",
    page_url: `${BASE_URL}/carriers/146793`,
    api_url: `${BASE_URL}/api/v1/carriers/146793`,
    other_dots: ["295017"],
  });
  assert.deepEqual((await call(app, "/api/v1/mc/186800")).body.other_dots, []);
  assert.equal((await call(app, "/api/v1/mc/77")).status, 404);
});

Deno.test("mcs150-due-date() answers by the digits alone, with no snapshot at hand", async () => {
  const { app, objects } = testService();
  objects.clear();
  const { body } = await call(app, "/api/v1/mcs150-due-date?dot=01234567");
  assert.deepEqual([body.dot, body.month, body.year_parity], ["1234567", "July", "even"]);
  assert.equal(body.next_due, "2028-07-31");
});

Deno.test("ucr-fee() answers with the newest year unless asked for another", async () => {
  const { app } = testService();
  const fee = async (query: string) => (await call(app, `/api/v1/ucr-fee?${query}`)).body;
  assert.deepEqual([(await fee("vehicles=4")).year, (await fee("vehicles=4")).fee_usd], [
    2027,
    167,
  ]);
  assert.equal((await fee("vehicles=4&year=2026")).fee_usd, 138);
  assert.equal((await fee("vehicles=0")).bracket, 1);
  assert.equal((await fee("vehicles=1001")).fee_usd, 54165);
});

Deno.test("ucr-fee() answers 400 with the parameter's code for bad, missing and repeated ones", async () => {
  const { app } = testService();
  const cases: [query: string, code: string][] = [
    ["", "invalid_vehicles"],
    ["vehicles=", "invalid_vehicles"],
    ["vehicles=-1", "invalid_vehicles"],
    ["vehicles=4.0", "invalid_vehicles"],
    ["vehicles=1e3", "invalid_vehicles"],
    ["vehicles=+4", "invalid_vehicles"],
    ["vehicles=four", "invalid_vehicles"],
    [`vehicles=${"9".repeat(400)}`, "invalid_vehicles"],
    ["vehicles=4&vehicles=4", "invalid_vehicles"],
    ["vehicles[]=4", "invalid_vehicles"],
    ["vehicles=4&year=", "invalid_year"],
    ["vehicles=4&year=2025", "invalid_year"],
    ["vehicles=4&year=2028", "invalid_year"],
    ["vehicles=4&year=2026&year=2027", "invalid_year"],
  ];
  for (const [query, code] of cases) {
    const { status, body } = await call(app, `/api/v1/ucr-fee?${query}`);
    assert.deepEqual([status, body.error.code], [400, code], query);
  }
  const twice = await call(app, "/api/v1/mcs150-due-date?dot=1&dot=2");
  assert.equal(twice.body.error.code, "invalid_dot_number");
  assert.equal((await call(app, "/api/v1/ucr-fee?vehicles=4&x=1&x=2")).status, 200);
});

Deno.test("every unknown path answers 404, malformed escapes among them", async () => {
  const { app } = testService();
  const paths = ["/", "/api", "/api/v1/carriers/", "/api/v1/carriers/1/", "/api/v1/carriers/1/x"];
  paths.push(
    "/%ZZ",
    "/%",
    "/api/v1/%FF/1",
    "//api/v1/carriers/1",
    "/API/v1/carriers/1",
    "/*",
    "/:dot",
  );
  for (const path of paths) {
    for (const method of ["GET", "POST", "HEAD", "OPTIONS", "DELETE"]) {
      assert.equal((await call(app, path, { method })).status, 404, `${method} ${path}`);
    }
  }
});

Deno.test("a wrong method answers 405 with Allow", async () => {
  const { app } = testService();
  const paths = ["/api/v1/carriers/1", "/api/v1/mc/%ZZ", "/api/v1/ucr-fee?vehicles=1"];
  for (const path of paths) {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "PROPFIND"]) {
      const { status, headers } = await call(app, path, { method });
      assert.equal(status, 405);
      assert.equal(headers.get("allow"), "GET, HEAD, OPTIONS");
    }
  }
});

Deno.test("HEAD answers as GET does, without the body", async () => {
  const { app } = testService();
  for (const path of ["/api/v1/carriers/295017", "/api/v1/carriers/1", "/api/v1/mc/x", "/no"]) {
    const head = await call(app, path, { method: "HEAD" });
    const get = await call(app, path);
    assert.equal(head.status, get.status);
    for (const name of ["etag", "snapshot-id", "cache-control", "content-type"]) {
      assert.equal(head.headers.get(name), get.headers.get(name));
    }
  }
});

Deno.test("OPTIONS answers a preflight for any origin", async () => {
  const { app } = testService();
  const { status, headers } = await call(app, "/api/v1/carriers/1", {
    method: "OPTIONS",
    headers: { "Access-Control-Request-Headers": "if-none-match", Origin: "https://a.example" },
  });
  assert.equal(status, 204);
  assert.equal(headers.get("access-control-allow-methods"), "GET, HEAD, OPTIONS");
  assert.match(headers.get("access-control-allow-headers") ?? "", /If-None-Match/);
  assert.equal(headers.get("allow"), "GET, HEAD, OPTIONS");
});

Deno.test("If-None-Match answers 304 for the same tag in any list, weak or strong, and for *", async () => {
  const { app } = testService();
  const path = "/api/v1/carriers/295017";
  const etag = (await call(app, path)).headers.get("etag")!;
  const strong = etag.slice(2);
  for (const header of [etag, strong, "*", ` * `, `"x", ${etag}`, `"a,b",W/"c" , ${strong},"d"`]) {
    const { status, headers } = await call(app, path, { headers: { "If-None-Match": header } });
    assert.equal(status, 304, header);
    assert.equal(headers.get("etag"), etag);
    assert.equal(headers.get("snapshot-id"), "a");
    assert.match(headers.get("cache-control") ?? "", /max-age/);
  }
  for (const header of ["", '"x"', etag.toUpperCase(), strong.slice(1, -1), "**", '"', 'W/"']) {
    assert.equal((await call(app, path, { headers: { "If-None-Match": header } })).status, 200);
  }
  for (const header of [etag, "*"]) {
    const missing = await call(app, "/api/v1/carriers/1", { headers: { "If-None-Match": header } });
    assert.equal(missing.status, 404);
  }
});

Deno.test("the ETag changes with the day in New York, and nothing is cached past midnight", async () => {
  const { app, clock } = testService();
  const path = "/api/v1/mcs150-due-date?dot=5";
  const first = await call(app, path);
  assert.equal(first.headers.get("cache-control"), "private, max-age=60");
  const midnight = Date.UTC(2026, 9, 6, 4);
  clock.advance(midnight - 45_500 - clock.now());
  const late = await call(app, path);
  assert.equal(late.headers.get("etag"), first.headers.get("etag"));
  assert.equal(late.headers.get("cache-control"), "private, max-age=45");
  clock.advance(45_499);
  assert.equal((await call(app, path)).headers.get("cache-control"), "private, max-age=0");
  clock.advance(1);
  const next = await call(app, path);
  assert.notEqual(next.headers.get("etag"), first.headers.get("etag"));
  assert.equal(next.headers.get("cache-control"), "private, max-age=60");
});

Deno.test("lookup() counts the days again each day, though it caches finished answers", async () => {
  const { app, clock } = testService();
  const days = async (): Promise<number> =>
    (await call(app, "/api/v1/carriers/295017")).body.mcs150.days_until_due;
  const first = await days();
  assert.equal(await days(), first);
  clock.advance(86_400_000);
  assert.equal(await days(), first - 1);
});

Deno.test("X-Request-Id is echoed when sane and made when not", async () => {
  const { app } = testService();
  for (const path of ["/api/v1/carriers/295017", "/no"]) {
    const ask = async (id: string) =>
      (await call(app, path, { headers: { "X-Request-Id": id } })).headers.get("x-request-id");
    assert.equal(await ask("Trace_1.2-3"), "Trace_1.2-3");
    for (const id of ["", "a b", "a\tb", "x".repeat(65), "<b>", "é"]) {
      assert.match(await ask(id) ?? "", /^[0-9a-f-]{36}$/);
    }
    assert.notEqual(await ask(""), await ask(""));
  }
});

Deno.test("lookup() answers 503 with Retry-After when nothing can be read, and recovers", async () => {
  const { app, source, logged } = testService();
  source.fault = () => "error";
  for (const path of ["/api/v1/carriers/295017", "/api/v1/mc/143229"]) {
    const { status, body, headers } = await call(app, path);
    assert.deepEqual([status, body.error.code], [503, "upstream_unavailable"]);
    assert.match(headers.get("retry-after") ?? "", /^\d+$/);
    assert.doesNotMatch(body.error.message, /current|shard|memory|status/);
  }
  assert.equal(logged.length, 2);
  assert.equal((await call(app, "/api/v1/ucr-fee?vehicles=4")).status, 200);
  source.fault = () => null;
  assert.equal((await call(app, "/api/v1/carriers/295017")).status, 200);
});

Deno.test("lookup() answers 503 when the shard is missing twice, and others continue", async () => {
  const { app, objects } = testService();
  assert.equal((await call(app, "/api/v1/carriers/146793")).status, 200);
  objects.delete("s/a/carriers/2950.json.gz");
  assert.equal((await call(app, "/api/v1/carriers/295017")).status, 503);
  assert.equal((await call(app, "/api/v1/carriers/146793")).status, 200);
});

Deno.test("an operation that throws answers 500 and reveals nothing internal", async () => {
  const failing = calculationOperation({
    id: "failing",
    method: "GET",
    path: "/api/v1/ucr-fee",
    summary: "",
    description: "",
    input: z.object({}),
    parameters: {},
    output: z.object({}),
    errors: [],
    run() {
      throw new Error("secret detail");
    },
  });
  const { app, logged } = testService([failing]);
  const { status, text, headers } = await call(app, "/api/v1/ucr-fee");
  assert.equal(status, 500);
  assert.doesNotMatch(text, /secret|\.ts|Error:/);
  assert.match(logged.join(), /secret detail/);
  assert.ok(logged.join().includes(headers.get("x-request-id")!));
  assert.ok(text.includes(headers.get("x-request-id")!));
});
