// Suggestions for every search box: a combobox with a listbox, as in the ARIA Authoring Practices. The / key focuses
// the search box.

const WAIT_MS = 120;
const SHORTEST = 2;

/** @typedef {{ dot: string, name: string, dba_name: string | null, city: string, state: string, active: boolean }} Suggestion */

/** A search box with its list of suggestions. */
class SuggestBox {
  #input;
  #list = document.createElement("ul");
  #status = document.createElement("span");
  /** Place of the marked option; -1 for none, that is, the text as typed. */
  #active = -1;
  #asked;
  #timer = 0;
  #request = new AbortController();

  /** @param {HTMLInputElement} input */
  constructor(input) {
    this.#input = input;
    this.#asked = input.value.trim();
    this.#build();
    this.#listen();
  }

  #build() {
    const input = this.#input;
    const list = this.#list;
    list.id = `${input.id}-list`;
    list.className = "suggestions";
    list.hidden = true;
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Carriers");
    this.#status.className = "unseen";
    this.#status.setAttribute("role", "status");
    // ARIA does not allow the combobox role on a search field.
    input.type = "text";
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-expanded", "false");
    input.setAttribute("aria-controls", list.id);
    input.after(list, this.#status);
  }

  #listen() {
    this.#input.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#ask(), WAIT_MS);
    });
    this.#input.addEventListener("blur", () => this.#dismiss());
    this.#input.addEventListener("keydown", (event) => this.#press(event));
    // Prevents a click on an option from taking the focus, because losing it closes the list.
    this.#list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.#list.addEventListener("click", (event) => {
      const option = /** @type {Element} */ (event.target).closest("li");
      if (option) this.#go(option);
    });
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.isComposing) return;
    const { length } = this.#list.children;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (length === 0) return;
      event.preventDefault();
      if (this.#list.hidden) this.#open();
      // Cycles through the options and one more position, the text as typed.
      const step = event.key === "ArrowDown" ? 1 : length + 1;
      this.#mark((this.#active + 1 + step) % (length + 1) - 1);
    } else if (event.key === "Escape") {
      if (!this.#list.hidden) event.preventDefault();
      this.#dismiss();
    } else if (event.key === "Enter" && !this.#list.hidden && this.#active >= 0) {
      event.preventDefault();
      this.#go(this.#list.children[this.#active]);
    }
  }

  async #ask() {
    const query = this.#input.value.trim();
    if (query === this.#asked) return;
    this.#asked = query;
    this.#request.abort();
    this.#request = new AbortController();
    if (query.length < SHORTEST) return this.#show([]);
    try {
      const { signal } = this.#request;
      const response = await fetch(`/suggest?q=${encodeURIComponent(query)}`, { signal });
      // The previous list stays open until the new one arrives.
      const { results } = response.ok ? await response.json() : { results: [] };
      if (query === this.#asked) this.#show(results);
    } catch {
      if (query === this.#asked) this.#show([]);
    }
  }

  /** @param {Suggestion[]} results */
  #show(results) {
    const { id } = this.#list;
    this.#list.replaceChildren(...results.map((one, at) => optionOf(one, `${id}-${at}`)));
    this.#mark(-1);
    if (results.length === 0 || document.activeElement !== this.#input) this.#close();
    else this.#open();
    const many = results.length === 1 ? "1 carrier" : `${results.length} carriers`;
    this.#status.textContent = this.#list.hidden ? "" : `${many}: use the arrow keys`;
  }

  /** @param {number} at */
  #mark(at) {
    this.#list.children[this.#active]?.removeAttribute("aria-selected");
    this.#active = at;
    const option = this.#list.children[at];
    if (option) {
      option.setAttribute("aria-selected", "true");
      option.scrollIntoView({ block: "nearest" });
      this.#input.setAttribute("aria-activedescendant", option.id);
    } else this.#input.removeAttribute("aria-activedescendant");
  }

  #open() {
    this.#list.hidden = false;
    this.#input.setAttribute("aria-expanded", "true");
  }

  /** Closes the list and cancels pending requests, so that a late answer does not open it again. */
  #dismiss() {
    clearTimeout(this.#timer);
    this.#request.abort();
    this.#asked = "";
    this.#close();
  }

  #close() {
    this.#mark(-1);
    this.#list.hidden = true;
    this.#input.setAttribute("aria-expanded", "false");
  }

  /** @param {Element} option */
  #go(option) {
    this.#close();
    location.assign(`/carriers/${/** @type {HTMLElement} */ (option).dataset.dot}`);
  }
}

/** @param {Suggestion} suggestion @param {string} id */
function optionOf({ dot, name, dba_name, city, state, active }, id) {
  const option = document.createElement("li");
  option.id = id;
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
    mark.textContent = "Not active";
    facts.append(" · ", mark);
  }
  return option;
}

for (const form of document.querySelectorAll("form.search")) {
  const input = /** @type {HTMLInputElement | null} */ (form.querySelector("input[name=q]"));
  if (input) new SuggestBox(input);
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
