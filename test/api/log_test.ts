import assert from "node:assert/strict";
import fc from "fast-check";
import type { Answered } from "../../api/http/exchange.ts";
import { lineBuffer, type LogFormat, openLog } from "../../api/log.ts";
import { TestClock } from "../pipeline/snapshot/memory.ts";
import { VirtualTime } from "../pipeline/virtual_time.ts";
import { ANY_UNIT } from "../any_unit.ts";

function open(format: LogFormat) {
  const lines: string[] = [];
  const clock = new TestClock();
  const log = openLog(format, {
    clock,
    after: () => () => {},
    write: (line) => lines.push(line),
    writeLater(text) {
      lines.push(...text.trimEnd().split("\n"));
      return Promise.resolve();
    },
  });
  return { ...log, lines, clock };
}

function answered(more: Partial<Answered> = {}): Answered {
  return {
    at: Date.UTC(2026, 9, 5, 16),
    requestId: "r",
    method: "GET",
    route: "/api/v1/carriers/{dot}",
    status: 200,
    ms: 0.4,
    client: "192.0.2.7",
    snapshotId: "a",
    cached: true,
    found: 0.2,
    ...more,
  };
}

Deno.test("openLog() writes one JSON object a request, with no address in it", async () => {
  const { requests, lines, flush } = open("json");
  requests!(answered());
  requests!(answered({ client: "192.0.2.8" }));
  requests!(answered({ status: 429, bytes: 120 }));
  await flush();
  assert.doesNotMatch(lines.join(), /192\.0\.2/);
  const [{ client, ...rest }, second, third] = lines.map((line) => JSON.parse(line));
  assert.deepEqual(rest, {
    time: "2026-10-05T16:00:00.000Z",
    request: "r",
    method: "GET",
    route: "/api/v1/carriers/{dot}",
    status: 200,
    ms: 0.4,
    snapshot: "a",
    cache: "hit",
  });
  assert.match(client, /^[\w-]{12}$/);
  assert.notEqual(second.client, client);
  assert.deepEqual([third.client, third.status, third.bytes], [client, 429, 120]);
  const other = open("json");
  other.requests!(answered());
  await other.flush();
  assert.notEqual(JSON.parse(other.lines[0]!).client, client);
});

Deno.test("openLog() writes one line of a hundred refusals, with their count and the route", async () => {
  for (const format of ["json", "text"] as const) {
    const { requests, lines, flush } = open(format);
    for (let i = 0; i < 1_000; i++) requests!(answered({ status: 429 }));
    requests!(answered());
    await flush();
    assert.equal(lines.length, 11, format);
    assert.match(lines[9]!, /\/api\/v1\/carriers\/\{dot\}.*429.*\b901\b/);
  }
});

Deno.test("openLog() writes lines, whatever a request contains", async () => {
  const { requests, say, lines, flush } = open("json");
  const text = fc.string({ unit: ANY_UNIT });
  await fc.assert(fc.asyncProperty(text, text, async (a, b) => {
    lines.length = 0;
    say(b);
    requests!(answered({ method: b, client: a }));
    await flush();
    assert.equal(lines.length, 2);
    assert.equal(JSON.parse(lines[0]!).message, b);
    assert.equal(JSON.parse(lines[1]!).method, b);
  }));
});

Deno.test("openLog() writes short lines for people, and with off only what goes wrong", async () => {
  const text = open("text");
  const { route: _, ...unrouted } = answered({ status: 404 });
  text.requests!(answered());
  text.requests!(unrouted);
  await text.flush();
  text.say("The store fails");
  assert.deepEqual(text.lines, [
    "16:00:00 GET /api/v1/carriers/{dot} 200 0.4 ms",
    "16:00:00 GET - 404 0.4 ms",
    "The store fails",
  ]);
  const off = open("off");
  assert.equal(off.requests, undefined);
  off.say("The store fails");
  await off.flush();
  assert.deepEqual(off.lines, ["The store fails"]);
});

function bufferOf(most?: number) {
  const time = new VirtualTime();
  const written: string[] = [];
  let taken: Promise<void> = Promise.resolve();
  const buffer = lineBuffer({
    async write(text) {
      await taken;
      written.push(text);
    },
    after: time.after,
    dropped: (lines) => `${lines} dropped`,
    ...(most === undefined ? {} : { most }),
  });
  return {
    time,
    written,
    buffer,
    /** What is written now is taken when the promise says so. */
    stall(until: Promise<void>) {
      taken = until;
    },
  };
}

Deno.test("lineBuffer() gathers lines and writes them together, in order", async () => {
  const { time, written, buffer } = bufferOf();
  buffer.push("a");
  buffer.push("b");
  time.after(50, () => buffer.push("c"));
  time.after(150, () => buffer.push("d"));
  await time.run();
  assert.deepEqual(written, ["a\nb\nc\n", "d\n"]);
  assert.equal(time.waiting, 0);
});

Deno.test("lineBuffer() never waits for its reader: it drops lines when full, and says so", async () => {
  const { time, written, buffer, stall } = bufferOf(10);
  const reader = Promise.withResolvers<void>();
  stall(reader.promise);
  buffer.push("12345");
  await time.run();
  for (const line of ["6789", "too long now", "too", "x"]) buffer.push(line);
  await time.run();
  assert.deepEqual(written, []);
  reader.resolve();
  await time.run();
  assert.deepEqual(written, ["12345\n", "6789\nx\n2 dropped\n"]);
  buffer.push("1234567890");
  await time.run();
  assert.equal(written[2], "1234567890\n", "it writes again");
});

Deno.test("lineBuffer() continues after a write that failed, and flush() writes what comes meanwhile", async () => {
  const { time, written, buffer, stall } = bufferOf();
  const failing = Promise.withResolvers<void>();
  stall(failing.promise);
  buffer.push("lost");
  await time.run();
  failing.reject(new Error("no reader"));
  await time.run();
  const reader = Promise.withResolvers<void>();
  stall(reader.promise);
  buffer.push("a");
  await time.run();
  buffer.push("b");
  const flushed = buffer.flush();
  reader.resolve();
  await flushed;
  await buffer.flush();
  assert.deepEqual([written, time.waiting], [["a\n", "b\n"], 0]);
});
