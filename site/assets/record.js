// Enables the Print and Copy buttons of a vetting record.

const actions = document.querySelector("#record");
const link = /** @type {HTMLAnchorElement | null} */ (actions?.querySelector("a[href*='.txt']"));
const [printed, copied] = actions?.querySelectorAll("button") ?? [];

if (actions && link && printed && copied) {
  const status = document.createElement("span");
  status.setAttribute("role", "status");
  actions.append(status);

  const read = async () => {
    const response = await fetch(link.href);
    if (!response.ok) throw new Error(String(response.status));
    return await response.blob();
  };

  printed.addEventListener("click", () => print());
  // Passes a promise, because a browser may refuse to write to the clipboard once the text has been
  // fetched: by then the click is too long ago.
  copied.addEventListener("click", () => {
    navigator.clipboard.write([new ClipboardItem({ "text/plain": read() })]).then(
      () => status.textContent = "Copied",
      () => status.textContent = "Could not copy: save the text instead",
    );
  });
}
