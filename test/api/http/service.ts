/**
 * A service over a small snapshot built by hand, and calls that check every answer.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { App } from "../../../api/http/app.ts";
import type { ConnectionInfo } from "../../../api/http/client.ts";
import { ErrorBody, ERRORS } from "../../../api/operations/errors.ts";
import { BATCH_OPERATIONS, OPERATIONS, SERVICE_OPERATIONS } from "../../../api/operations/table.ts";
import {
  assembleService,
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

/** Base URL in the answers of the service under test. */
export const BASE_URL = "https://carriers.example";

/** The production app, except for the options. A log line fails the test. */
export function testApp(
  parts: Pick<Parts, "reader" | "clock"> & Partial<Parts>,
): ReturnType<typeof assembleService> {
  const kv = parts.kv ?? new FakeKv();
  return assembleService({
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

/** A production service over a snapshot root. A log line fails the test. */
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

/** The dependencies of a surface over objects whose reads can fail. Log lines are collected. */
export function surfaceOver(objects: Objects, baseUrl: string = BASE_URL) {
  const source = new MemorySource(objects);
  const clock = new TestClock();
  const logged: string[] = [];
  const log = (line: string): void => void logged.push(line);
  // Never stale, however busy the machine is.
  const reader = new SnapshotReader(source, { clock, after: () => () => {} });
  return { deps: { reader, clock, baseUrl, log }, source, logged };
}

/** A service over one small snapshot, `a`, that counts requests in its store. */
export function testService(more: Partial<Parts> & { kv?: FakeKv } = {}) {
  const objects: Objects = new Map();
  putSnapshot(objects, {
    id: "a",
    carriers: [
      record(295017, { legal_name: "SOME CARRIER", mcs150_date: "2026-01-23", power_units: 4 }),
      record(146793),
    ],
    dockets: { MC: { 143229: [146793, 295017], 186800: [295017] }, FF: { 77: [295017] } },
  });
  const { deps, source, logged } = surfaceOver(objects);
  const { kv = new FakeKv() } = more;
  const { app } = testApp({ ...deps, source, ...more, kv });
  return { app, objects, source, clock: deps.clock, kv, logged };
}

export type TestService = ReturnType<typeof testService>;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // deno-lint-ignore no-explicit-any -- tests read members that the schemas have already checked
  body: any;
}

/**
 * Sends a request and checks the invariants of every answer: headers, schema, error shape. By default it
 * comes from a new address.
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

/** An answer with its body's text. */
export async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = text !== "" && headers.get("content-type")?.startsWith("application/json");
  return { status, headers, text, body: isJson ? JSON.parse(text) : null };
}

/** A connection from an address; by default from a new one. */
export function from(
  hostname: string = crypto.getRandomValues(new Uint8Array(4)).join("."),
): ConnectionInfo {
  return { remoteAddr: { transport: "tcp", hostname, port: 1 } };
}

/** Patterns of headers; null for those that must be absent. */
type HeaderTable = Readonly<Record<string, RegExp | null>>;

const COUNTER = /^(\d|[1-5]\d|60)$/;
const OF_EVERY_ANSWER: HeaderTable = {
  "x-request-id": /^[A-Za-z0-9._-]{1,64}$/,
  "access-control-allow-origin": /^\*$/,
  "access-control-allow-credentials": null,
  "access-control-expose-headers": /Snapshot-Id, Snapshot-Age.*RateLimit/,
  "x-content-type-options": /^nosniff$/,
  "www-authenticate": null,
  "ratelimit-limit": /^60$/,
  "ratelimit-policy": /^60;w=60$/,
  "ratelimit-remaining": COUNTER,
  "ratelimit-reset": COUNTER,
};
const OF_CONTENT: HeaderTable = { "content-type": /^application\/json; charset=utf-8$/ };
const OF_A_LOOKUP: HeaderTable = {
  "cache-control": /^private, max-age=\d+$/,
  "cdn-cache-control": null,
  "etag": /^W\/"[\x21\x23-\x7e]+"$/,
};
const UNCACHED: HeaderTable = { "cache-control": /^no-store$/ };

/** Checks the invariants of every answer of the service. */
export function checkAnswer(
  answer: Answer,
  { method, target }: { method: string; target: string },
): Answer {
  const { status, headers, text, body } = answer;
  const where = `${method} ${target.slice(0, 100)} ${status}`;
  const like = (table: HeaderTable): void => {
    for (const [name, wanted] of Object.entries(table)) {
      const value = headers.get(name);
      if (wanted === null) assert.equal(value, null, `${where}: ${name}`);
      else assert.match(value ?? "", wanted, `${where}: ${name}`);
    }
  };
  like(OF_EVERY_ANSWER);
  if (status === 204 || status === 304 || method === "HEAD") {
    assert.equal(text, "", where);
    return answer;
  }
  const isText = headers.get("content-type")!.startsWith("text/csv");
  if (!isText) like(OF_CONTENT);
  if (status === 200 || status === 202) {
    const path = target.split("?")[0]!;
    const operation = [...OPERATIONS, ...SERVICE_OPERATIONS, ...BATCH_OPERATIONS].find((one) =>
      one.method === method &&
      new RegExp(`^${one.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(path)
    );
    assert.equal(isText, operation!.type === "text/csv", where);
    operation!.output.parse(isText ? text : body);
    const isBatch = BATCH_OPERATIONS.some((one) => one === operation);
    like(isBatch ? UNCACHED : OF_A_LOOKUP);
    assert.equal(headers.has("snapshot-id"), operation!.reads !== "nothing", where);
    if (!isBatch) assert.equal(headers.has("snapshot-age"), headers.has("snapshot-id"), where);
  } else {
    const { error } = ErrorBody.strict().parse(body);
    assert.equal(status, ERRORS[error.code].status, where);
    like(UNCACHED);
    assert.equal(headers.has("retry-after"), [429, 503].includes(status), where);
    assert.equal(headers.has("allow"), status === 405, where);
    assert.ok(text.length < 400, where);
  }
  return answer;
}

/** Known, with leading zeros, not a number, unknown, and a repeat. */
const DOTS = ["295017", "00146793", "0", "77", "295017"];

export const BATCH = "/api/v1/carriers/batch";
export const JOBS = "/api/v1/jobs";

/** Posts a list. */
export function post(
  { app }: Pick<TestService, "app">,
  path: string,
  { key, dots = DOTS, as_of, ...from }: {
    key?: string;
    peer?: string;
    dots?: readonly string[];
    as_of?: string;
  } = {},
): Promise<Answer> {
  const headers = { "content-type": "application/json", ...key && { "idempotency-key": key } };
  const body = JSON.stringify({ dots, as_of });
  return call(app, path, { method: "POST", headers, body, ...from });
}

/** A request as golden files write it, e.g. `POST /ask | header: value < body`; see requests_test.ts. */
export function requestOf(line: string): { request: Request; peer: string | undefined } {
  const text = line.replaceAll(/\{([^{}]+)\*(\d+)\}/g, (_, part, n) => part.repeat(Number(n)));
  const [head, body] = text.split(/ <(?: |$)(.*)/s) as [string, string?];
  const [first, ...given] = head.split(" | ");
  const [method, target] = first!.split(/ (.*)/s) as [string, string];
  const headers = new Headers(body === undefined ? {} : { "content-type": "application/json" });
  for (const header of given) {
    headers.set(...header.split(/: ?(.*)/s).slice(0, 2) as [string, string]);
  }
  const peer = headers.get("peer") ?? undefined;
  headers.delete("peer");
  return { request: new Request(BASE_URL + target, { method, headers, body: body ?? null }), peer };
}
