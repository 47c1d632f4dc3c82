/**
 * Limits the accepted requests of a client in any window, with an exact sliding log of when requests were
 * accepted.
 *
 * Without a store, the log is kept in this process. With a store, each accepted request is a commit that adds
 * its time to the log and is checked against the version that was read, so each commit sees all earlier ones
 * of all processes. Requests of a client that wait for a commit share the next one, and a refusal writes
 * nothing. While the store fails, each process counts by itself, and its next commit adds what it accepted.
 *
 * @module
 */

import type { Clock } from "../../pipeline/clock.ts";
import { fnv1a } from "../../pipeline/mix.ts";
import type { KeyedHash } from "./keyed_hash.ts";
import { type Kv, KvUnavailable } from "./kv.ts";
import { networkOf, ORGANIZATION } from "./network.ts";

/** Milliseconds of the window. */
export const WINDOW_MS = 60_000;

/** Requests that one client may send to the API in a window. */
export const QUOTA = 60;

/** Requests that one client may send to the site: pages load several files, and an office shares an address. */
export const PAGE_QUOTA = 600;

/** How many requests a costly page counts as. */
export const PAGE_COSTS = { search: 5, result: 10, upload: 30 } as const;

interface RateLimiterOptions {
  /** Where requests of all processes are counted; null limits within this process only. */
  store: { kv: Kv; hash: KeyedHash } | null;
  clock: Clock;
  /** @default {QUOTA} */
  limit?: number;
  /**
   * Maximum number of clients with their own log in this process. Beyond it, no client is forgotten while its
   * requests count. Instead, the clients of the largest network share one log. If no network is large, new
   * clients share {@link OVERFLOW} logs, each for a group of networks. @default {50000}
   */
  maxClients?: number;
}

export interface Decision {
  accepted: boolean;
  /** Requests left, to this process's knowledge. */
  remaining: number;
  /** Whole seconds until the full quota is available again. */
  reset: number;
  /** Whole seconds until the request can be accepted; only when refused. */
  retryAfter?: number;
  /** Whether the store failed, so that only this process's own log counted. */
  degraded: boolean;
}

/** Logs shared by clients when there are too many of them. */
export const OVERFLOW = 1024;

/** A network has to share a log when it has this fraction of all clients, and more than one. */
const LARGE_SHARE = 1 / 64;

/** Milliseconds after which the store may delete a record that is not written again. */
export const STORED_MS = 2 * WINDOW_MS + 60_000;

interface Client {
  readonly name: string;
  /** Name of the log shared by its network when that has too many clients. */
  readonly sharedBy: string;
  /** Times of accepted requests, ascending, as stored at `version`. */
  log: number[];
  /** Times of requests accepted without the store, ascending. */
  unsaved: number[];
  version: string | null;
  /** Whether another process has served the client. */
  shared: boolean;
  /** The latest commit. Requests can join it until it begins. */
  commit: Promise<Decision[]>;
  /** What each of them costs; null once the commit has begun. */
  costs: number[] | null;
}

export class RateLimiter {
  readonly limit: number;
  readonly #store: RateLimiterOptions["store"];
  readonly #clock: Clock;
  readonly #maxClients: number;
  readonly #clients = new Map<string, Client>();
  #sweptAt = -Infinity;
  /** Whether a network may be large enough to share a log. */
  #mayMerge = true;

  constructor({ store, clock, limit = QUOTA, maxClients = 50_000 }: RateLimiterOptions) {
    this.#store = store;
    this.#clock = clock;
    this.limit = limit;
    this.#maxClients = maxClients;
  }

  get clients(): number {
    return this.#clients.size;
  }

