// Keeps a checked list in this browser under a name, and shows what changed when the list is checked again.

import {
  asList,
  dayWords,
  differences,
  keepLists,
  readLists,
  readResult,
  sameNumbers,
  stateWords,
} from "./kept_lists.js";

/** @typedef {import("./kept_lists.js").Checked} Checked */

const MOST = 20;

const kept = document.querySelector("#lists");
if (kept instanceof HTMLElement) showLists(kept);

const keepForm = document.querySelector("#keep");
if (keepForm instanceof HTMLFormElement) keepResult(keepForm);

/** @param {HTMLElement} section The section of kept lists, on the page with the form for a new list. */
function showLists(section) {
  const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-most]"));
  const lists = readLists();
  section.hidden = lists.length === 0;
  section.querySelector("ul")?.replaceChildren(...lists.map(({ name, last }) => {
    const item = document.createElement("li");
    const title = document.createElement("bdi");
    title.textContent = name;
    const count = last.rows.length === 1 ? "1 number" : `${last.rows.length} numbers`;
    const again = button("Check again", `Check again: ${name}`, () => {
      /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("text")).value = asList(last);
      /** @type {HTMLInputElement} */ (form.elements.namedItem("file")).value = "";
      form.requestSubmit();
    });
    const remove = button("Delete", `Delete: ${name}`, () => {
      keepLists(readLists().filter((list) => list.name !== name));
      showLists(section);
    });
    item.append(title, `: ${count}, last checked with data of ${dayWords(last.day)} `);
    item.append(again, " ", remove);
    return item;
  }));
}

/** @param {string} text @param {string} label @param {() => void} act */
function button(text, label, act) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = "quiet small";
  element.textContent = text;
  element.ariaLabel = label;
  element.addEventListener("click", act);
  return element;
}

/** @param {HTMLFormElement} form The form to keep a result under a name. */
async function keepResult(form) {
  const job = /** @type {string} */ (form.dataset.job);
  const status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
  const name = /** @type {HTMLInputElement} */ (form.elements.namedItem("list"));
  const read = async () => {
    const response = await fetch(`/bulk/${job}.csv`);
    if (!response.ok) throw new Error(String(response.status));
    return readResult(job, await response.text());
  };
  form.hidden = false;
  // Removes the note that this form needs scripts.
  form.nextElementSibling?.remove();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const last = await read();
      const others = readLists().filter((list) => list.name !== name.value);
      if (others.length >= MOST) {
        status.textContent =
          `${MOST} lists are saved, the most that this site keeps: delete one under “Check a list”.`;
        return;
      }
      status.textContent = keepLists([{ name: name.value, last }, ...others])
        ? `Saved as “${name.value}”. Check it again from “Check a list”.`
        : `This browser has no room for another list: delete one under “Check a list”.`;
    } catch {
      status.textContent = "The result could not be read: try again in a minute";
    }
  });
  const rows = Number(form.dataset.rows);
  if (!readLists().some(({ last }) => last.rows.length === rows)) return;
  const now = await read().catch(() => undefined);
  const lists = readLists();
  const list = now && lists.find(({ last }) => sameNumbers(last, now));
  if (now === undefined || list === undefined || list.last.day > now.day) return;
  if (list.last.job !== job) {
    list.before = list.last;
    list.last = now;
    keepLists(lists);
  }
  name.value = list.name;
  if (list.before !== undefined) showChanges(list.name, list.before, now);
}

/** @param {string} name @param {Checked} before @param {Checked} now */
function showChanges(name, before, now) {
  const section = /** @type {HTMLElement} */ (document.querySelector("#since"));
  const heading = document.createElement("h3");
  const title = document.createElement("bdi");
  title.textContent = name;
  const changed = differences(before, now);
  const days = `data of ${dayWords(before.day)} and of ${dayWords(now.day)}`;
  heading.append(title, `: ${changed.length || "nothing"} changed since the last check`);
  const note = document.createElement("p");
  note.className = "soft";
  note.textContent = `Result and status of each number, compared between the ${days}.`;
  section.replaceChildren(heading, note);
  if (changed.length > 0) section.append(tableOf(changed, before, now));
  section.hidden = false;
}

/**
 * @param {ReturnType<typeof differences>} changed @param {Checked} before @param {Checked} now
 */
function tableOf(changed, before, now) {
  const table = document.createElement("table");
  const head = table.createTHead().insertRow();
  const heads = ["Carrier", `Was (${dayWords(before.day)})`, `Is (${dayWords(now.day)})`];
  for (const words of heads) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = words;
    head.append(cell);
  }
  const body = table.createTBody();
  for (const [was, is] of changed) {
    const row = body.insertRow();
    const first = document.createElement("th");
    first.scope = "row";
    const link = document.createElement(is.dot === "" ? "span" : "a");
    if (link instanceof HTMLAnchorElement) link.href = `/carriers/${is.dot}`;
    const title = document.createElement("bdi");
    title.textContent = is.name || is.number;
    link.append(title);
    first.append(link);
    row.append(first);
    for (const one of [was, is]) {
      const words = document.createElement("bdi");
      words.textContent = stateWords(one);
      row.insertCell().append(words);
    }
  }
  return table;
}
