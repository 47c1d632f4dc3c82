import assert from "node:assert/strict";
import fc from "fast-check";
import { readJson } from "../../../api/http/input.ts";
import type { ServiceError } from "../../../api/operations/errors.ts";

const LIMIT = 1000;

function post(body: BodyInit): Request {
  const headers = { "content-type": "application/json" };
  return new Request("http://localhost/", { method: "POST", body, headers });
}

Deno.test("readJson() reads UTF-8, a byte order mark before it, and nothing else", async () => {
  const read = (body: BodyInit) => readJson(post(body), { limitBytes: LIMIT });
  assert.deepEqual(await read("\ufeff[1]"), [1]);
  for (const bytes of [[34, 0xff, 34], [34, 0xc3]]) {
    const message = "Cannot read the body: not UTF-8";
    await assert.rejects(read(new Uint8Array(bytes)), { code: "invalid_body", message });
  }
  const bare = new Request("http://localhost/", { method: "POST", body: new Uint8Array([123]) });
  await assert.rejects(readJson(bare, { limitBytes: LIMIT }), { code: "unsupported_media_type" });
});

Deno.test("readJson() returns what JSON.parse() returns, or its own message", async () => {
  const piece = fc.constantFrom(...'{}[],:"\\\n -e\u0001', "12", "tru", "null", "é");
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
