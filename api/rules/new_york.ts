/**
 * The current day in New York. Deadlines are counted in its days.
 *
 * @module
 */

/**
 * The day in New York of an instant, as `YYYY-MM-DD`.
 *
 * @param ms Milliseconds since the epoch.
 * @throws {RangeError} When `ms` is not a valid time.
 */
export function newYorkToday(ms: number): string {
  return newYork(ms).toPlainDate().toString();
}

/**
 * The first instant of the next day in New York.
 *
 * @param ms Milliseconds since the epoch.
 * @returns Milliseconds since the epoch, greater than `ms`.
 */
export function nextNewYorkMidnight(ms: number): number {
  return newYork(ms).add({ days: 1 }).startOfDay().epochMilliseconds;
}

function newYork(ms: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO("America/New_York");
}

/** An instant and its day in New York. */
export interface NewYorkNow {
  today: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** Milliseconds since the epoch of the next midnight in New York. */
  dayEnds: number;
}

/** The day in New York, computed once a day instead of once a request. */
export class NewYorkDay {
  #today = "";
  #from = Infinity;
  #ends = -Infinity;

  at(now: number): NewYorkNow {
    // The lower bound is for a clock that moved backward.
    if (now < this.#from || now >= this.#ends) {
      this.#today = newYorkToday(now);
      this.#from = now;
      this.#ends = nextNewYorkMidnight(now);
    }
    return { today: this.#today, now, dayEnds: this.#ends };
  }
}
