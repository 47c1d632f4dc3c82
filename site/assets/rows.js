// Keyboard navigation of table rows: j and k, the arrow keys while a row has the focus, and x to select.

/** Elements that handle these keys themselves. */
const TYPING = "input:not([type=checkbox]), textarea, select, [contenteditable], [role=listbox]";

for (const table of document.querySelectorAll("table[data-keys]")) {
  if (table instanceof HTMLTableElement) enableRowKeys(table);
}

/** @param {HTMLTableElement} table */
function enableRowKeys(table) {
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || event.defaultPrevented) return;
    const from = /** @type {Element} */ (target);
    if (from.closest(TYPING)) return;
    const rows = [...table.tBodies[0]?.rows ?? []];
    const at = rows.findIndex((row) => row.contains(from));
    const isArrow = key === "ArrowDown" || key === "ArrowUp";
    if (key === "x") return select(rows[at]);
    if (isArrow ? at < 0 : key !== "j" && key !== "k") return;
    const next = rows[key === "j" || key === "ArrowDown" ? at + 1 : Math.max(0, at - 1)];
    if (next === undefined) return;
    event.preventDefault();
    focusRow(next);
  });
}

/** @param {HTMLTableRowElement | undefined} row The row whose checkbox to toggle and focus. */
function select(row) {
  const box = row?.querySelector("[type=checkbox]");
  if (!(box instanceof HTMLInputElement)) return;
  box.click();
  box.focus();
}

/** @param {HTMLTableRowElement} row The row to focus: its carrier link, or the row itself if it has none. */
function focusRow(row) {
  const link = /** @type {HTMLElement | null} */ (row.querySelector("a[href^='/carriers/']"));
  if (link === null) row.tabIndex = -1;
  (link ?? row).focus();
  row.scrollIntoView({ block: "nearest" });
}
