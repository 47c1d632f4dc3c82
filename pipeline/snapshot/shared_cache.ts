/**
 * A cache bounded by bytes that also lets concurrent callers share one load.
 *
 * @module
 */

/** What a load gives: the value and the memory it is taken to hold. */
export interface Weighed<V> {
  value: V;
  bytes: number;
}

/**
 * Least recently used goes first. A failed load is told to all who shared it and is not kept; a
 * value bigger than the whole bound is handed out and not kept.
 */
export class SharedCache<V> {
  readonly #entries = new Map<string, Weighed<V>>();
  readonly #loading = new Map<string, Promise<V>>();
  readonly #maxBytes: number;
  #bytes = 0;

  /** @param maxBytes Estimated bytes to hold at most. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Estimated bytes held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Entries held now. */
  get size(): number {
    return this.#entries.size;
  }

  /** The value under a key, if there is one. */
  peek(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Keeps a value. */
  put(key: string, entry: Weighed<V>): void {
    if (entry.bytes > this.#maxBytes) return;
    this.#bytes += entry.bytes - (this.#entries.get(key)?.bytes ?? 0);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#evict();
  }

  /** The value under a key, loaded once when absent, however many ask at the same time. */
  get(key: string, load: () => Promise<Weighed<V>>): V | Promise<V> {
    const value = this.peek(key);
    if (value !== undefined) return value;
    let loading = this.#loading.get(key);
    if (loading === undefined) {
      loading = this.#load(key, load);
      this.#loading.set(key, loading);
    }
    return loading;
  }

  async #load(key: string, load: () => Promise<Weighed<V>>): Promise<V> {
    try {
      const entry = await load();
      this.put(key, entry);
      return entry.value;
    } finally {
      this.#loading.delete(key);
    }
  }

  #evict(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#entries.delete(key);
      this.#bytes -= entry.bytes;
    }
  }
}
