/**
 * The HTTP handlers of batches, CSV lists and jobs. Their answers are never cached.
 *
 * @module
 */

import { after } from "../../pipeline/clock.ts";
import { SharedCache } from "../../pipeline/snapshot/shared_cache.ts";
import { BATCH_LIMITS, batchCarriers, type BatchResult, isRead } from "../operations/batch.ts";
import { carriersCsv } from "../operations/carriers_csv.ts";
import { type AskedNumbers, readDots } from "../operations/numbers.ts";
import { ServiceError } from "../operations/errors.ts";
import { createJob, getJob, JOB_LIMITS } from "../operations/jobs.ts";
import { perform, type SurfaceDeps } from "../operations/operation.ts";
import type { Pinned, Pins } from "../state/idempotency.ts";
import type { FoundJob, Jobs } from "../state/jobs.ts";
import type { Kv } from "../state/kv.ts";
import { admitted, EVALUATIONS, Slots } from "../state/slots.ts";
import { readJsonBody } from "./body.ts";
import { readIdempotencyKey, readParameters } from "./parameters.ts";
import type { Exchange, Mount } from "./exchange.ts";
import { type HeaderList, snapshotHeaders } from "./headers.ts";
import { acceptsGzip, Gzip, streamOf, unpackedParts } from "./streaming.ts";

interface BatchParts extends Pick<SurfaceDeps, "reader" | "baseUrl"> {
  jobs: Jobs;
  pins: Pins;
  slots: Slots;
  kv: Kv;
}

type Parts = Uint8Array<ArrayBuffer>[];

const RETRY_AFTER = 10;

/** Bytes of compressed job results that are kept: about seven of the largest. */
const KEPT_BYTES = 16 * 1024 * 1024;

export function batchMounts(parts: BatchParts): Mount[] {
  const routes = new BatchRoutes(parts);
  function mount(
    { path, method }: { path: string; method: string },
    handle: (exchange: Exchange) => Promise<Made>,
  ): Mount {
    async function fetch(_: Request, exchange: Exchange): Promise<Response> {
      // The store did not count this request. It may only have been slow; if it is down, this read throws.
      if (exchange.decision.degraded) await parts.kv.get([["probe"]]);
      const { body, headers, status } = await handle(exchange);
      const all = new Headers(BATCH_HEADERS);
      for (const [name, value] of headers) all.set(name, value);
      return new Response(body, { status, headers: all });
    }
    return { path, methods: [method], fetch };
  }
  return [
    mount(batchCarriers, (exchange) => routes.postBatch(exchange)),
    mount(carriersCsv, (exchange) => routes.getCsv(exchange)),
    mount(createJob, (exchange) => routes.postJob(exchange)),
    mount(getJob, (exchange) => routes.readJob(exchange)),
  ];
}

/** The handlers and their shared state. */
class BatchRoutes {
  readonly #parts: BatchParts;
  readonly #kept = new SharedCache<Parts>(KEPT_BYTES);
  /** Separate from evaluations, so that readers of kept results don't block batches. */
  readonly #readers = new Slots(EVALUATIONS, after);

  constructor(parts: BatchParts) {
    this.#parts = parts;
  }

  async postBatch({ request, client, day: { today } }: Exchange): Promise<Made> {
    const { pins, slots } = this.#parts;
    const { key, body, ...asked } = await readRequest(request, BATCH_LIMITS);
    const keyed = key === null ? null : { client, operation: batchCarriers.id, key, ...asked };
    const bound = keyed === null ? null : await pins.find(keyed);
    const slot = await slots.take(client);
    try {
      if (bound !== null) return await this.#replay(bound, asked.dots);
      const made = await this.#batchNow(body, { today, signal: request.signal });
      if (keyed === null || !made.whole) return made;
      const { pinned, first } = await pins.bind(keyed, made.pinned);
      return first ? made : await this.#replay(pinned, asked.dots);
    } finally {
      slot.release();
    }
  }

  async getCsv({ request, client, params, day }: Exchange): Promise<Made> {
    const { slots, baseUrl, reader } = this.#parts;
    const input = readParameters(carriersCsv, { url: request.url, path: params });
    const { signal } = request;
    const slot = await slots.take(client);
    try {
      const { answer, snapshotId, dataDate, today } = await perform(carriersCsv, input, {
        today: day.today,
        baseUrl,
        signal,
        reader,
        finish: String,
      });
      const headers = snapshotHeaders({ id: snapshotId!, dataDate: dataDate!, today });
      headers.push(["Content-Type", "text/csv; charset=utf-8; header=present"]);
      return { status: 200, headers, body: answer };
    } finally {
      slot.release();
    }
  }

  async postJob({ request, client }: Exchange): Promise<Made> {
    const { body: _, ...asked } = await readRequest(request, JOB_LIMITS);
    const { view, replayed } = await this.#parts.jobs.create({ client, ...asked });
    const headers: HeaderList = [
      ["Location", view.status_url],
      ["Retry-After", "1"],
      ["Snapshot-Id", view.snapshot.id],
    ];
    if (replayed) headers.push(REPLAYED);
    return { status: 202, headers, body: JSON.stringify(view) };
  }

