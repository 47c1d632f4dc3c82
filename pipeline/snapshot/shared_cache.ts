/**
 * A least-recently-used cache bounded by bytes that lets concurrent callers share one load.
 *
 * @module
 */

/** What a load returns: the value and its estimated bytes of memory. */
export interface Weighed<V> {
  value: V;
  bytes: number;
}

/**
 * A failed load rejects for all callers that share it and is not cached. A value larger than the whole bound
 * is returned but not cached.
 */
export class SharedCache<V> {
  readonly #entries = new Map<string, Weighed<V>>();
  // A Map whose entries come and go keeps its old tables, and everything in them, until V8 collects its whole
  // heap.
  readonly #loading: Record<string, Promise<V>> = Object.create(null);
  readonly #maxBytes: number;
  #bytes = 0;

  /** @param maxBytes Limit of the estimated bytes. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  peek(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  put(key: string, entry: Weighed<V>): void {
    if (entry.bytes > this.#maxBytes) return;
    this.#bytes += entry.bytes - (this.#entries.get(key)?.bytes ?? 0);
    this.#entries.delete(key);
    // A copy. Once many loads stay in the cache, V8 allocates loads as old objects, and those that are not
    // cached would keep their values until V8 collects its whole heap.
    this.#entries.set(key, { ...entry });
    for (const [oldest, { bytes }] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#entries.delete(oldest);
      this.#bytes -= bytes;
    }
  }

  drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }

  /** The value of a key, loaded once if absent, however many callers ask for it at the same time. */
  get(key: string, load: () => Promise<Weighed<V>>): V | Promise<V> {
    const value = this.peek(key);
    if (value !== undefined) return value;
    let loading = this.#loading[key];
    if (loading === undefined) {
      loading = this.#load(key, load);
      this.#loading[key] = loading;
    }
    return loading;
  }

  async #load(key: string, load: () => Promise<Weighed<V>>): Promise<V> {
    try {
      const entry = await load();
      this.put(key, entry);
      return entry.value;
    } finally {
      delete this.#loading[key];
    }
  }
}
