// Sorts a complete table on the page itself, instead of requesting the sorted page from the server.

for (const table of document.querySelectorAll("table[data-whole]")) {
  if (!(table instanceof HTMLTableElement)) continue;
  table.tHead?.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("th a") : null;
    const head = link?.closest("th");
    if (!head || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    sortRows(table, head);
  });
}

/**
 * @param {HTMLTableElement} table
 * @param {HTMLTableCellElement} head
 */
function sortRows(table, head) {
  const descending = head.ariaSort === "ascending";
  for (const other of table.tHead?.rows[0]?.cells ?? []) other.removeAttribute("aria-sort");
  head.ariaSort = descending ? "descending" : "ascending";
  const body = table.tBodies[0];
  if (body === undefined) return;
  const names = new Intl.Collator("en", { numeric: true });
  const sign = descending ? -1 : 1;
  const rows = Array.from(body.rows, (row) => {
    const cell = row.cells[head.cellIndex];
    return { row, by: cell?.dataset.by ?? cell?.textContent ?? "" };
  });
  // Unknown values come last in both orders.
  rows.sort((a, b) =>
    Number(a.by === "") - Number(b.by === "") || sign * names.compare(a.by, b.by)
  );
  body.append(...rows.map(({ row }) => row));
}
