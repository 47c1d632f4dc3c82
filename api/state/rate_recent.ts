/**
 * A bounded map that forgets what was not asked for lately.
 *
 * @module
 */

/**
 * Two generations: what is asked for moves to the younger one, and when that has half the bound the
 * older is dropped. Nothing is moved about at each call, as a strict order of last use would need.
 */
export class Recent<T> {
  readonly #half: number;
  #young = new Map<string, T>();
  #old = new Map<string, T>();

  /** @param most Entries held at most; at least 2. */
  constructor(most: number) {
    this.#half = Math.max(1, Math.floor(most / 2));
  }

  /** Entries held. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** An entry, which thereby is kept longer. */
  get(name: string): T | undefined {
    const value = this.#young.get(name);
    if (value !== undefined) return value;
    const old = this.#old.get(name);
    if (old === undefined) return undefined;
    this.#old.delete(name);
    return this.set(name, old);
  }

  /** An entry, without keeping it longer. */
  peek(name: string): T | undefined {
    return this.#young.get(name) ?? this.#old.get(name);
  }

  /** Adds an entry that is not there yet. */
  set(name: string, value: T): T {
    if (this.#young.size >= this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(name, value);
    return value;
  }
}
