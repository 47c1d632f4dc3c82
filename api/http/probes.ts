/**
 * `/healthz` and `/readyz`, which hosts and load balancers poll.
 *
 * @module
 */

import { inTime, stopwatch } from "../../pipeline/clock.ts";
import { snapshotPath } from "../../pipeline/snapshot/paths.ts";
import type { Source } from "../../pipeline/snapshot/source.ts";
import type { SurfaceDeps } from "../operations/operation.ts";
import { ageInDays } from "../../pipeline/dates.ts";
import { newYorkToday } from "../rules/new_york.ts";
import { FRESH_DAYS } from "../rules/schemas.ts";
import type { Kv } from "../state/kv.ts";
import type { Mount } from "./exchange.ts";

interface ProbeParts extends Pick<SurfaceDeps, "reader" | "clock"> {
  /**
   * The source that the reader uses. The reader caches what it has read, so it would not notice that the
   * source is gone.
   */
  source: Source;
  kv: Kv;
  /**
   * Rejects when the store is a file that was deleted, since such a file accepts writes until the process
   * ends.
   */
  storeInPlace: () => Promise<void>;
}

const LOOK_MS = 2_000;

/** Milliseconds for which a result is reused, so that it does not matter how often probes arrive. */
const KEPT_MS = 3_000;

const WRITTEN_MS = 60_000;

export function probeMounts(
  { reader, source, kv, storeInPlace, clock }: ProbeParts,
): Mount[] {
  let last = { at: Infinity, looking: Promise.resolve({ ready: false }) };

  function readiness(): Promise<{ ready: boolean }> {
    const now = clock.now();
    // `now` is before `last.at` if the clock moved backward.
    if (now < last.at || now >= last.at + KEPT_MS) last = { at: now, looking: look() };
    return last.looking;
  }

  /** Whether the snapshot can be read and the store written; members that are undefined are not sent. */
  async function look() {
    const [snapshot, root, store] = await Promise.all([
      lookAt(() => reader.current()),
      lookAt(() => reader.use(({ id }) => readManifest(id))),
      lookAt(writeStore),
    ]);
    const { id, manifest: { data_date } = {} } = snapshot.found ?? {};
    const { sequence, published_at } = (id !== undefined && reader.pointer) || {};
    const age = data_date === undefined ? 0 : ageInDays(data_date, newYorkToday(clock.now()));
    const reason = snapshot.state === "failing"
      ? "no snapshot can be read"
      : root.state === "failing"
      ? "the snapshot root cannot be read, answers come from the cache"
      : age > FRESH_DAYS
      ? `the data is ${age} days old`
      : undefined;
    const state = reason !== undefined && snapshot.state === "ok" ? "stale" : snapshot.state;
    return {
      ready: root.state === "ok" && store.state === "ok",
      snapshot: { state, ms: root.ms, reason, id, data_date, sequence, published_at },
      store,
    };
  }

  async function readManifest(id: string): Promise<void> {
    const path = `${snapshotPath(id)}/manifest.json`;
    if (await source.get(path) === null) throw new Error(`"${path}" is missing`);
  }

  async function writeStore(): Promise<void> {
    await storeInPlace();
    const write = { key: ["probe"], value: clock.now(), expireIn: WRITTEN_MS };
    await kv.commit({ checks: [], writes: [write] });
  }

  function mount(path: string, look: () => Promise<object>): Mount {
    const headers = { "Cache-Control": "no-store", "Content-Type": JSON_TYPE };
    return {
      path,
      methods: ["GET"],
      isProbe: true,
      async fetch() {
        const found = await look();
        const status = "ready" in found && !found.ready ? 503 : 200;
        return new Response(JSON.stringify(found), { status, headers });
      },
    };
  }
  return [
    mount("/healthz", () => Promise.resolve({ alive: true })),
    mount("/readyz", readiness),
  ];
}

const JSON_TYPE = "application/json; charset=utf-8";

/** The result of a check within a time limit. The part that failed logs the reason. */
async function lookAt<T>(
  work: () => Promise<T>,
): Promise<{ state: "ok" | "failing"; ms: number; found?: T }> {
  const elapsed = stopwatch();
  try {
    const found = await inTime(work, { ms: LOOK_MS, late: () => new Error("too late") });
    return { state: "ok", ms: elapsed(), found };
  } catch {
    return { state: "failing", ms: elapsed() };
  }
}
