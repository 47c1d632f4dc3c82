/**
 * A service over a hand-made snapshot, and a way to call it that checks every answer.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { App } from "../../../api/http/app.ts";
import type { ConnectionInfo } from "../../../api/http/client.ts";
import { ERROR_STATUS, ErrorBody } from "../../../api/operations/errors.ts";
import type { Operation } from "../../../api/operations/operation.ts";
import { BATCH_OPERATIONS, OPERATIONS, SERVICE_OPERATIONS } from "../../../api/operations/table.ts";
import {
  assemble,
  createService,
  type Parts,
  type Service,
  type ServiceOptions,
} from "../../../api/service.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import {
  MemorySource,
  type Objects,
  putSnapshot,
  record,
  TestClock,
} from "../../pipeline/snapshot/memory.ts";
import { FakeKv } from "../state/fake_kv.ts";

/** Address in the answers of the service under test. */
export const BASE_URL = "https://carriers.example";

/** The app as composed in production, except for the options. A log line fails the test. */
export function testApp(
  parts: Pick<Parts, "reader" | "clock"> & Partial<Parts>,
): ReturnType<typeof assemble> {
  const kv = parts.kv ?? new FakeKv();
  return assemble({
    source: new MemorySource(new Map()),
    kv,
    storeInPlace: () => Promise.resolve(),
    countIn: kv,
    proxyHops: 0,
    sharedCache: false,
    mailer: null,
    sleep: () => Promise.resolve(),
    baseUrl: BASE_URL,
    log: (line) => assert.fail(line),
    ...parts,
  });
}

/** A service as production creates it, over a place of snapshots. A line of log fails the test. */
export function serviceAt(
  snapshotUrl: string,
  given: Pick<ServiceOptions, "clock"> & Partial<ServiceOptions>,
): Service {
  return createService({
    snapshotUrl,
    baseUrl: BASE_URL,
    kvPath: ":memory:",
    countInStore: false,
    proxyHops: 0,
    sharedCache: false,
    mailer: null,
    log: (line) => assert.fail(line),
    ...given,
  });
}

/** A service over one small snapshot, `a`, that counts requests in its store. */
export function testService(operations: readonly Operation[] = OPERATIONS) {
  const objects: Objects = new Map();
  putSnapshot(objects, {
    id: "a",
    carriers: [
      record(295017, { legal_name: "SOME CARRIER", mcs150_date: "2026-01-23", power_units: 4 }),
      record(146793),
    ],
    dockets: { MC: { 143229: [146793, 295017], 186800: [295017] }, FF: { 77: [295017] } },
  });
  const source = new MemorySource(objects);
  const clock = new TestClock();
  const logged: string[] = [];
  const reader = new SnapshotReader(source, { clock, after: () => () => {} });
  const log = (line: string): void => void logged.push(line);
  const kv = new FakeKv();
  const { app } = testApp({ reader, source, clock, kv, log, operations });
  return { app, objects, source, clock, kv, logged };
}

/** A service and the things it is made from. */
export type TestService = ReturnType<typeof testService>;

/** An answer that has kept its promises. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // deno-lint-ignore no-explicit-any -- tests read members that the schemas have already checked
  body: any;
}

/**
 * Sends a request and checks the invariants of every answer: headers, schema, error shape. It comes from
 * an address of its own, unless one is given.
 */
export async function call(
  app: App,
  target: string,
  { peer, ...init }: RequestInit & { peer?: string } = {},
): Promise<Answer> {
  const request = new Request(`http://localhost${target}`, init);
  const answer = await answerOf(await app.fetch(request, from(peer)));
  return checkAnswer(answer, { method: request.method, target });
}

/** An answer as it came. */
export async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = text !== "" && headers.get("content-type")?.startsWith("application/json");
  return { status, headers, text, body: isJson ? JSON.parse(text) : null };
}

/** A connection from an address, any one unless it is given. */
export function from(
  hostname: string = crypto.getRandomValues(new Uint8Array(4)).join("."),
): ConnectionInfo {
  return { remoteAddr: { transport: "tcp", hostname, port: 1 } };
}