  /**
   * Counts a request as `cost` requests, if that many are left. Returns without waiting when the store need
   * not be read.
   */
  take(name: string, cost = 1): Decision | Promise<Decision> {
    const client = this.#clientOf(name);
    const { used, now } = this.#used(client);
    // Without a store, the client's own log is complete, so the request is added to it directly.
    if (this.#store === null) return this.#add(client.log, cost, now);
    const refusal = this.#refusal(used, cost, now);
    if (refusal !== null) return refusal;
    if (client.costs === null) {
      const costs: number[] = client.costs = [];
      client.commit = client.commit.catch(() => []).then(() => {
        client.costs = null;
        return this.#commit(client, costs);
      });
    }
    const place = client.costs.push(cost) - 1;
    return client.commit.then((decisions) => decisions[place]!);
  }

  /** What this process knows about a client. Counts nothing and does not read the store. */
  peek(name: string): Decision {
    const { used, now } = this.#used(this.#clients.get(name) ?? newClient(name));
    const reset = seconds((used.at(-1) ?? -Infinity) + WINDOW_MS - now);
    const remaining = this.limit - used.length;
    return this.#refusal(used, 1, now) ?? { accepted: true, remaining, reset, degraded: false };
  }

  async #commit(client: Client, costs: readonly number[]): Promise<Decision[]> {
    const { kv, hash } = this.#store!;
    try {
      const key = ["rate", this.limit, await hash.of("client", client.name)];
      // This loop ends: each failed check means that another process accepted a request, and those are
      // limited.
      for (let tries = 0; tries <= this.limit; tries++) {
        if (client.shared) {
          const [{ value, versionstamp }] = await kv.get<number[]>([key]);
          // Reading it again would undo the correction for a clock that was set back.
          if (versionstamp !== client.version) client.log = value ?? [];
          client.version = versionstamp;
        }
        const { used, now } = this.#used(client);
        const log = [...used];
        const decisions = costs.map((cost) => this.#add(log, cost, now));
        if (!decisions.some(({ accepted }) => accepted)) return decisions;
        const version = await kv.commit({
          checks: [{ key, versionstamp: client.version }],
          writes: [{ key, value: log, expireIn: STORED_MS }],
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
    return costs.map((cost) => this.#alone(client, cost));
  }

  /** Counts in this process until the next commit. */
  #alone(client: Client, cost: number): Decision {
    const { used, now } = this.#used(client);
    const log = [...used];
    const decision = this.#add(log, cost, now);
    client.unsaved.push(...log.slice(used.length));
    return { ...decision, degraded: true };
  }

  #add(log: number[], cost: number, now: number): Decision {
    const refusal = this.#refusal(log, cost, now);
    if (refusal !== null) return refusal;
    for (let i = 0; i < cost; i++) log.push(now);
    const reset = Math.ceil(WINDOW_MS / 1000);
    return { accepted: true, remaining: this.limit - log.length, reset, degraded: false };
  }

  /** The refusal of a request; null when nothing known prevents accepting it. */
  #refusal(used: readonly number[], cost: number, now: number): Decision | null {
    const over = used.length + cost - this.limit;
    if (over <= 0) return null;
    const wait = (moment: number): number => seconds(moment + WINDOW_MS - now);
    const retryAfter = Math.max(1, wait(used[Math.min(over, used.length) - 1]!));
    return {
      accepted: false,
      remaining: Math.max(0, this.limit - used.length),
      reset: Math.max(retryAfter, wait(used.at(-1)!)),
      retryAfter,
      degraded: false,
    };
  }

  /** The times that count now, ascending, and the current time. */
  #used({ log, unsaved }: Client): { used: readonly number[]; now: number } {
    const now = this.#clock.now();
    dropOld(log, now);
    if (unsaved.length === 0) return { used: log, now };
    dropOld(unsaved, now);
    return { used: [...log, ...unsaved].sort((a, b) => a - b), now };
  }

  #clientOf(name: string): Client {
    const known = this.#clients.get(name);
    if (known !== undefined) return known;
    const since = this.#clock.now() - this.#sweptAt;
    // Negative when the clock was set back.
    if (since < 0 || since >= WINDOW_MS) this.#sweep();
    const client = newClient(name);
    const shared = this.#clients.get(client.sharedBy);
    if (shared !== undefined) return shared;
    if (this.clients >= this.#maxClients && !name.startsWith(SHARED)) {
      return this.#clientOf(this.#merge() ? name : overflowOf(name));
    }
    this.#clients.set(name, client);
    return client;
  }

  /** Makes the clients of the largest network share a log. Returns whether there was a large network. */
  #merge(): boolean {
    if (!this.#mayMerge) return false;
    const networks = Map.groupBy(
      this.#clients.values().filter(({ name }) => !name.startsWith(SHARED)),
      ({ sharedBy }) => sharedBy,
    );
    const [name = "", merged = []] = [...networks].sort((a, b) => b[1].length - a[1].length)[0] ??
      [];
    this.#mayMerge = merged.length > Math.max(1, this.#maxClients * LARGE_SHARE);
    if (!this.#mayMerge) return false;
    // No more than the allowed number count, so it is enough to keep as many as can cause a refusal.
    const moments = merged.flatMap((client) => this.#used(client).used)
      .sort((a, b) => a - b).slice(-this.limit);
    const client = newClient(name);
    // The next commit adds what the store does not have yet.
    if (this.#store === null) client.log = moments;
    else client.unsaved = moments;
    for (const { name } of merged) this.#clients.delete(name);
    this.#clients.set(name, client);
    return true;
  }

  #sweep(): void {
    this.#mayMerge = true;
    this.#sweptAt = this.#clock.now();
    for (const client of this.#clients.values()) {
      if (this.#used(client).used.length === 0) this.#clients.delete(client.name);
    }
  }
}

function newClient(name: string): Client {
  const commit = Promise.resolve([]);
  const sharedBy = SHARED + networkOf(name, ORGANIZATION);
  return {
    name,
    sharedBy,
    log: [],
    unsaved: [],
    version: null,
    shared: false,
    commit,
    costs: null,
  };
}

/**
 * Drops times that no longer count. Times in the future come from a clock that was set back and count as
 * now.
 */
function dropOld(log: number[], now: number): void {
  let gone = 0;
  while (gone < log.length && log[gone]! <= now - WINDOW_MS) gone++;
  log.splice(0, gone);
  for (let i = log.length - 1; i >= 0 && log[i]! > now; i--) log[i] = now;
}

/** Prefix of the names of shared logs; no client's name starts with it. */
const SHARED = "shared ";

/** The log that a network shares with other networks, so that one network cannot use up all logs. */
function overflowOf(client: string): string {
  return `${SHARED}${(fnv1a(networkOf(client, ORGANIZATION)) >>> 0) % OVERFLOW}`;
}

function seconds(milliseconds: number): number {
  return Math.ceil(Math.max(0, milliseconds) / 1000);
}
