/**
 * Carriers counted by term and by class of static rank.
 *
 * @module
 */

/** Classes of static rank that terms are counted by. */
export const CLASSES = 32;

/** Counts that grow with the number of terms. */
export class ClassCounts {
  #counts = new Uint32Array(1024 * CLASSES);

  /** Adds carriers of a class to those that have a term. */
  add(term: number, rankClass: number, carriers: number): void {
    const at = term * CLASSES + rankClass;
    if (at >= this.#counts.length) {
      const grown = new Uint32Array(this.#counts.length * 2);
      grown.set(this.#counts);
      this.#counts = grown;
      return this.add(term, rankClass, carriers);
    }
    this.#counts[at]! += carriers;
  }

  /** The carriers that have a term, by class. */
  of(term: number): Uint32Array {
    return this.#counts.subarray(term * CLASSES, (term + 1) * CLASSES);
  }
}
