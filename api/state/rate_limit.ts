/**
 * At most so many accepted requests of a client in any window: an exact sliding log of the moments of
 * accepted requests.
 *
 * Without a store the log is kept in this process. With one, every acceptance is a commit of the log with
 * its new moment, checked on the version that was decided on, so each commit sees all earlier ones of all
 * processes. Requests of a client that wait for a commit share the next one, and a refusal writes nothing.
 * While the store fails each process counts by itself, and its next commit adds what it accepted.
 *
 * @module
 */

import type { Clock } from "../../pipeline/clock.ts";
import type { KeyedHash } from "./keyed_hash.ts";
import { type Kv, KvUnavailable } from "./kv.ts";

/** What one client may send to the API: so many requests in so many milliseconds. */
export const QUOTA = { limit: 60, windowMs: 60_000 } as const;

/** What one client may ask of the site: pages load several files, and an office shares an address. */
export const PAGE_QUOTA = { limit: 600, windowMs: 60_000 } as const;

/** How many requests a costly page counts as. */
export const PAGE_COSTS = { search: 5, picture: 5, result: 10, upload: 30 } as const;

interface RateLimiterOptions {
  /** Where requests of all processes are counted; null limits within this process only. */
  store: { kv: Kv; hash: KeyedHash } | null;
  clock: Clock;
  /** @default {60} */
  limit?: number;
  /** Milliseconds. @default {60000} */
  windowMs?: number;
  /**
   * Clients with their own log in this process. None is forgotten while its requests count;
   * those beyond share the logs of {@link OVERFLOW} groups of networks. @default {50000}
   */
  maxClients?: number;
}

export interface Decision {
  accepted: boolean;
  /** Requests left, as far as this process knows. */
  remaining: number;
  /** Whole seconds until the quota is whole again. */
  reset: number;
  /** Whole seconds until the request can be accepted; only when refused. */
  retryAfter?: number;
  /** Whether the store failed, so that only this process's own knowledge counted. */
  degraded: boolean;
}

/** Logs that clients share when there are too many of them. */
export const OVERFLOW = 1024;

/** Milliseconds after which the store may delete a record that is not written again. */
export function storedMs(windowMs: number): number {
  return 2 * windowMs + 60_000;
}

interface Waiting {
  cost: number;
  resolve: (decision: Decision) => void;
  reject: (error: unknown) => void;
}

interface Client {
  readonly name: string;
  /** Moments of accepted requests, ascending; the store has them at `version`. */
  log: number[];
  /** Moments accepted without the store, ascending. */
  unsaved: number[];
  version: string | null;
  /** Whether another process has served the client. */
  shared: boolean;
  /** Requests to be decided by the next commit. */
  waiting: Waiting[];
  busy: boolean;
}

export class RateLimiter {
  readonly limit: number;
  /** Milliseconds. */
  readonly windowMs: number;
  readonly #store: RateLimiterOptions["store"];
  readonly #clock: Clock;
  readonly #maxClients: number;
  #recent = new Map<string, Client>();
  /** Clients without a request in the current period, which is at least a window. */
  #older = new Map<string, Client>();
  #period = -Infinity;

  constructor(options: RateLimiterOptions) {
    const { store, clock, limit = QUOTA.limit, windowMs = QUOTA.windowMs } = options;
    this.#store = store;
    this.#clock = clock;
    this.limit = limit;
    this.windowMs = windowMs;
    this.#maxClients = options.maxClients ?? 50_000;
  }

  /** Clients with a log in this process. */
  get clients(): number {
    return this.#recent.size + this.#older.size;
  }