  async readJob({ request, client, params }: Exchange): Promise<Made> {
    const job = await this.#parts.jobs.find(params.id!);
    const headers: HeaderList = [["Snapshot-Id", job.view.snapshot.id]];
    const gzip = acceptsGzip(request.headers.get("accept-encoding"));
    if (gzip) headers.push(["Content-Encoding", "gzip"]);
    if (request.method !== "HEAD") {
      return { status: 200, headers, body: await this.#resultsOf(job, { client, gzip }) };
    }
    // Without a stream, Deno would send a length of 0.
    return { status: 200, headers, body: ReadableStream.from([]) };
  }

  /** Answers a batch from the current snapshot. */
  async #batchNow(
    body: unknown,
    { signal, ...day }: { today: string; signal: AbortSignal },
  ): Promise<Made & { pinned: Pinned; whole: boolean }> {
    const { baseUrl, reader } = this.#parts;
    const { answer, snapshotId, manifestSha256, today } = await perform(batchCarriers, body, {
      ...day,
      baseUrl,
      signal,
      reader,
      finish: (output) => output as BatchResult,
    });
    const pinned: Pinned = {
      snapshot: { id: snapshotId!, manifestSha256: manifestSha256! },
      facts: answer.snapshot,
      today,
      asOf: answer.as_of,
    };
    return { ...batchOf(answer, pinned), pinned, whole: answer.results.every(isRead) };
  }

  /** Computes the answer again that was given for an idempotency key. */
  async #replay(pinned: Pinned, dots: readonly number[]): Promise<Made> {
    const { today, asOf, snapshot } = pinned;
    const { baseUrl, reader } = this.#parts;
    const result = await reader.useOf(
      snapshot,
      (snapshot) =>
        batchCarriers.run({ dots: [...dots] }, { snapshot, today, asOf, baseUrl, last: true }),
    );
    // A partial answer would differ from the one given before.
    if (!result.results.every(isRead)) {
      throw new ServiceError(
        "upstream_unavailable",
        "The answer to this Idempotency-Key cannot be read at the moment; try again later",
        { retryAfter: RETRY_AFTER },
      );
    }
    const made = batchOf(result, pinned);
    return { ...made, headers: [...made.headers, REPLAYED] };
  }

  /**
   * The body of a job with its results, streamed a slice at a time. Once complete, the compressed body is
   * cached.
   */
  async #resultsOf(
    job: FoundJob,
    { client, gzip }: { client: string; gzip: boolean },
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const control = new AbortController();
    const cached = this.#kept.peek(job.view.id);
    if (cached !== undefined) {
      const bytesOf = ({ length }: Uint8Array): number => length;
      const parts = gzip ? cached : unpackedParts(cached);
      const slots = this.#readers;
      return streamOf(await admitted(parts, { slots, client, control, bytesOf }), {
        after,
        control,
      });
    }
    let whole = true;
    const slices = await this.#parts.jobs.items(job, {
      client,
      control,
      finish(item) {
        whole &&= isRead(item);
        return JSON.stringify(item);
      },
    });
    const texts = jobTexts(job.view, slices);
    return streamOf(this.#packed(texts, { id: job.view.id, gzip, isWhole: () => whole }), {
      after,
      control,
    });
  }

  /**
   * The texts as bytes, compressed if `gzip` is set. Caches the compressed bytes if all results could be
   * read.
   */
  async *#packed(
    texts: AsyncIterable<string>,
    { id, gzip, isWhole }: { id: string; gzip: boolean; isWhole: () => boolean },
  ): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const encoder = new TextEncoder();
    const packer = new Gzip();
    const packed: Parts = [];
    for await (const text of texts) {
      const bytes = encoder.encode(text);
      packed.push(packer.part(bytes));
      yield gzip ? packed.at(-1)! : bytes;
    }
    packed.push(packer.end());
    const bytes = packed.reduce((sum, { length }) => sum + length, 0);
    if (isWhole()) this.#kept.put(id, { value: packed, bytes });
    if (gzip) yield packed.at(-1)!;
  }
}

/** The JSON of a job with its results, in parts. */
async function* jobTexts(
  view: FoundJob["view"],
  slices: AsyncIterable<string[]>,
): AsyncGenerator<string> {
  yield JSON.stringify(view).slice(0, -1) + ',"results":[';
  let comma = "";
  for await (const items of slices) {
    yield comma + items.join(",");
    comma = ",";
  }
  yield "]}";
}

interface Made {
  status: number;
  headers: HeaderList;
  body: string | ReadableStream<Uint8Array<ArrayBuffer>>;
}

const BATCH_HEADERS: HeaderList = [
  ["Content-Type", "application/json; charset=utf-8"],
  ["Cache-Control", "no-store"],
];

const REPLAYED: HeaderList[number] = ["Idempotent-Replayed", "true"];

function batchOf(result: BatchResult, { facts: { id, data_date }, today }: Pinned): Made {
  const headers = snapshotHeaders({ id, dataDate: data_date, today });
  return { status: 200, headers, body: JSON.stringify(result) };
}

async function readRequest(
  request: Request,
  limits: { maxItems: number; maxBytes: number },
): Promise<AskedNumbers & { key: string | null; body: unknown }> {
  const key = readIdempotencyKey(request.headers);
  const body = await readJsonBody(request, { limitBytes: limits.maxBytes });
  return { key, ...readDots(body, limits.maxItems), body };
}
