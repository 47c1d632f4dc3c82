// Carriers looked up in this browser: kept in it alone, shown on the home page, and cleared there.

const KEY = "recent";
const MOST = 8;

/** @typedef {{ dot: string, name: string }} Seen */

/** @returns {Seen[]} */
function read() {
  try {
    const all = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(all) ? all.filter(({ dot, name }) => /^\d{1,8}$/.test(dot) && name) : [];
  } catch {
    return [];
  }
}

const seen = document.querySelector("[data-seen]");
if (seen instanceof HTMLElement) {
  const one = { dot: seen.dataset.seen ?? "", name: (seen.textContent ?? "").slice(0, 120) };
  const others = read().filter(({ dot }) => dot !== one.dot);
  try {
    localStorage.setItem(KEY, JSON.stringify([one, ...others].slice(0, MOST)));
  } catch { /* A browser may keep nothing. */ }
}

const section = document.querySelector("#recent");
const all = section === null ? [] : read();
if (section instanceof HTMLElement && all.length > 0) {
  section.querySelector("ul")?.replaceChildren(...all.map(({ dot, name }) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    const title = document.createElement("bdi");
    title.textContent = name;
    link.href = `/carriers/${dot}`;
    link.append(title);
    item.append(link, ` USDOT ${dot}`);
    return item;
  }));
  section.querySelector("button")?.addEventListener("click", () => {
    localStorage.removeItem(KEY);
    section.hidden = true;
  });
  section.hidden = false;
}