  /** Counts a request as `cost` requests, if they are left; at once when the store need not be read. */
  take(name: string, cost = 1): Decision | Promise<Decision> {
    const client = this.#clientOf(name);
    if (this.#store === null) return this.#alone(client, cost);
    const { used, now } = this.#used(client);
    const refusal = this.#refusal(used, cost, now);
    if (refusal !== null) return refusal;
    return new Promise((resolve, reject) => {
      client.waiting.push({ cost, resolve, reject });
      if (!client.busy) void this.#decide(client);
    });
  }

  /** What this process knows of a client; counts nothing and reads no store. */
  peek(name: string): Decision {
    const client = this.#recent.get(name) ?? this.#older.get(name) ?? newClient(name);
    const { used, now } = this.#used(client);
    const reset = seconds((used.at(-1) ?? -Infinity) + this.windowMs - now);
    const remaining = this.limit - used.length;
    return this.#refusal(used, 1, now) ?? { accepted: true, remaining, reset, degraded: false };
  }

  /** Decides the requests of a client that wait, those of one commit at a time; never throws. */
  async #decide(client: Client): Promise<void> {
    client.busy = true;
    while (client.waiting.length > 0) {
      const together = client.waiting;
      client.waiting = [];
      try {
        const decisions = await this.#commit(client, together);
        together.forEach(({ resolve }, i) => resolve(decisions[i]!));
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    client.busy = false;
  }

  async #commit(client: Client, together: readonly Waiting[]): Promise<Decision[]> {
    const { kv, hash } = this.#store!;
    try {
      const key = ["rate", this.limit, this.windowMs, await hash.of("client", client.name)];
      // Ends: each lost check is an acceptance by another process, and those are limited.
      for (let tries = 0; tries <= this.limit; tries++) {
        if (client.shared) {
          const entry = await kv.get<number[]>(key);
          // Read again it would undo what was corrected for a clock that was put back.
          if (entry.versionstamp !== client.version) client.log = entry.value ?? [];
          client.version = entry.versionstamp;
        }
        const { used, now } = this.#used(client);
        const log = [...used];
        const decisions = together.map(({ cost }) => this.#add(log, cost, now));
        if (!decisions.some(({ accepted }) => accepted)) return decisions;
        const version = await kv.commit({
          checks: [{ key, versionstamp: client.version }],
          writes: [{ key, value: log, expireIn: storedMs(this.windowMs) }],
        });
        if (version !== null) {
          Object.assign(client, { log, unsaved: [], version });
          return decisions;
        }
        client.shared = true;
      }
    } catch (error) {
      if (!(error instanceof KvUnavailable)) throw error;
    }
    return together.map(({ cost }) => this.#alone(client, cost));
  }

  #alone(client: Client, cost: number): Decision {
    const { used, now } = this.#used(client);
    // The log itself where there is no store.
    if (this.#store === null) return this.#add(client.log, cost, now);
    const decision = this.#add([...used], cost, now);
    if (decision.accepted) { for (let i = 0; i < cost; i++) client.unsaved.push(now); }
    return { ...decision, degraded: true };
  }

  /** Adds a request to a log if it is accepted. */
  #add(log: number[], cost: number, now: number): Decision {
    const refusal = this.#refusal(log, cost, now);
    if (refusal !== null) return refusal;
    for (let i = 0; i < cost; i++) log.push(now);
    const reset = Math.ceil(this.windowMs / 1000);
    return { accepted: true, remaining: this.limit - log.length, reset, degraded: false };
  }

  /** The refusal of a request, null when it can be accepted as far as is known. */
  #refusal(used: readonly number[], cost: number, now: number): Decision | null {
    const over = used.length + cost - this.limit;
    if (over <= 0) return null;
    const wait = (moment: number): number => seconds(moment + this.windowMs - now);
    const retryAfter = Math.max(1, wait(used[Math.min(over, used.length) - 1]!));
    return {
      accepted: false,
      remaining: Math.max(0, this.limit - used.length),
      reset: Math.max(retryAfter, wait(used.at(-1)!)),
      retryAfter,
      degraded: false,
    };
  }

  /** Moments that count now, ascending, and now. */
  #used(client: Client): { used: readonly number[]; now: number } {
    const now = this.#clock.now();
    dropOld(client.log, now, this.windowMs);
    if (client.unsaved.length === 0) return { used: client.log, now };
    dropOld(client.unsaved, now, this.windowMs);
    return { used: [...client.log, ...client.unsaved].sort((a, b) => a - b), now };
  }

  #clientOf(name: string): Client {
    const now = this.#clock.now();
    // For a clock that was put back: clients are then kept longer.
    if (now < this.#period) this.#period = now;
    if (now - this.#period >= this.windowMs) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#period = now;
    }
    const known = this.#recent.get(name) ?? this.#older.get(name);
    if (known !== undefined) {
      this.#older.delete(name);
      this.#recent.set(name, known);
      return known;
    }
    const full = this.clients >= this.#maxClients;
    if (full && !name.startsWith("overflow")) return this.#clientOf(overflowOf(name));
    const client = newClient(name);
    this.#recent.set(name, client);
    return client;
  }
}

function newClient(name: string): Client {
  return { name, log: [], unsaved: [], waiting: [], version: null, shared: false, busy: false };
}

/** Drops moments that no longer count; those after now come from a clock that was put back, and count as now. */
function dropOld(log: number[], now: number, windowMs: number): void {
  let gone = 0;
  while (gone < log.length && log[gone]! <= now - windowMs) gone++;
  if (gone > 0) log.splice(0, gone);
  for (let i = log.length - 1; i >= 0 && log[i]! > now; i--) log[i] = now;
}

/** The log that a network shares: of an IPv4 /16, or of an IPv6 /48, so that one network cannot use up all of them. */
function overflowOf(client: string): string {
  const network = client.includes(":")
    ? client.split(":").slice(0, 3)
    : client.split(".").slice(0, 2);
  let hash = 0;
  for (const letter of network.join(".")) hash = Math.imul(hash, 31) + letter.charCodeAt(0) | 0;
  return `overflow ${(hash >>> 0) % OVERFLOW}`;
}

function seconds(milliseconds: number): number {
  return Math.ceil(Math.max(0, milliseconds) / 1000);
}
