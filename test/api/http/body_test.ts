import assert from "node:assert/strict";
import fc from "fast-check";
import { readIdempotencyKey, readJson } from "../../../api/http/input.ts";
import type { ServiceError } from "../../../api/operations/errors.ts";

const LIMIT = 1000;

function post(body: BodyInit | null, headers: Record<string, string> = {}): Request {
  const all = { "content-type": "application/json", ...headers };
  return new Request("http://localhost/", { method: "POST", body, headers: all });
}

Deno.test("readJson() reads JSON under the names that JSON has", async () => {
  const types = [
    "application/json",
    "Application/JSON; charset=UTF-8",
    'application/json;charset="utf-8"; x=y',
    "application/json;",
    "application/vnd.carriers+json",
    " application/json ; boundary=a",
  ];
  for (const type of types) {
    const request = post('{"dots":["1"]}', { "content-type": type });
    assert.deepEqual(await readJson(request, { limitBytes: LIMIT }), { dots: ["1"] }, type);
  }
  const marked = post("\ufeff[1]", { "content-encoding": "identity" });
  assert.deepEqual(await readJson(marked, { limitBytes: LIMIT }), [1]);
});

Deno.test("readJson() refuses another media type, charset or coding", async () => {
  const cases: Record<string, string>[] = [
    { "content-type": "" },
    { "content-type": "text/json" },
    { "content-type": "application/jsonx" },
    { "content-type": "application/x-www-form-urlencoded" },
    { "content-type": "application/json, text/plain" },
    { "content-type": "application/json; charset=latin1" },
    { "content-type": "application/json; charset=utf-8, application/json" },
    { "content-type": "application/json; charset" },
    { "content-encoding": "gzip" },
  ];
  for (const headers of cases) {
    await assert.rejects(readJson(post("{}", headers), { limitBytes: LIMIT }), {
      code: "unsupported_media_type",
    }, JSON.stringify(headers));
  }
  const bare = new Request("http://localhost/", { method: "POST", body: new Uint8Array([123]) });
  await assert.rejects(readJson(bare, { limitBytes: LIMIT }), { code: "unsupported_media_type" });
});

Deno.test("readJson() refuses what is not JSON in UTF-8 and says where, without showing it", async () => {
  const cases: [body: BodyInit | null, message: string][] = [
    [null, "Cannot read the body: it is empty"],
    ["", "Cannot read the body: it is empty"],
    [" \n", "Cannot read the body: it is empty"],
    [new Uint8Array([34, 0xff, 34]), "Cannot read the body: not UTF-8"],
    [new Uint8Array([34, 0xc3]), "Cannot read the body: not UTF-8"],
    ['{"dots": [12A]}', "Cannot parse the body as JSON: wrong at position 13"],
    ['{"dots":["1",]}', "Cannot parse the body as JSON: wrong at position 14"],
    ['{"a":1', "Cannot parse the body as JSON: wrong at position 7"],
    ['{"a":', "Cannot parse the body as JSON: it ends too early"],
    ["<script>", "Cannot parse the body as JSON: wrong at position 1"],
    // V8's message quotes the caller's text, which looks like its end.
    ["[1, x at position 7]", "Cannot parse the body as JSON: wrong at position 5"],
    ["x at position 7 (line 1 column 1)", "Cannot parse the body as JSON: wrong at position 1"],
  ];
  for (const [body, message] of cases) {
    await assert.rejects(readJson(post(body), { limitBytes: LIMIT }), {
      code: "invalid_body",
      message,
    });
  }
});

Deno.test("readJson() returns what JSON.parse() returns, or its own message", async () => {
  const piece = fc.constantFrom(
    ...'{}[],:"\\\n',
    "12",
    "-",
    "e",
    "tru",
    "null",
    "é",
    "\u0001",
    " ",
  );
  const text = fc.oneof(fc.json(), fc.array(piece, { maxLength: 12 }).map((all) => all.join("")));
  await fc.assert(fc.asyncProperty(text, async (text) => {
    let expected: unknown;
    try {
      expected = JSON.parse(text);
    } catch {
      await assert.rejects(readJson(post(text), { limitBytes: 10_000 }), (error: ServiceError) => {
        assert.equal(error.code, "invalid_body");
        const shape =
          /^Cannot (?:parse the body as JSON: (?:wrong at position (\d+)|it ends too early)|read the body: it is empty)$/;
        const [, position] = shape.exec(error.message)!;
        assert.ok(Number(position ?? 1) >= 1 && Number(position ?? 1) <= text.length + 1);
        return true;
      });
      return;
    }
    assert.deepEqual(await readJson(post(text), { limitBytes: 10_000 }), expected);
  }));
});

