// Adds to a vetting record: print it, copy it. The links beside do without.

const actions = document.querySelector("#record");
const link = /** @type {HTMLAnchorElement | null} */ (actions?.querySelector("a[href*='.txt']"));

if (actions && link) {
  const status = document.createElement("span");
  status.setAttribute("role", "status");

  /** @param {string} text @param {() => void} act */
  const button = (text, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", act);
    return made;
  };

  const read = async () => {
    const response = await fetch(link.href);
    if (!response.ok) throw new Error(String(response.status));
    return await response.blob();
  };

  // The clipboard is given a promise: a browser may forget the click while the text is fetched.
  const copy = button("Copy as text", () => {
    navigator.clipboard.write([new ClipboardItem({ "text/plain": read() })]).then(
      () => status.textContent = "Copied",
      () => status.textContent = "Could not copy: save the text instead",
    );
  });
  copy.className = "quiet";
  actions.prepend(button("Print", () => print()));
  link.after(copy);
  actions.append(status);
}
