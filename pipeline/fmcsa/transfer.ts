/**
 * One try of a download: one request, its answer, and the bytes of it that belong into the part.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { amount, type StartProgress } from "../progress.ts";
import { type Asked, isMarkup, judge } from "./answer.ts";
import type { Part, Version } from "./part.ts";
import { PassingError, type Watch, watch } from "../retry.ts";
import type { Sidecar } from "./sidecar.ts";

/** A download and what it works with. */
export interface Job {
  /** The file's name, for people. */
  label: string;
  url: string;
  part: Part;
  /** The note on the file that is there, when it came from this address. */
  old: Sidecar | undefined;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  clock: Clock;
  /** Longest silence of the server, ms. */
  idleMs: number;
  signal: AbortSignal | undefined;
  progress: StartProgress | undefined;
  say: (line: string) => void;
}

/**
 * Asks once and takes what comes.
 *
 * @returns `whole` when the part is the file, `unchanged` when the file that is there still is, `again`
 * when the server gave less than the rest or the part had to be dropped.
 * @throws {PassingError} When a later try may do better. The part keeps what came.
 * @throws {Error} When no later try will.
 */
export async function tryOnce(job: Job): Promise<"whole" | "unchanged" | "again"> {
  const { part, url, old } = job;
  const asked: Asked = {
    url,
    from: part.resumeAt,
    ...(part.version && { version: part.version }),
    ...(old && { old }),
  };
  const headers = requestHeaders(asked);
  const line = watch(job.idleMs, job.signal);
  const answer = await line.step(() => job.fetch(url, { headers, signal: line.signal }));
  try {
    const verdict = judge(answer, { asked, now: job.clock.now() });
    if (verdict.kind === "unchanged") return "unchanged";
    if (verdict.kind === "refuse") throw new Error(`Cannot fetch "${url}": ${verdict.why}`);
    if (verdict.kind === "retry") throw new PassingError(verdict.why, verdict);
    if (verdict.kind === "restart") return await dropPart(job, verdict.why);
    if (verdict.kind === "rest") return await receiveRest(job, { answer, line, ...verdict });
    if (asked.from > 0) job.say("starting over: the file changed, or the server cannot resume");
    await receiveWhole(job, { answer, line, version: verdict.version });
    return "whole";
  } finally {
    // Lets go of the connection when the body was not read to its end
    await answer.body?.cancel().catch(() => {});
  }
}

function requestHeaders({ from, version, old }: Asked): Headers {
  const headers = new Headers({ accept: "text/csv, */*;q=0.5", "accept-encoding": "identity" });
  if (old?.etag !== undefined) headers.set("if-none-match", old.etag);
  else if (old?.last_modified !== undefined) headers.set("if-modified-since", old.last_modified);
  if (from > 0 && version?.if_range !== undefined) {
    headers.set("range", `bytes=${from}-`);
    headers.set("if-range", version.if_range);
  }
  return headers;
}

async function dropPart(job: Job, why: string): Promise<"again"> {
  job.say(`starting over: ${why}`);
  await job.part.restart();
  return "again";
}

interface Incoming {
  answer: Response;
  line: Watch;
}

/** Fills the part from the start; an old part goes only when the first bytes look right. */
async function receiveWhole(
  job: Job,
  { answer, line, version }: Incoming & { version: Version },
): Promise<void> {
  const { part, url } = job;
  const progress = startBar(job, version.total);
  let isStarted = false;
  let markup: boolean | undefined;
  try {
    progress?.update(0);
    for await (const bytes of chunks(answer, line)) {
      markup ??= isMarkup(bytes);
      if (markup) {
        if (isStarted) await part.restart();
        throw new Error(`Cannot fetch "${url}": the body is a web page (markup), not the file`);
      }
      if (!isStarted) await part.restart(version);
      isStarted = true;
      await appendWithin(part, { bytes, end: version.total });
      progress?.update(part.size);
    }
  } finally {
    progress?.end();
  }
  if (!isStarted) throw new PassingError("the body is empty");
  checkEnd(part, version.total);
}

/** Goes on where the part ends, after comparing the seam. */
async function receiveRest(
  job: Job,
  { answer, line, end, total }: Incoming & { end: number; total: number },
): Promise<"whole" | "again"> {
  const { part } = job;
  if (total < part.size) return await dropPart(job, "the file is shorter than the part");
  job.say(`resuming at ${amount(part.size, "bytes")}`);
  const progress = startBar(job, total);
  const sizeBefore = part.size;
  let seam = await part.tail();
  try {
    progress?.update(part.size);
    for await (const bytes of chunks(answer, line)) {
      const n = Math.min(seam.length, bytes.length);
      if (seam.subarray(0, n).some((byte, i) => byte !== bytes[i])) {
        return await dropPart(job, "the file changed on the server");
      }
      seam = seam.subarray(n);
      await appendWithin(part, { bytes: bytes.subarray(n), end });
      progress?.update(part.size);
    }
  } finally {
    progress?.end();
  }
  checkEnd(part, end);
  if (part.size === total) return "whole";
  if (part.size === sizeBefore) throw new PassingError("the server sends nothing new");
  return "again";
}

/** The body's chunks, each awaited under the time limit. */
async function* chunks(answer: Response, line: Watch): AsyncGenerator<Uint8Array> {
  const reader = answer.body?.getReader();
  try {
    for (;;) {
      const next = await line.step(async () => await reader?.read());
      if (next === undefined || next.done) return;
      if (next.value.length > 0) yield next.value;
    }
  } finally {
    reader?.releaseLock();
  }
}

async function appendWithin(
  part: Part,
  { bytes, end }: { bytes: Uint8Array; end: number | undefined },
): Promise<void> {
  if (end !== undefined && part.size + bytes.length > end) {
    await part.restart();
    throw new PassingError(`the body is longer than the ${end} bytes announced`);
  }
  await part.append(bytes);
}

function checkEnd({ size }: Part, end: number | undefined): void {
  if (end !== undefined && size !== end) {
    throw new PassingError(`the body was cut at byte ${size} of ${end}`);
  }
}

function startBar(
  { label, progress }: Job,
  total: number | undefined,
): ReturnType<StartProgress> | undefined {
  return progress?.({ label, unit: "bytes", ...(total !== undefined && { total }) });
}
