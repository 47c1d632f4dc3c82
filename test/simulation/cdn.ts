/**
 * A CDN between store and services: edges that cache for a while, lose purges, see objects late, and
 * fail.
 *
 * @module
 */

import type { Random } from "../synthetic/random.ts";
import type { Fetch } from "../../pipeline/snapshot/http_source.ts";
import type { VirtualTime } from "../pipeline/virtual_time.ts";
import type { OriginStore, Stored } from "./publisher.ts";

/** Address of the snapshot root. */
export const ROOT = "https://cdn.example/root";

/** Milliseconds that an edge serves a pointer without asking the origin, at most. */
export const POINTER_TTL_MS = 120_000;

const OBJECT_TTL_MS = 365 * 86_400_000;
const MISSING_TTL_MS = 10_000;

/** What goes wrong with requests, each a probability. */
export interface Weather {
  error: number;
  cut: number;
  hang: number;
  slow: number;
  /** Milliseconds until an object that was written is seen by an edge, at most. */
  lag: number;
}

/** Nothing goes wrong. */
export const CALM: Weather = { error: 0, cut: 0, hang: 0, slow: 0, lag: 0 };

interface Edge {
  cache: Map<string, { stored: Stored | null; until: number }>;
  /** How late objects are seen. */
  lag: number;
  pointerTtl: number;
}

/** The edges. */
export class SimulatedCdn {
  weather: Weather;
  readonly #time: VirtualTime;
  readonly #random: Random;
  readonly #origin: OriginStore;
  readonly #edges: Edge[];

  constructor(
    { time, random, origin }: { time: VirtualTime; random: Random; origin: OriginStore },
    weather: Weather,
  ) {
    this.weather = weather;
    this.#time = time;
    this.#random = random;
    this.#origin = origin;
    this.#edges = Array.from({ length: 1 + random.below(3) }, () => ({
      cache: new Map(),
      lag: random.below(weather.lag + 1),
      pointerTtl: POINTER_TTL_MS >> random.below(3),
    }));
  }

  /** Asks every edge to forget the pointer; some miss it, all get it late. */
  purge(): void {
    for (const { cache } of this.#edges) {
      if (this.#random.chance(0.3)) continue;
      this.#time.after(this.#random.below(5_000), () => cache.delete("current.json"));
    }
  }

  /** The `fetch` of one service: mostly to the edge next to it. */
  fetchOf(service: number): Fetch {
    return async (url, { signal, headers }) => {
      const random = this.#random;
      const home = random.chance(0.7) ? service : random.below(100);
      const edge = this.#edges[home % this.#edges.length]!;
      const { error, cut, hang, slow } = this.weather;
      const roll = random.unit();
      await this.#pass(random.chance(slow) ? 500 + random.below(6_000) : random.below(60), signal);
      if (roll < hang) await this.#pass(3_600_000, signal);
      if (roll < hang + error) return new Response("no", { status: 503 });
      const stored = await this.#read(edge, url.slice(ROOT.length + 1), signal);
      if (stored === null) return new Response("no", { status: 404 });
      const { bytes, etag } = stored;
      if (headers?.["If-None-Match"] === etag) return new Response(null, { status: 304 });
      const whole = roll >= hang + error + cut;
      return new Response(whole ? bytes : bytes.slice(0, bytes.length >> 1), {
        headers: { etag, "content-length": String(bytes.length) },
      });
    };
  }

  async #read(
    { cache, lag, pointerTtl }: Edge,
    path: string,
    signal: AbortSignal,
  ): Promise<Stored | null> {
    const found = cache.get(path);
    if (found !== undefined && this.#time.now() < found.until) return found.stored;
    await this.#pass(10 + this.#random.below(80), signal);
    const now = this.#time.now();
    let stored = this.#origin.objects.get(path) ?? null;
    if (stored !== null && path !== "current.json" && now - stored.at < lag) stored = null;
    const ttl = stored === null
      ? MISSING_TTL_MS
      : path === "current.json"
      ? pointerTtl
      : OBJECT_TTL_MS;
    cache.set(path, { stored, until: now + ttl });
    return stored;
  }

  /** Waits in virtual time; rejects when the signal is aborted. */
  #pass(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const end = (): void => {
        cancel();
        reject(signal.reason);
      };
      const cancel = this.#time.after(ms, () => {
        signal.removeEventListener("abort", end);
        resolve();
      });
      signal.addEventListener("abort", end, { once: true });
    });
  }
}
