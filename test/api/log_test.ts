import assert from "node:assert/strict";
import fc from "fast-check";
import type { Answered } from "../../api/http/exchange.ts";
import { lineBuffer, type LogFormat, openLog } from "../../api/log.ts";
import { TestClock } from "../pipeline/snapshot/memory.ts";
import { VirtualTime } from "../pipeline/virtual_time.ts";
import { ANY_UNIT } from "../any_unit.ts";

const ANSWERED: Answered = {
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
};

/** A log, and the lines that it writes about requests. */
function open(format: LogFormat) {
  const lines: string[] = [];
  const log = openLog(format, {
    clock: new TestClock(),
    after: () => () => {},
    write: (line) => lines.push(line),
    writeLater: (text) => Promise.resolve(void lines.push(...text.trimEnd().split("\n"))),
  });
  async function linesOf(...requests: Partial<Answered>[]): Promise<string[]> {
    for (const more of requests) log.requests?.({ ...ANSWERED, ...more });
    await log.flush();
    return lines.splice(0);
  }
  return { say: log.say, linesOf };
}

Deno.test("openLog() writes one JSON object per request, without a network address", async () => {
  const refused = { status: 429, bytes: 120 };
  const lines = await open("json").linesOf({}, { client: "192.0.2.8" }, refused);
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
  const [other] = await open("json").linesOf({});
  assert.notEqual(JSON.parse(other!).client, client);
});

Deno.test("openLog() writes one line for a hundred refusals, with their count and route", async () => {
  for (const format of ["json", "text"] as const) {
    const lines = await open(format).linesOf(...Array(1_000).fill({ status: 429 }), {});
    assert.equal(lines.length, 11, format);
    assert.match(lines[9]!, /\/api\/v1\/carriers\/\{dot\}.*429.*\b901\b/);
  }
});

Deno.test("openLog() writes one line per entry, whatever a request contains", async () => {
  const { say, linesOf } = open("json");
  const text = fc.string({ unit: ANY_UNIT });
  await fc.assert(fc.asyncProperty(text, text, async (client, method) => {
    say(method);
    const [said, request, ...more] = await linesOf({ method, client });
    assert.equal(JSON.parse(said!).message, method);
    assert.equal(JSON.parse(request!).method, method);
    assert.deepEqual(more, []);
  }));
});

Deno.test("openLog() writes short lines for people, and only failures when it is off", async () => {
  const texts = ["16:00:00 GET /api/v1/carriers/{dot} 200 0.4 ms", "16:00:00 GET - 404 0.4 ms"];
  for (const [format, lines] of [["text", texts], ["off", []]] as const) {
    const { say, linesOf } = open(format);
    say("The store fails");
    const written = await linesOf({}, { status: 404, route: undefined });
    assert.deepEqual(written, ["The store fails", ...lines]);
  }
});

/** A buffer, what it wrote, and a way to make writes block from now on. */
function bufferOf(most = 1_000) {
  const time = new VirtualTime();
  const written: string[] = [];
  const reader = { taken: Promise.resolve() };
  const buffer = lineBuffer({
    async write(text) {
      await reader.taken;
      written.push(text);
    },
    after: time.after,
    dropped: (lines) => `${lines} dropped`,
    most,
  });
  return { time, written, buffer, reader };
}

Deno.test("lineBuffer() collects lines and writes them together, in order", async () => {
  const { time, written, buffer } = bufferOf();
  buffer.push("a");
  buffer.push("b");
  time.after(50, () => buffer.push("c"));
  time.after(150, () => buffer.push("d"));
  await time.run();
  assert.deepEqual([written, time.waiting], [["a\nb\nc\n", "d\n"], 0]);
});

Deno.test("lineBuffer() never waits for its reader: when full it drops lines and reports that", async () => {
  const { time, written, buffer, reader } = bufferOf(10);
  const { promise, resolve } = Promise.withResolvers<void>();
  reader.taken = promise;
  buffer.push("12345");
  await time.run();
  for (const line of ["6789", "too long now", "too", "x"]) buffer.push(line);
  await time.run();
  assert.deepEqual(written, []);
  resolve();
  await time.run();
  assert.deepEqual(written, ["12345\n", "6789\nx\n2 dropped\n"]);
  buffer.push("1234567890");
  await time.run();
  assert.equal(written[2], "1234567890\n", "it writes again");
});

Deno.test("lineBuffer() continues after a failed write, and flush() also writes lines that arrive meanwhile", async () => {
  const { time, written, buffer, reader } = bufferOf();
  reader.taken = Promise.reject(new Error("no reader"));
  reader.taken.catch(() => {});
  buffer.push("lost");
  await time.run();
  const { promise, resolve } = Promise.withResolvers<void>();
  reader.taken = promise;
  buffer.push("a");
  await time.run();
  buffer.push("b");
  const flushed = buffer.flush();
  resolve();
  await flushed;
  await buffer.flush();
  assert.deepEqual([written, time.waiting], [["a\n", "b\n"], 0]);
});
