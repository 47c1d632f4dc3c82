/**
 * One process's own uses by a client that the record does not hold yet, and the commits that may have
 * put them there.
 *
 * @module
 */

/** A commit of ours that the record shows, or may show. */
interface Commit {
  /** Of its reservation. */
  id: number;
  until: number;
  /** How many of our uses, counted from the first ever, it put into the record. */
  saved: number;
}

/** Uses not known to be saved. */
export class UnsavedUses {
  #moments: number[] = [];
  #made = 0;
  #commits: Commit[] = [];

  /** Milliseconds since the epoch, ascending. */
  get moments(): readonly number[] {
    return this.#moments;
  }

  /** Adds the newest. */
  add(now: number): void {
    this.#moments.push(now);
    this.#made++;
  }

  /** Forgets uses, and commits whose permits and uses are all as old. */
  dropUpTo(since: number): void {
    while (this.#moments.length > 0 && this.#moments[0]! <= since) this.#moments.shift();
    while (this.#commits.length > 0 && this.#commits[0]!.until <= since) this.#commits.shift();
  }

  /** For a clock that was put back: what has happened is not later than now. */
  notLater(now: number): void {
    this.#moments = this.#moments.map((at) => Math.min(at, now));
  }

  /** A commit sets out that saves all of them; whether it takes place is to be seen. */
  begin(id: number, until: number): void {
    this.#commits.push({ id, until, saved: this.#made });
  }

  /**
   * Tells by the reservations of this process in a record that changed which commit took place last,
   * and lets go of what it saved. The others were replaced, or never will take place: what they were
   * checked on is gone.
   *
   * @returns Its reservation, or null when none of ours did or it is too old to matter.
   */
  settle(ids: readonly number[]): number | null {
    const last = this.#commits.find(({ id }) => ids.includes(id));
    this.#commits = last === undefined ? [] : [last];
    if (last === undefined) return null;
    const gone = this.#made - this.#moments.length;
    this.#moments.splice(0, Math.max(0, last.saved - gone));
    return last.id;
  }
}
