// A button beside each text that is there to be copied; it stays on the page when that is refused.

const SHOWN_MS = 2_000;

/** @param {Element} text */
function addButton(text) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet copy";
  button.textContent = "Copy";
  const status = document.createElement("span");
  status.className = "unseen";
  status.setAttribute("role", "status");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text.textContent ?? "");
      button.textContent = status.textContent = "Copied";
    } catch {
      button.textContent = status.textContent = "Cannot copy here";
    }
    setTimeout(() => {
      button.textContent = "Copy";
      status.textContent = "";
    }, SHOWN_MS);
  });
  text.after(button, status);
}

// Browsers offer no clipboard to pages that came over plain HTTP from elsewhere.
if (navigator.clipboard !== undefined) {
  for (const text of document.querySelectorAll("[data-copy]")) addButton(text);
}
