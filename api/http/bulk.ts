/**
 * The bulk operations over HTTP: bodies in, idempotency keys heeded, answers that are never cached.
 *
 * @module
 */

import type { Context, Hono } from "hono";
import { BATCH_LIMITS, batchCarriers } from "../operations/batch_carriers.ts";
import { readDots } from "../operations/dots.ts";
import { ServiceError } from "../operations/errors.ts";
import { createJob, getJob, JOB_LIMITS } from "../operations/jobs.ts";
import { type OperationContext, perform } from "../operations/operation.ts";
import { fingerprintOf, type Idempotency, type StoredResponse } from "../state/idempotency.ts";
import type { JobRunner } from "../state/jobs_runner.ts";
import type { Jobs } from "../state/jobs.ts";
import { KvUnavailable } from "../state/kv.ts";
import type { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { readIdempotencyKey, readJson } from "./body.ts";
import { errorResponse } from "./errors.ts";
import { commonHeaders, type HeaderList, snapshotHeaders } from "./headers.ts";
import { type Admitted, routeOf } from "./route.ts";

/** The state that bulk operations need. */
export interface BulkOptions {
  idempotency: Idempotency;
  jobs: Jobs;
  runner: JobRunner;
}

/** What the routes are made from. */
export interface BulkParts extends BulkOptions {
  reader: SnapshotReader;
  /** Day and address of an answer made now. */
  context: () => OperationContext;
  log: (line: string) => void;
}

type BulkContext = Context<{ Bindings: Admitted }>;

/** Milliseconds in which a body must have arrived. */
const BODY_MS = 10_000;

/** Seconds to wait when the store cannot be used. */
const RETRY_AFTER = 10;

/** Seconds to wait before looking at an unfinished job again. */
const POLL_AFTER = 1;

/** Adds the routes of batches and jobs. */
export function addBulkRoutes(app: Hono<{ Bindings: Admitted }>, parts: BulkParts): void {
  const { idempotency, jobs, runner, reader, context, log } = parts;

  app.post(
    routeOf(batchCarriers),
    guarded(batchCarriers, async (c) => {
      const { client } = c.env;
      const { key, dots, body } = await readRequest(c.req.raw, BATCH_LIMITS);
      const work = async (signal?: AbortSignal): Promise<StoredResponse> => {
        const { today, baseUrl } = context();
        const { answer, snapshotId, dataDate } = await perform(batchCarriers, body, {
          today,
          baseUrl,
          signal,
          reader,
          finish: JSON.stringify,
        });
        const headers = snapshotHeaders({ id: snapshotId!, dataDate: dataDate!, today });
        return { status: 200, headers, body: new TextEncoder().encode(answer) };
      };
      if (key === null) return stored(await work(), false);
      const fingerprint = await fingerprintOf(dots);
      const operation = batchCarriers.id;
      const { response, replayed } = await idempotency.run(
        { client, operation, key, fingerprint },
        work,
      );
      return stored(response, replayed);
    }),
  );

  app.post(
    routeOf(createJob),
    guarded(createJob, async (c) => {
      const { key, dots } = await readRequest(c.req.raw, JOB_LIMITS);
      const { response, replayed, id } = await jobs.create({
        client: c.env.client,
        dots,
        baseUrl: context().baseUrl,
        ...key === null ? {} : { idempotency: { key, fingerprint: await fingerprintOf(dots) } },
      });
      if (id !== null) runner.kick(id);
      return stored(response, replayed);
    }),
  );

  app.get(
    routeOf(getJob),
    guarded(getJob, async (c) => {
      const { job, results, free } = await jobs.get(c.req.param("id")!);
      if (free) runner.kick(job.id);
      const headers: HeaderList = [["Snapshot-Id", job.snapshot.id]];
      const text = JSON.stringify(job);
      if (results === null) {
        headers.push(["Retry-After", String(POLL_AFTER)]);
        return { status: 200, headers, body: text };
      }
      return { status: 200, headers, body: withResults(text, results) };
    }),
  );

  /** Runs the handler of an operation and makes an answer of what it returns or throws. */
  function guarded(
    { path }: { path: string },
    handle: (c: BulkContext) => Promise<Made>,
  ): (c: BulkContext) => Promise<Response> {
    return async (c) => {
      const { requestId, degraded, trace } = c.env;
      trace.route = path;
      try {
        if (degraded) throw new KvUnavailable("Cannot use the store: the rate limiter could not");
        const { status, headers, body } = await handle(c);
        const list = [...commonHeaders(requestId), ...BULK_HEADERS, ...headers];
        return new Response(c.req.raw.method === "HEAD" ? null : body, { status, headers: list });
      } catch (error) {
        return errorResponse(error instanceof KvUnavailable ? unavailable(error) : error, {
          requestId,
          log,
        });
      }
    };
  }
}

interface Made {
  status: number;
  headers: HeaderList;
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;
}

const BULK_HEADERS: HeaderList = [
  ["Content-Type", "application/json; charset=utf-8"],
  ["Cache-Control", "no-store"],
];

function stored({ status, headers, body }: StoredResponse, replayed: boolean): Made {
  return {
    status,
    headers: replayed ? [...headers, ["Idempotent-Replayed", "true"]] : headers,
    body,
  };
}

async function readRequest(
  request: Request,
  limits: { maxItems: number; maxBytes: number },
): Promise<{ key: string | null; dots: number[]; body: unknown }> {
  const key = readIdempotencyKey(request.headers);
  const signal = AbortSignal.timeout(BODY_MS);
  const body = await readJson(request, { limitBytes: limits.maxBytes, signal });
  return { key, dots: readDots(body, limits.maxItems), body };
}

/** The text of a job with its results as the last member, a part at a time. */
function withResults(
  job: string,
  results: AsyncIterable<Uint8Array>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield encoder.encode(job.slice(0, -1) + ',"results":[');
    yield* results;
    yield encoder.encode("]}");
  }
  return ReadableStream.from(parts()) as ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** What the caller hears when the store cannot be used. */
export function unavailable(cause: KvUnavailable): ServiceError {
  return new ServiceError(
    "upstream_unavailable",
    "Batches and jobs cannot be served at the moment; try again later, or look carriers up one by one",
    { retryAfter: RETRY_AFTER, cause },
  );
}