/** A body that comes in parts, and records what was asked of it. */
function stream(parts: Iterable<Uint8Array | Error>): {
  request: Request;
  seen: { pulled: number; cancelled: boolean };
} {
  const seen = { pulled: 0, cancelled: false };
  const iterator = parts[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = iterator.next();
      // Nothing more, but not the end either: the caller stalls.
      if (done) return new Promise<void>(() => {});
      seen.pulled++;
      if (value instanceof Error) controller.error(value);
      else controller.enqueue(value);
      return undefined;
    },
    cancel() {
      seen.cancelled = true;
    },
  }, { highWaterMark: 0 });
  return { request: post(body), seen };
}

Deno.test("readJson() refuses a body that is too large, as soon as that shows", async () => {
  const unread = stream([]);
  const request = new Request(unread.request, {
    headers: { "content-type": "application/json", "content-length": String(LIMIT + 1) },
  });
  await assert.rejects(readJson(request, { limitBytes: LIMIT }), {
    code: "payload_too_large",
    message: `Cannot read the body: more than ${LIMIT} bytes`,
  });
  assert.equal(unread.seen.pulled, 0);

  function* endless(): Generator<Uint8Array> {
    for (;;) yield new Uint8Array(300).fill(32);
  }
  const { request: untold, seen } = stream(endless());
  await assert.rejects(readJson(untold, { limitBytes: LIMIT }), { code: "payload_too_large" });
  assert.deepEqual(seen, { pulled: 4, cancelled: true });

  const exact = `"${"x".repeat(LIMIT - 2)}"`;
  assert.equal(await readJson(post(exact), { limitBytes: LIMIT }), exact.slice(1, -1));
  await assert.rejects(readJson(post(exact + " "), { limitBytes: LIMIT }), {
    code: "payload_too_large",
  });
});

Deno.test("readJson() stops waiting for a body that stalls, and for one that breaks off", async () => {
  const control = new AbortController();
  const { request, seen } = stream([new TextEncoder().encode('{"dots"')]);
  const reading = readJson(request, { limitBytes: LIMIT, signal: control.signal });
  setTimeout(() => control.abort(), 5);
  const message = "Cannot read the body: it did not arrive in time";
  await assert.rejects(reading, { code: "invalid_body", message });
  assert.equal(seen.cancelled, true);

  const late = stream([]).request;
  await assert.rejects(readJson(late, { limitBytes: LIMIT, signal: AbortSignal.abort() }), {
    code: "invalid_body",
    message,
  });

  const broken = stream([new Uint8Array([91]), new Error("connection reset")]).request;
  await assert.rejects(readJson(broken, { limitBytes: LIMIT }), {
    code: "invalid_body",
    message: "Cannot read the body: it broke off",
  });
});

Deno.test("readIdempotencyKey() takes one string, quoted or not", () => {
  const key = "8e03978e-40d5-43e8-bc93-6894a57f9324";
  assert.equal(readIdempotencyKey(new Headers()), null);
  for (const value of [key, `"${key}"`, `  ${key} `]) {
    assert.equal(readIdempotencyKey(new Headers({ "idempotency-key": value })), key);
  }
  const cases: [value: string, key: string][] = [
    ['"a, b"', "a, b"],
    ['"say \\"hi\\" \\\\ bye"', 'say "hi" \\ bye'],
    ["a,b", "a,b"],
    ['a"b', 'a"b'],
    ["\u00e9", "\u00e9"],
    ["x".repeat(200), "x".repeat(200)],
    [`"${"x".repeat(200)}"`, "x".repeat(200)],
  ];
  for (const [value, key] of cases) {
    assert.equal(readIdempotencyKey(new Headers({ "idempotency-key": value })), key);
  }
});

Deno.test("readIdempotencyKey() refuses no string, a long one, control characters and several", () => {
  const several = new Headers([["idempotency-key", "a"], ["idempotency-key", "b"]]);
  const quoted = new Headers([["idempotency-key", '"a"'], ["idempotency-key", '"b"']]);
  const values = ["", " ", '""', "x".repeat(201), "a\tb", '"a\u007f"', '"a', '"a"b', '"\\n"', '"'];
  const all = [
    several,
    quoted,
    ...values.map((value) => new Headers({ "idempotency-key": value })),
  ];
  for (const headers of all) {
    assert.throws(() => readIdempotencyKey(headers), (error: ServiceError) => {
      assert.equal(error.code, "invalid_body");
      assert.match(error.message, /^Cannot (read|use) Idempotency-Key/);
      return true;
    }, JSON.stringify([...headers]));
  }
});
