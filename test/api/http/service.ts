/**
 * A service over a hand-made snapshot, and a way to call it that checks every answer.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type App, createApp } from "../../../api/http/app.ts";
import { ERROR_STATUS, ErrorBody } from "../../../api/operations/errors.ts";
import type { Operation } from "../../../api/operations/operation.ts";
import { OPERATIONS } from "../../../api/operations/table.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import {
  MemorySource,
  type Objects,
  putSnapshot,
  record,
  TestClock,
} from "../../pipeline/snapshot/memory.ts";

/** Address in the answers of the service under test. */
export const BASE_URL = "https://carriers.example";

/** A service and the things it is made from. */
export interface TestService {
  app: App;
  objects: Objects;
  source: MemorySource;
  clock: TestClock;
  logged: string[];
}

/** A service over one small snapshot, `a`. */
export function testService(operations: readonly Operation[] = OPERATIONS): TestService {
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
  const reader = new SnapshotReader(source, { clock });
  const log = (line: string): void => void logged.push(line);
  const app = createApp({ operations, reader, clock, baseUrl: BASE_URL, log });
  return { app, objects, source, clock, logged };
}

/** An answer that has kept its promises. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // deno-lint-ignore no-explicit-any -- tests read members that the schemas have already checked
  body: any;
}

/** Sends a request and checks what holds for every answer: headers, schema, error shape. */
export async function call(
  app: App,
  target: string,
  init: RequestInit = {},
): Promise<Answer> {
  const request = new Request(`http://localhost${target}`, init);
  const response = await app.fetch(request);
  return await checkAnswer(response, { method: request.method, target });
}

/** Checks what holds for every answer of the service. */
export async function checkAnswer(
  response: Response,
  { method, target }: { method: string; target: string },
): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  const where = `${method} ${target.slice(0, 100)} ${status}`;
  assert.match(headers.get("x-request-id") ?? "", /^[A-Za-z0-9._-]{1,64}$/, where);
  assert.equal(headers.get("access-control-allow-origin"), "*", where);
  assert.equal(headers.get("access-control-allow-credentials"), null, where);
  assert.match(headers.get("access-control-expose-headers") ?? "", /Snapshot-Id.*RateLimit/);
  assert.equal(headers.get("x-content-type-options"), "nosniff", where);
  assert.equal(headers.get("www-authenticate"), null, where);
  if (status === 204 || status === 304 || method === "HEAD") {
    assert.equal(text, "", where);
    return { status, headers, text, body: null };
  }
  assert.equal(headers.get("content-type"), "application/json; charset=utf-8", where);
  const body = JSON.parse(text);
  if (status === 200) {
    const operation = OPERATIONS.find(({ path }) =>
      new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`).test(target.split("?")[0]!)
    );
    assert.ok(operation, where);
    operation.output.parse(body);
    assert.match(headers.get("cache-control") ?? "", /^public, max-age=\d+$/, where);
    assert.match(headers.get("cdn-cache-control") ?? "", /^public, max-age=\d+$/, where);
    assert.match(headers.get("etag") ?? "", /^W\/"[\x21\x23-\x7e]+"$/, where);
    assert.equal(headers.has("snapshot-id"), operation.reads === "snapshot", where);
  } else {
    const { error } = ErrorBody.strict().parse(body);
    assert.equal(status, ERROR_STATUS[error.code], where);
    assert.equal(headers.get("cache-control"), "no-store", where);
    assert.equal(headers.has("retry-after"), status === 503, where);
    assert.equal(headers.has("allow"), status === 405, where);
    assert.ok(text.length < 400, where);
  }
  return { status, headers, text, body };
}
