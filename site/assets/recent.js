// Carriers looked up recently. They are stored only in this browser, and shown and cleared on the home page.

import { keep, readKept } from "./storage.js";

const KEY = "recent";
const MOST = 8;

/** @typedef {{ dot: string, name: string }} Seen */

/** @returns {Seen[]} */
function read() {
  return readKept(KEY).filter((one) => /^\d{1,8}$/.test(one?.dot) && one.name);
}

const seen = document.querySelector("[data-seen]");
if (seen instanceof HTMLElement) {
  const one = { dot: seen.dataset.seen ?? "", name: (seen.textContent ?? "").slice(0, 120) };
  const others = read().filter(({ dot }) => dot !== one.dot);
  keep(KEY, [one, ...others].slice(0, MOST));
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
    keep(KEY, []);
    section.hidden = true;
  });
  section.hidden = false;
}
