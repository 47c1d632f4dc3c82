/**
 * What one process knows of one client: the record as last read, its own uses that are not in it yet,
 * and the permits at hand. Pure: no calls of the store in here.
 *
 * @module
 */

import type { KvEntry, KvKey } from "./kv.ts";
import { Permits } from "./rate_permits.ts";
import {
  charge,
  merged,
  notLater,
  type Policy,
  pruned,
  type RateRecord,
  type Wait,
  waitOf,
} from "./rate_record.ts";
import { UnsavedUses } from "./rate_uses.ts";

/**
 * While other processes serve the same client, a reservation is this part of what is free: permits
 * left over in one process are refusals in the others.
 */
const SHARE = 8;

/** Milliseconds before a record is read again in the hope that another process gave permits back. */
const LOOK_AGAIN_MS = 1_000;

/** How one process takes permits. */
export interface LeasePolicy extends Policy {
  /** This process. */
  owner: string;
  /** Milliseconds for which permits can be used. */
  leaseMs: number;
}

/** A commit to try. */
export interface Attempt {
  id: number;
  count: number;
  /** When it was made up. */
  at: number;
  until: number;
  record: RateRecord;
  clockEpoch: number;
}

/** State of one client in one process. */
export class RateClient {
  /** The versionstamp the next commit is checked on; undefined when the record has to be read first. */
  version: string | null | undefined = null;
  /** The commit under way, which all requests wait for. */
  pending: Promise<unknown> | null = null;
  /** How many requests wait for permits. */
  waiting = 0;
  /** Whether the store failed when it was last needed. */
  degraded = false;
  /** No request can be accepted before, and the store has nothing to add: milliseconds since the epoch. */
  blockedUntil = 0;
  wait: Wait = { freeAt: 0, wholeAt: 0 };
  /** What a client is told it has left. */
  remaining: number;

  readonly #policy: LeasePolicy;
  /** The record as last known, without our own reservation. */
  #known: RateRecord = { stamps: [], open: [] };
  #knownVersion: string | null = null;
  readonly #unsaved = new UnsavedUses();
  readonly #permits = new Permits();
  #clockEpoch: number;

  /** @param key Where its record is. */
  constructor(readonly key: KvKey, policy: LeasePolicy, clockEpoch: number) {
    this.#policy = policy;
    this.#clockEpoch = clockEpoch;
    this.remaining = policy.limit;
  }

  /**
   * Drops what a clock that was put back makes doubtful: permits would come alive again, and a refusal
   * would last until the clock has caught up.
   */
  noteClock(clockEpoch: number, now: number): void {
    if (clockEpoch === this.#clockEpoch) return;
    this.#clockEpoch = clockEpoch;
    this.#permits.drop();
    this.blockedUntil = 0;
    this.#known = notLater(this.#known, now, this.#policy.leaseMs);
    this.#unsaved.notLater(now);
  }

  /** Uses a permit at hand, if there is one. */
  spend(now: number): boolean {
    if (!this.#permits.spend(now)) return false;
    this.#unsaved.add(now);
    this.remaining--;
    return true;
  }

  /** Uses what is free as far as this process knows, without a permit. */
  spendAlone(now: number): boolean {
    const free = this.free(now);
    if (free === 0) return false;
    this.#unsaved.add(now);
    this.remaining = free - 1;
    return true;
  }

  /** How many more there is room for; our own permits that were not used are room. */
  free(now: number): number {
    const { limit, windowMs } = this.#policy;
    this.#unsaved.dropUpTo(now - windowMs);
    const used = charge(this.#known, now, this.#policy) + this.#unsaved.moments.length;
    return Math.max(0, limit - used);
  }

  /**
   * Whether the record should be read before a commit: it has not been, or another process serves the
   * client too, so that a blind commit would most likely be in vain.
   */
  get mustRead(): boolean {
    return this.version === undefined || this.#known.open.length > 0;
  }

  /** Remembers until when a refusal holds. */
  block(now: number): void {
    this.remaining = 0;
    this.wait = this.waitNow();
    const { freeAt } = this.wait;
    const alone = this.#known.open.length === 0;
    this.blockedUntil = alone ? freeAt : Math.min(freeAt, now + LOOK_AGAIN_MS);
  }

  /** The moments at which room comes back, from all that is known. */
  waitNow(): Wait {
    return waitOf(this.#all(), this.#policy);
  }

  /** Takes in the record as it was read; tells by our reservation in it which of our commits took place. */
  learn(entry: KvEntry<RateRecord>, now: number): void {
    this.version = entry.versionstamp;
    // Taken in anew, moments of a clock that was put back would be moved to now again and again.
    if (entry.versionstamp === this.#knownVersion) return;
    this.#knownVersion = entry.versionstamp;
    const { owner, leaseMs } = this.#policy;
    const record = notLater(entry.value ?? { stamps: [], open: [] }, now, leaseMs);
    const ours = record.open.filter((held) => held.owner === owner);
    const settled = this.#unsaved.settle(ours.map(({ id }) => id));
    // One of ours that is not known here was made before this client was dropped to save memory.
    const open = record.open.filter((held) => held.owner !== owner || held.id !== settled);
    this.#known = pruned({ stamps: record.stamps, open }, now, this.#policy);
  }

  /** Makes up the commit that saves our uses and takes permits; null when there is no room. */
  attempt(now: number, id: number): Attempt | null {
    const free = this.free(now);
    if (free === 0) return null;
    const { owner, leaseMs } = this.#policy;
    // Those who wait use theirs at once, so that none of these is left over.
    const spare = Math.min(this.#permits.wanted(now), this.#share(free));
    const count = Math.min(free, Math.max(this.waiting, spare));
    const until = now + leaseMs;
    const all = pruned(this.#all(), now, this.#policy);
    all.open.push({ owner, id, count, until });
    return { id, count, at: now, until, record: all, clockEpoch: this.#clockEpoch };
  }

  /** From now on it is not known what the record holds, until it is read or the attempt succeeds. */
  begin({ id, until }: Attempt): void {
    this.#unsaved.begin(id, until);
    this.version = undefined;
  }

  /** The attempt took place. */
  succeed(attempt: Attempt, version: string): void {
    const { id, count, at, until, record, clockEpoch } = attempt;
    const { owner } = this.#policy;
    const open = record.open.filter((held) => held.owner !== owner || held.id !== id);
    this.remaining = this.free(at);
    this.#known = { stamps: record.stamps, open };
    this.#unsaved.settle([id]);
    this.version = this.#knownVersion = version;
    this.#permits.grant(count, until);
    // Was the clock put back meanwhile, the next call drops the permits.
    this.#clockEpoch = clockEpoch;
  }

  #all(): RateRecord {
    return { stamps: merged(this.#known.stamps, this.#unsaved.moments), open: this.#known.open };
  }

  #share(free: number): number {
    return this.#known.open.length === 0 ? free : Math.max(1, Math.floor(free / SHARE));
  }
}
