// Suggestions for every search box: a combobox with a listbox, as in the ARIA Authoring Practices. The / key focuses
// the search box.

const WAIT_MS = 120;
const SHORTEST = 2;

/** @typedef {{ dot: string, name: string, dba_name: string | null, city: string, state: string, active: boolean }} Suggestion */

for (const form of document.querySelectorAll("form.search")) {
  const input = /** @type {HTMLInputElement | null} */ (form.querySelector("input[name=q]"));
  if (input) suggest(input);
}

document.addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (key !== "/" || ctrlKey || metaKey || altKey || event.defaultPrevented) return;
  if (/** @type {Element} */ (target).closest("input, textarea, select, [contenteditable]")) return;
  const box = /** @type {HTMLInputElement | null} */ (document.querySelector(".search [name=q]"));
  if (box === null) return;
  event.preventDefault();
  box.focus();
  box.select();
});

/** @param {HTMLInputElement} input */
function suggest(input) {
  const list = document.createElement("ul");
  list.id = `${input.id}-list`;
  list.className = "suggestions";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Carriers");
  const status = document.createElement("span");
  status.className = "unseen";
  status.setAttribute("role", "status");
  // ARIA does not allow the combobox role on a search field.
  input.type = "text";
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-expanded", "false");
  input.setAttribute("aria-controls", list.id);
  input.after(list, status);

  let active = -1;
  let asked = input.value.trim();
  let timer = 0;
  let request = new AbortController();

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT_MS);
  });
  input.addEventListener("blur", dismiss);
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const { length } = list.children;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (length === 0) return;
      event.preventDefault();
      if (list.hidden) open();
      // Cycles through the options and one more position: no option, that is, the text as typed.
      const step = event.key === "ArrowDown" ? 1 : length + 1;
      mark((active + 1 + step) % (length + 1) - 1);
    } else if (event.key === "Escape") {
      if (!list.hidden) event.preventDefault();
      dismiss();
    } else if (event.key === "Enter" && !list.hidden && active >= 0) {
      event.preventDefault();
      go(list.children[active]);
    }
  });
  // Prevents a click on an option from taking the focus, because losing it closes the list.
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = /** @type {Element} */ (event.target).closest("li");
    if (option) go(option);
  });

  async function ask() {
    const query = input.value.trim();
    if (query === asked) return;
    asked = query;
    request.abort();
    request = new AbortController();
    if (query.length < SHORTEST) return show([]);
    try {
      const { signal } = request;
      const response = await fetch(`/suggest?q=${encodeURIComponent(query)}`, { signal });
      // The previous list stays open until the new one arrives.
      const { results } = response.ok ? await response.json() : { results: [] };
      if (query === asked) show(results);
    } catch {
      if (query === asked) show([]);
    }
  }

  /** @param {Suggestion[]} results */
  function show(results) {
    list.replaceChildren(...results.map(optionOf));
    mark(-1);
    if (results.length === 0 || document.activeElement !== input) close();
    else open();
    const many = results.length === 1 ? "1 carrier" : `${results.length} carriers`;
    status.textContent = list.hidden ? "" : `${many}: use the arrow keys`;
  }

  /** @param {Suggestion} suggestion @param {number} at */
  function optionOf({ dot, name, dba_name, city, state, active }, at) {
    const option = document.createElement("li");
    option.id = `${list.id}-${at}`;
    option.setAttribute("role", "option");
    option.dataset.dot = dot;
    const title = document.createElement("bdi");
    title.textContent = name || `USDOT ${dot}`;
    const facts = document.createElement("small");
    const place = [city, state].filter(Boolean).join(", ");
    const dba = document.createElement("bdi");
    dba.textContent = dba_name ?? "";
    facts.append(...dba_name ? ["doing business as ", dba, " · "] : []);
    facts.append([`USDOT ${dot}`, place].filter(Boolean).join(" · "));
    option.append(title, " ", facts);
    if (!active) {
      const mark = document.createElement("span");
      mark.className = "state bad";
      mark.textContent = "Inactive";
      facts.append(" · ", mark);
    }
    return option;
  }

  /** @param {number} at */
  function mark(at) {
    list.children[active]?.removeAttribute("aria-selected");
    active = at;
    const option = list.children[at];
    if (option) {
      option.setAttribute("aria-selected", "true");
      option.scrollIntoView({ block: "nearest" });
      input.setAttribute("aria-activedescendant", option.id);
    } else input.removeAttribute("aria-activedescendant");
  }

  function open() {
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
  }

  /** Closes the list and cancels pending requests, so that a late answer does not open it again. */
  function dismiss() {
    clearTimeout(timer);
    request.abort();
    asked = "";
    close();
  }

  function close() {
    mark(-1);
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  }

  /** @param {Element} option */
  function go(option) {
    close();
    location.assign(`/carriers/${/** @type {HTMLElement} */ (option).dataset.dot}`);
  }
}
