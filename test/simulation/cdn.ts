/**
 * A CDN between store and services: its edges cache, lose purges, see new objects late, and fail.
 *
 * @module
 */

import type { Random } from "../synthetic/random.ts";
import type { Fetch } from "../../pipeline/snapshot/sources/http_source.ts";
import type { VirtualTime } from "../pipeline/virtual_time.ts";
import type { OriginStore, Stored } from "./publisher.ts";

/** Address of the snapshot root. */
export const ROOT = "https://cdn.example/root";

/** Maximum time that an edge serves a pointer without asking the origin, in milliseconds. */
export const POINTER_TTL_MS = 120_000;

const OBJECT_TTL_MS = 365 * 86_400_000;
const MISSING_TTL_MS = 10_000;

/** Probabilities of faults in requests. */
interface CdnFaults {
  error: number;
  cut: number;
  hang: number;
  slow: number;
  /** Maximum delay until an edge sees a new object, in milliseconds. */
  lag: number;
}

/** No faults. */
export const NO_FAULTS: CdnFaults = { error: 0, cut: 0, hang: 0, slow: 0, lag: 0 };

export interface SimulatedCdn {
  faults: CdnFaults;
  /** Asks every edge to drop the pointer. Some miss it, and all get it late. */
  purge(): void;
  /** The `fetch` of one service, mostly to its nearest edge. */
  fetchOf(service: number): Fetch;
}

/** Starts some edges. */
export function startCdn(
  { time, random, origin }: { time: VirtualTime; random: Random; origin: OriginStore },
  faults: CdnFaults,
): SimulatedCdn {
  const edges = Array.from({ length: 1 + random.below(3) }, () => ({
    cache: new Map<string, { stored: Stored | null; until: number }>(),
    /** The delay until objects are seen. */
    lag: random.below(faults.lag + 1),
    pointerTtl: POINTER_TTL_MS >> random.below(3),
  }));

  async function read(
    { cache, lag, pointerTtl }: typeof edges[number],
    path: string,
    signal: AbortSignal,
  ): Promise<Stored | null> {
    const found = cache.get(path);
    if (found !== undefined && time.now() < found.until) return found.stored;
    await time.sleep(10 + random.below(80), signal);
    const now = time.now();
    const isPointer = path === "current.json";
    let stored = origin.objects.get(path) ?? null;
    if (stored !== null && !isPointer && now - stored.at < lag) stored = null;
    const ttl = stored === null ? MISSING_TTL_MS : isPointer ? pointerTtl : OBJECT_TTL_MS;
    cache.set(path, { stored, until: now + ttl });
    return stored;
  }

  const cdn: SimulatedCdn = {
    faults,
    purge() {
      for (const { cache } of edges) {
        if (random.chance(0.3)) continue;
        time.after(random.below(5_000), () => cache.delete("current.json"));
      }
    },
    fetchOf: (service) => async (url, { signal, headers }) => {
      const home = random.chance(0.7) ? service : random.below(100);
      const edge = edges[home % edges.length]!;
      const { error, cut, hang, slow } = cdn.faults;
      const roll = random.unit();
      const latency = random.chance(slow) ? 500 + random.below(6_000) : random.below(60);
      await time.sleep(latency, signal);
      if (roll < hang) await time.sleep(3_600_000, signal);
      if (roll < hang + error) return new Response("no", { status: 503 });
      const stored = await read(edge, url.slice(ROOT.length + 1), signal);
      if (stored === null) return new Response("no", { status: 404 });
      const { bytes, etag } = stored;
      if (headers?.["If-None-Match"] === etag) return new Response(null, { status: 304 });
      const isWhole = roll >= hang + error + cut;
      return new Response(isWhole ? bytes : bytes.slice(0, bytes.length >> 1), {
        headers: { etag, "content-length": String(bytes.length) },
      });
    },
  };
  return cdn;
}
