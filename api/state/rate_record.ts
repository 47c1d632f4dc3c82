/**
 * What the store holds of one client's requests.
 *
 * @module
 */

/** How many requests are accepted in any window of time. */
export interface Policy {
  limit: number;
  /** Milliseconds; half open, so that a use at t counts no more at t + windowMs. */
  windowMs: number;
}

/** Permits one process holds; to all others they are uses at `until`. */
export interface Reservation {
  /** The process. */
  owner: string;
  /** Unique within the owner. */
  id: number;
  count: number;
  /** Milliseconds since the epoch; no permit is used at it or later. */
  until: number;
}

/**
 * The value of a key. It needs no `expires_at`: each part of it is a moment and leaves with the window.
 * Its size is bounded by the limit, for it is written only when all its stamps and the permits of all
 * its reservations are within it.
 */
export interface RateRecord {
  /** Accepted uses, in milliseconds since the epoch, ascending. */
  stamps: number[];
  open: Reservation[];
}

/** A store's cleaning comes long after the last moment in a record counts. */
export function keepMs({ windowMs }: Policy): number {
  return 2 * windowMs + 60_000;
}

/** Leaves out what counts no more. */
export function pruned(
  { stamps, open }: RateRecord,
  now: number,
  { windowMs }: Policy,
): RateRecord {
  const since = now - windowMs;
  return {
    stamps: stamps.filter((at) => at > since),
    open: open.filter(({ until }) => until > since),
  };
}

/** Merges two ascending lists of moments. */
export function merged(a: readonly number[], b: readonly number[]): number[] {
  return [...a, ...b].sort((x, y) => x - y);
}

/** How many uses count at a moment. */
export function charge({ stamps, open }: RateRecord, now: number, { windowMs }: Policy): number {
  const since = now - windowMs;
  let sum = 0;
  for (const at of stamps) if (at > since) sum++;
  for (const { until, count } of open) if (until > since) sum += count;
  return sum;
}

/** When a client may go on. */
export interface Wait {
  /** The first moment at which there is room for one more, in milliseconds since the epoch. */
  freeAt: number;
  /** The first moment at which nothing counts any more. */
  wholeAt: number;
}

/** Works out the moments of a record at which room comes back by itself. */
export function waitOf({ stamps, open }: RateRecord, { limit, windowMs }: Policy): Wait {
  const uses = [
    ...stamps.map((at) => ({ at, count: 1 })),
    ...open.map(({ until, count }) => ({ at: until, count })),
  ].sort((a, b) => b.at - a.at);
  // From the newest back: whoever makes it the whole limit has to leave first.
  let sum = 0;
  const last = uses.find(({ count }) => (sum += count) >= limit);
  return {
    freeAt: last === undefined ? 0 : last.at + windowMs,
    wholeAt: uses.length === 0 ? 0 : uses[0]!.at + windowMs,
  };
}

/**
 * Moments later than now come from a clock that was put back since: what they stand for has happened,
 * so it is taken to have happened just now (a reservation: to end one lease from now).
 */
export function notLater(record: RateRecord, now: number, leaseMs: number): RateRecord {
  return {
    stamps: record.stamps.map((at) => Math.min(at, now)),
    open: record.open.map((held) => ({ ...held, until: Math.min(held.until, now + leaseMs) })),
  };
}