/** Checks the invariants of every answer of the service. */
export function checkAnswer(
  answer: Answer,
  { method, target }: { method: string; target: string },
): Answer {
  const { status, headers, text, body } = answer;
  const where = `${method} ${target.slice(0, 100)} ${status}`;
  assert.match(headers.get("x-request-id") ?? "", /^[A-Za-z0-9._-]{1,64}$/, where);
  assert.equal(headers.get("access-control-allow-origin"), "*", where);
  assert.equal(headers.get("access-control-allow-credentials"), null, where);
  assert.match(
    headers.get("access-control-expose-headers") ?? "",
    /Snapshot-Id, Snapshot-Age.*RateLimit/,
  );
  assert.equal(headers.get("x-content-type-options"), "nosniff", where);
  assert.equal(headers.get("www-authenticate"), null, where);
  assert.equal(headers.get("ratelimit-limit"), "60", where);
  assert.equal(headers.get("ratelimit-policy"), "60;w=60", where);
  assert.match(headers.get("ratelimit-remaining") ?? "", /^([0-9]|[1-5][0-9]|60)$/, where);
  assert.match(headers.get("ratelimit-reset") ?? "", /^([0-9]|[1-5][0-9]|60)$/, where);
  if (status === 204 || status === 304 || method === "HEAD") {
    assert.equal(text, "", where);
    return answer;
  }
  assert.equal(headers.get("content-type"), "application/json; charset=utf-8", where);
  if (status === 200 || status === 202) {
    const batch = BATCH_OPERATIONS.find((operation) => fits(operation, { method, target }));
    if (batch !== undefined) {
      batch.output.parse(body);
      assert.equal(headers.get("cache-control"), "no-store", where);
      assert.ok(headers.has("snapshot-id"), where);
      return answer;
    }
    const operation = [...OPERATIONS, ...SERVICE_OPERATIONS].find((operation) =>
      fits(operation, { method, target })
    );
    assert.ok(operation, where);
    operation.output.parse(body);
    assert.match(headers.get("cache-control") ?? "", /^private, max-age=\d+$/, where);
    assert.equal(headers.get("cdn-cache-control"), null, where);
    assert.match(headers.get("etag") ?? "", /^W\/"[\x21\x23-\x7e]+"$/, where);
    assert.equal(headers.has("snapshot-id"), operation.reads === "snapshot", where);
    assert.equal(headers.has("snapshot-age"), operation.reads === "snapshot", where);
  } else {
    const { error } = ErrorBody.strict().parse(body);
    assert.equal(status, ERROR_STATUS[error.code], where);
    assert.equal(headers.get("cache-control"), "no-store", where);
    assert.equal(headers.has("retry-after"), [429, 503].includes(status), where);
    assert.equal(headers.has("allow"), status === 405, where);
    assert.ok(text.length < 400, where);
  }
  return answer;
}

function fits(
  operation: { path: string; method: string },
  { method, target }: { method: string; target: string },
): boolean {
  const pattern = new RegExp(`^${operation.path.replace(/\{\w+\}/g, "[^/]+")}$`);
  return operation.method === method && pattern.test(target.split("?")[0]!);
}

/** Known, with leading zeros, no number, unknown, and again. */
export const DOTS = ["295017", "00146793", "0", "77", "295017"];

/** Path of batches. */
export const BATCH = "/api/v1/carriers/batch";

/** Path of jobs. */
export const JOBS = "/api/v1/jobs";

/** Sends a list. */
export function post(
  { app }: Pick<TestService, "app">,
  path: string,
  { key, peer, body = { dots: DOTS }, type = "application/json" }: {
    key?: string;
    peer?: string;
    body?: unknown;
    type?: string;
  } = {},
): Promise<Answer> {
  return call(app, path, {
    method: "POST",
    headers: { "content-type": type, ...key === undefined ? {} : { "idempotency-key": key } },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...peer === undefined ? {} : { peer },
  });
}
