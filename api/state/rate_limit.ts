/**
 * At most so many accepted requests per client in any window, exactly, over all processes.
 *
 * One record per client holds the moments of its accepted requests and the reservations of permits
 * that processes hold. A process commits a reservation, checked on the versionstamp of the record it
 * was made up from, and then accepts from it without the store. Its next commit puts the moments of
 * the uses in the place of the reservation, so that permits not used come back.
 *
 * Why no window of W ms holds more than the limit, as long as the store works and the clocks agree:
 * 1. A permit committed at T (the time taken before the commit, after the record was read) is used at
 *    a moment u with T <= u < until, and never while a later commit of its process is under way or
 *    after it. A commit of unknown outcome gives no permits.
 * 2. So at each commit all earlier uses of the client stand in the record it is checked on: as a
 *    moment, or within a reservation, which counts in full as uses at its `until`, after all of them.
 *    Later uses of such a reservation are before its `until` too.
 * 3. Take any window with uses in it, and of the reservations they came from the one committed last,
 *    at T. The window ends after T, so it began after T - W, and so were all its other uses: their
 *    moment or their `until` is later than T - W. The commit counted all of these, and with its own
 *    permits they were at most the limit.
 *
 * One process alone accepts exactly the limit, since its unused permits are room to itself. Without
 * the store each process keeps to the limit on what it knows; the uses enter the record afterwards.
 *
 * @module
 */

import { createHash } from "node:crypto";
import type { Clock } from "../../pipeline/clock.ts";
import { type Kv, KvUnavailable } from "./kv.ts";
import { type LeasePolicy, RateClient } from "./rate_client.ts";
import { accepted, type Decision, foreseen, refused } from "./rate_decision.ts";
import { keepMs, type RateRecord } from "./rate_record.ts";
import { Recent } from "./rate_recent.ts";

/** Longer than a call of the store may take, or a slow store would never yield a usable permit. */
const LEASE_MS = 2_500;

/** Every lost check is a commit of another process, and of those the limit allows only so many. */
const TRIES = 10;

/** What one client may send: so many requests in so many milliseconds. */
export const QUOTA = { limit: 60, windowMs: 60_000 } as const;

/** What a {@link RateLimiter} is wired from. */
export interface RateLimiterOptions {
  /** Null limits within this process only. */
  kv: Kv | null;
  clock: Clock;
  /** Requests per window. @default {60} */
  limit?: number;
  /** Milliseconds. @default {60000} */
  windowMs?: number;
  /**
   * Clients remembered in this process. One that is forgotten loses its unused permits, no more; only
   * without the store it begins anew. @default {10000}
   */
  maxClients?: number;
  /** Unique per process. */
  owner: string;
}

export type { Decision } from "./rate_decision.ts";

type Outcome = "reserved" | "refused" | "failed";

/** Limits requests. */
export class RateLimiter {
  /** Requests per window. */
  readonly limit: number;
  /** Milliseconds. */
  readonly windowMs: number;
  readonly #kv: Kv | null;
  readonly #clock: Clock;
  readonly #policy: LeasePolicy;
  readonly #clients: Recent<RateClient>;
  #lastId = 0;
  #latest = -Infinity;
  #clockEpoch = 0;

  /** Reads nothing yet. */
  constructor(options: RateLimiterOptions) {
    const {
      kv,
      clock,
      limit = QUOTA.limit,
      windowMs = QUOTA.windowMs,
      maxClients = 10_000,
      owner,
    } = options;
    this.#kv = kv;
    this.#clock = clock;
    this.limit = limit;
    this.windowMs = windowMs;
    this.#policy = { limit, windowMs, leaseMs: LEASE_MS, owner };
    this.#clients = new Recent(maxClients);
  }

  /** Counts a request and says whether it is accepted; at once when permits are at hand or it is known to be refused. */
  take(name: string): Decision | Promise<Decision> {
    const client = this.#clients.get(name) ?? this.#clients.set(name, this.#newClient(name));
    const now = this.#now();
    const decision = this.#atHand(client, now);
    if (decision !== null) return decision;
    return this.#kv === null ? this.#alone(client, now) : this.#withStore(client, this.#kv);
  }

  /** What is known of a client; counts nothing and asks nobody. */
  peek(name: string): Decision {
    const client = this.#clients.peek(name);
    if (client === undefined) {
      return { accepted: true, remaining: this.limit, reset: 0, degraded: false };
    }
    const now = this.#now();
    client.noteClock(this.#clockEpoch, now);
    const { degraded } = client;
    return foreseen({ remaining: client.free(now), degraded }, { ...client.waitNow(), now });
  }

  /** Decides without the store, or not at all. */
  #atHand(client: RateClient, now: number): Decision | null {
    client.noteClock(this.#clockEpoch, now);
    if (client.spend(now)) return accepted(client, this.#policy);
    return now < client.blockedUntil ? refused(client, { ...client.wait, now }) : null;
  }

  async #withStore(client: RateClient, kv: Kv): Promise<Decision> {
    client.waiting++;
    try {
      // Ends: every round accepts one of those who wait, or refuses, or fails.
      for (;;) {
        client.pending ??= this.#reserve(client, kv).finally(() => client.pending = null);
        const outcome = await client.pending as Outcome;
        // Another one may already be under way: what it takes to be used must not change.
        if (client.pending !== null) continue;
        const now = this.#now();
        client.degraded = outcome === "failed";
        if (outcome === "failed") return this.#alone(client, now);
        if (outcome === "refused") return refused(client, { ...client.wait, now });
        const decision = this.#atHand(client, now);
        if (decision !== null) return decision;
      }
    } finally {
      client.waiting--;
    }
  }

  /** Gets permits for a client from the store. */
  async #reserve(client: RateClient, kv: Kv): Promise<Outcome> {
    let outcome: Outcome = "failed";
    for (let tries = 0; tries < TRIES; tries++) {
      try {
        if (client.mustRead) {
          const entry = await kv.get<RateRecord>(client.key);
          client.learn(entry, this.#now());
        }
        const now = this.#now();
        client.noteClock(this.#clockEpoch, now);
        const attempt = client.attempt(now, ++this.#lastId);
        if (attempt === null) {
          client.block(now);
          return "refused";
        }
        const checks = [{ key: client.key, versionstamp: client.version! }];
        const expireIn = keepMs(this.#policy);
        client.begin(attempt);
        const writes = [{ key: client.key, value: attempt.record, expireIn }];
        const version = await kv.commit({ checks, writes });
        if (version !== null) {
          client.succeed(attempt, version);
          if (this.#clock.now() < attempt.until) return "reserved";
        }
        outcome = version === null ? "refused" : "failed";
      } catch (error) {
        if (error instanceof KvUnavailable) return "failed";
        throw error;
      }
    }
    return outcome;
  }

  #alone(client: RateClient, now: number): Decision {
    client.noteClock(this.#clockEpoch, now);
    if (client.spendAlone(now)) return accepted(client, this.#policy);
    client.block(now);
    return refused(client, { ...client.wait, now });
  }

  #now(): number {
    const now = this.#clock.now();
    if (now < this.#latest) this.#clockEpoch++;
    this.#latest = now;
    return now;
  }

  #newClient(name: string): RateClient {
    const { limit, windowMs } = this;
    const hash = createHash("sha256").update(name).digest("hex").slice(0, 32);
    return new RateClient(["rate", limit, windowMs, hash], this.#policy, this.#clockEpoch);
  }
}
