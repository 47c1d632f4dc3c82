// What this browser keeps for its user: lists under a key.

/** @param {string} key @returns {any[]} None where the browser keeps nothing. */
export function readKept(key) {
  try {
    const all = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(all) ? all : [];
  } catch {
    return [];
  }
}

/** @param {string} key @param {unknown[]} all @returns {boolean} Whether the browser keeps them. */
export function keep(key, all) {
  try {
    if (all.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(all));
    return true;
  } catch {
    return false;
  }
}
