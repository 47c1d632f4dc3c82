// Reads and writes lists in the browser's local storage.

/** @param {string} key @returns {any[]} The stored list; empty if there is none or storage is not available. */
export function readKept(key) {
  try {
    const all = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(all) ? all : [];
  } catch {
    return [];
  }
}

/** @param {string} key @param {unknown[]} all @returns {boolean} Whether the list was stored. */
export function keep(key, all) {
  try {
    if (all.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(all));
    return true;
  } catch {
    return false;
  }
}
