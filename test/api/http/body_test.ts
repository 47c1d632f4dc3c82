import assert from "node:assert/strict";
import fc from "fast-check";
import { readJsonBody } from "../../../api/http/body.ts";
import type { ServiceError } from "../../../api/operations/errors.ts";

const LIMIT = 1000;
const TOO_LARGE = {
  code: "payload_too_large",
  message: `Cannot read the body: more than ${LIMIT} bytes`,
};

function post(body: BodyInit, headers: Record<string, string> = {}): Request {
  const all = { "content-type": "application/json", ...headers };
  return new Request("http://localhost/", { method: "POST", body, headers: all });
}

function read(body: BodyInit, signal = AbortSignal.timeout(10_000)): Promise<unknown> {
  return readJsonBody(post(body), { limitBytes: LIMIT, signal });
}

Deno.test("readJson() reads only UTF-8, with or without a byte order mark", async () => {
  assert.deepEqual(await read("\ufeff[1]"), [1]);
  for (const bytes of [[34, 0xff, 34], [34, 0xc3]]) {
    const message = "Cannot read the body: not UTF-8";
    await assert.rejects(read(new Uint8Array(bytes)), { code: "invalid_body", message });
  }
  const bare = new Request("http://localhost/", { method: "POST", body: new Uint8Array([123]) });
  await assert.rejects(readJsonBody(bare, { limitBytes: LIMIT }), {
    code: "unsupported_media_type",
  });
});

Deno.test("readJson() returns what JSON.parse() returns, or its own message", async () => {
  const piece = fc.constantFrom(...'{}[],:"\\\n -e\u0001', "12", "tru", "null", "é");
  const text = fc.oneof(fc.json(), fc.array(piece, { maxLength: 12 }).map((all) => all.join("")));
  const shape =
    /^Cannot (?:parse the body as JSON(?:: wrong at position (\d+))?|read the body: it is empty)$/;
  await fc.assert(fc.asyncProperty(text, async (text) => {
    const reading = readJsonBody(post(text), { limitBytes: 10_000 });
    let expected: unknown;
    try {
      expected = JSON.parse(text);
    } catch {
      return await assert.rejects(reading, ({ code, message }: ServiceError) => {
        const [, position = 1] = shape.exec(message)!;
        return code === "invalid_body" && Number(position) >= 1 &&
          Number(position) <= text.length + 1;
      });
    }
    assert.deepEqual(await reading, expected);
  }));
});

/** A body that arrives in parts, and records how it was read. */
function stream(parts: Iterable<Uint8Array | Error>) {
  const seen = { pulled: 0, cancelled: false };
  const iterator = parts[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = iterator.next();
      // No more data, but no end either: the client stalls.
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
  return { body, seen };
}

Deno.test("readJson() refuses a body that is too large as soon as it is known to be", async () => {
  const unread = stream([]);
  const request = post(unread.body, { "content-length": String(LIMIT + 1) });
  await assert.rejects(readJsonBody(request, { limitBytes: LIMIT }), TOO_LARGE);
  assert.equal(unread.seen.pulled, 0);
  const { body, seen } = stream(Array(1_000).fill(new Uint8Array(300).fill(32)));
  await assert.rejects(read(body), TOO_LARGE);
  assert.deepEqual(seen, { pulled: 4, cancelled: true });
  const exact = `"${"x".repeat(LIMIT - 2)}"`;
  assert.equal(await read(exact), exact.slice(1, -1));
  await assert.rejects(read(exact + " "), TOO_LARGE);
});

Deno.test("readJson() stops waiting for a body that stalls or breaks off", async () => {
  const control = new AbortController();
  const { body, seen } = stream([new TextEncoder().encode('{"dots"')]);
  const reading = read(body, control.signal);
  setTimeout(() => control.abort(), 5);
  const late = { code: "invalid_body", message: "Cannot read the body: it did not arrive in time" };
  await assert.rejects(reading, late);
  assert.equal(seen.cancelled, true);
  await assert.rejects(read(stream([]).body, AbortSignal.abort()), late);
  const broken = stream([new Uint8Array([91]), new Error("connection reset")]).body;
  const message = "Cannot read the body: it broke off";
  await assert.rejects(read(broken), { code: "invalid_body", message });
});
