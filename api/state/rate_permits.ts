/**
 * Permits a process holds for one client, and how many to ask for next.
 *
 * @module
 */

/** Most permits taken in advance. */
const MOST = 16;

/** Permits of one reservation. */
export class Permits {
  #left = 0;
  #granted = 0;
  #until = 0;

  /** Takes the place of what was there. */
  grant(count: number, until: number): void {
    this.#left = this.#granted = count;
    this.#until = until;
  }

  /** Uses one, if there is one that has not lapsed. */
  spend(now: number): boolean {
    if (this.#left === 0 || now >= this.#until) return false;
    this.#left--;
    return true;
  }

  /** Gives up what is left. */
  drop(): void {
    this.#granted -= this.#left;
    this.#left = 0;
  }

  /** How many to ask for: twice as many as last time if they were soon gone, else as many as were used. */
  wanted(now: number): number {
    if (now < this.#until) return Math.min(MOST, Math.max(1, 2 * this.#granted));
    return Math.max(1, this.#granted - this.#left);
  }
}
