// Makes the buttons work that copy a text; where there is no clipboard they stay hidden.

const SHOWN_MS = 2_000;

let clearing = 0;

const status = document.createElement("span");
status.className = "unseen";
status.setAttribute("role", "status");

/** @param {HTMLButtonElement} button */
function copies(button) {
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
    // Not the timer of the button before, which would cut this announcement short.
    clearTimeout(clearing);
    clearing = setTimeout(() => status.textContent = "", SHOWN_MS);
  });
}

// Browsers offer no clipboard to pages that came over plain HTTP from elsewhere.
if (navigator.clipboard !== undefined) {
  document.body.append(status);
  for (const button of document.querySelectorAll("button[data-copy]")) {
    copies(/** @type {HTMLButtonElement} */ (button));
  }
}
