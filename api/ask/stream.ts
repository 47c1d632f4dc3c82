/**
 * Answers as server-sent events.
 *
 * @module
 */

import { type Asked, type AskHttpDeps, begin, blame, metaOf } from "./reply.ts";

/** One event a pull: nothing is worked out that is not sent, and none waits for the next. */
export function stream(asked: Asked, deps: AskHttpDeps): Response {
  const gone = new AbortController();
  const signal = deps.signal === undefined
    ? gone.signal
    : AbortSignal.any([deps.signal, gone.signal]);
  const events = eventsOf(asked, { ...deps, signal });
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const step = await events.next();
      if (step.done) controller.close();
      else controller.enqueue(encoder.encode(step.value));
    },
    async cancel(reason) {
      gone.abort(reason);
      await events.return();
    },
  }, { highWaterMark: 0 });
  return new Response(body, {
    headers: {
      "Content-Type": "text/event-stream; charset=utf-8",
      // `no-transform`: a proxy that compresses holds events back.
      "Cache-Control": "no-store, no-transform",
      "X-Accel-Buffering": "no",
    },
  });
}

async function* eventsOf(asked: Asked, deps: AskHttpDeps): AsyncGenerator<string, void, void> {
  const likely = asked.understood?.outcome === "clear"
    ? "answer"
    : asked.understood?.outcome === "declined" || asked.understood?.outcome === "too_many"
    ? "failure"
    : "elicitation";
  yield event("start", { _meta: { ...metaOf(likely, asked), streaming: true } });
  let index = 0;
  try {
    const work = begin(asked, deps);
    for (;;) {
      const step = await work.next();
      if (!step.done) {
        yield event("result", { index: index++, item: step.value });
        continue;
      }
      const { type, ...content } = step.value;
      const _meta = metaOf(type, asked);
      if (type === "failure") yield event("error", { _meta, ...content });
      yield event("complete", { _meta, total_items: index, ...content });
      return;
    }
  } catch (error) {
    if (deps.signal?.aborted) return;
    const { failure } = blame(error, deps);
    const _meta = metaOf("failure", asked);
    yield event("error", { _meta, error: failure });
    yield event("complete", { _meta, total_items: index, error: failure });
  }
}

function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
