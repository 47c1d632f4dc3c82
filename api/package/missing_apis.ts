/**
 * Polyfills for standard functions that our code uses and Node 20 lacks.
 *
 * @module
 */

function add(to: object, name: string, value: unknown): void {
  if (!(name in to)) Object.defineProperty(to, name, { value, writable: true, configurable: true });
}

add(Map, "groupBy", <K, V>(items: Iterable<V>, keyOf: (item: V, at: number) => K) => {
  const groups = new Map<K, V[]>();
  let at = 0;
  for (const item of items) {
    const key = keyOf(item, at++);
    if (!groups.get(key)?.push(item)) groups.set(key, [item]);
  }
  return groups;
});
add(Promise, "withResolvers", () => {
  const made: Record<string, unknown> = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
});
add(URL, "parse", (url: string) => URL.canParse(url) ? new URL(url) : null);
add(Set.prototype, "union", function (this: Set<unknown>, other: Iterable<unknown>) {
  return new Set([...this, ...other]);
});
add(Uint8Array.prototype, "toHex", function (this: Uint8Array) {
  return Array.from(this, (byte) => byte.toString(16).padStart(2, "0")).join("");
});
// A no-op is enough: our code calls transfer() only to free memory sooner.
add(ArrayBuffer.prototype, "transfer", () => undefined);
