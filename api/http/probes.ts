/**
 * `/healthz` and `/readyz`: what a host or a load balancer asks, over and over.
 *
 * @module
 */

import { getPath } from "hono/utils/url";
import { after, type Clock, stopwatch } from "../../pipeline/clock.ts";
import type { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import type { Kv } from "../state/kv.ts";

/** What the probes look at. */
export interface ProbeOptions {
  reader: SnapshotReader;
  kv: Kv;
  clock: Clock;
}

/** Answers the probes, null for any other request. They count against no quota. */
export type Probes = (request: Request) => Promise<Response> | Response | null;

/** Milliseconds in which a look must end. */
const LOOK_MS = 2_000;

/** Milliseconds for which a finding is told again, so that it does not matter how often it is asked for. */
const HELD_MS = 3_000;

const HEADERS = {
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};

interface Finding {
  at: number;
  looking: Promise<Readiness>;
}

/** The body of `/readyz`. */
interface Readiness {
  ready: boolean;
  snapshot: Look & { id?: string; data_date?: string; sequence?: number; published_at?: string };
  store: Look;
}

interface Look {
  state: "ok" | "failing";
  /** Milliseconds that the look took. */
  ms: number;
}

/** Makes the probes of a service. */
export function probesOf({ reader, kv, clock }: ProbeOptions): Probes {
  let last: Finding | null = null;

  function readiness(): Promise<Readiness> {
    const now = clock.now();
    // A negative age is a clock put back.
    const age = last === null ? -1 : now - last.at;
    if (last === null || age < 0 || age >= HELD_MS) last = { at: now, looking: look() };
    return last.looking;
  }

  async function look(): Promise<Readiness> {
    const [snapshot, store] = await Promise.all([
      lookAt(() => reader.use((snapshot) => Promise.resolve(snapshot))),
      lookAt(() => kv.get(["probe"])),
    ]);
    const { sequence, published_at } = reader.pointer ?? {};
    return {
      ready: snapshot.state === "ok" && store.state === "ok",
      snapshot: {
        state: snapshot.state,
        ms: snapshot.ms,
        ...(snapshot.found === undefined ? {} : {
          id: snapshot.found.id,
          data_date: snapshot.found.manifest.data_date,
          ...(sequence === undefined ? {} : { sequence }),
          ...(published_at === undefined ? {} : { published_at }),
        }),
      },
      store: { state: store.state, ms: store.ms },
    };
  }

  return (request) => {
    // Nearly every other request is told apart by this letter.
    if (!request.url.endsWith("z") || !/^(GET|HEAD)$/.test(request.method)) return null;
    const path = getPath(request);
    if (path === "/healthz") return answer({ alive: true }, 200);
    if (path !== "/readyz") return null;
    return readiness().then((found) => answer(found, found.ready ? 200 : 503));
  };
}

function answer(body: unknown, status: number): Response {
  return new Response(JSON.stringify(body), { status, headers: HEADERS });
}

/** Looks, and ends in time. What is wrong stands in the log of the part that failed. */
async function lookAt<T>(work: () => Promise<T>): Promise<Look & { found?: T }> {
  const elapsed = stopwatch();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const cancel = after(LOOK_MS, () => reject(new Error("too late")));
  try {
    const found = await Promise.race([work(), late]);
    return { state: "ok", ms: elapsed(), found };
  } catch {
    return { state: "failing", ms: elapsed() };
  } finally {
    cancel();
  }
}
