// Adds to a carrier's page: copy the dated vetting record, print. The links beside do without.

const actions = document.querySelector("#record");
const link = /** @type {HTMLAnchorElement | null} */ (actions?.querySelector("a[href$='.txt']"));

if (actions && link) {
  const status = document.createElement("span");
  status.setAttribute("role", "status");

  /** @param {string} text @param {() => void} act */
  const add = (text, act) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    button.textContent = text;
    button.addEventListener("click", act);
    actions.append(button);
  };

  const read = async () => {
    const response = await fetch(link.href);
    if (!response.ok) throw new Error(String(response.status));
    return await response.blob();
  };

  // The clipboard is given a promise: a browser may forget the click while the text is fetched.
  add("Copy the vetting record", () => {
    navigator.clipboard.write([new ClipboardItem({ "text/plain": read() })]).then(
      () => status.textContent = "Copied",
      () => status.textContent = "Could not copy: open the text instead",
    );
  });
  add("Print", () => print());
  actions.append(status);
}
