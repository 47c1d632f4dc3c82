// Enables the copy buttons. They stay hidden if the browser has no clipboard.

const SHOWN_MS = 2_000;

let clearing = 0;

const status = document.createElement("span");
status.className = "unseen";
status.setAttribute("role", "status");

/** @param {HTMLButtonElement} button */
function enableCopying(button) {
  const text = () => button.dataset.copy || (button.previousElementSibling?.textContent ?? "");
  const content = [...button.childNodes];
  button.disabled = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text());
      status.textContent = "Copied";
    } catch {
      status.textContent = "Cannot copy here";
    }
    button.classList.add("done");
    if (button.textContent !== "") button.textContent = status.textContent;
    setTimeout(() => {
      button.replaceChildren(...content);
      button.classList.remove("done");
    }, SHOWN_MS);
    // Otherwise the previous button's timer would cut this announcement short.
    clearTimeout(clearing);
    clearing = setTimeout(() => status.textContent = "", SHOWN_MS);
  });
}

// Browsers offer no clipboard on plain HTTP, except on localhost.
if (navigator.clipboard !== undefined) {
  document.body.append(status);
  for (const button of document.querySelectorAll("button[data-copy]")) {
    enableCopying(/** @type {HTMLButtonElement} */ (button));
  }
}
