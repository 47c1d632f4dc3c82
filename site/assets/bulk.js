// Improves the form for lists: submits a file that is dropped anywhere on the page, and rejects files that are too big.

const form = document.querySelector("form[data-most]");
if (form instanceof HTMLFormElement) improveForm(form);

try {
  // Most visitors have kept no list, so the script that shows them is not loaded for everybody.
  if (localStorage.getItem("lists") !== null) import("./lists.js");
} catch {
  // This browser keeps nothing.
}

/** @param {HTMLFormElement} form */
function improveForm(form) {
  const input = /** @type {HTMLInputElement} */ (form.elements.namedItem("file"));
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button[type=submit]"));
  const alert = /** @type {HTMLElement} */ (form.querySelector("[role=alert]"));
  const words = button.textContent;

  const hint = document.createElement("p");
  hint.className = "hint";
  hint.textContent = "You can also drop a file anywhere on this page: it is checked at once.";
  button.after(hint);

  // Enables the button again when the visitor comes back from the result.
  addEventListener("pageshow", () => {
    button.disabled = false;
    button.textContent = words;
  });
  form.addEventListener("submit", (event) => {
    const size = input.files?.[0]?.size ?? 0;
    alert.hidden = size <= Number(form.dataset.most);
    if (!alert.hidden) {
      event.preventDefault();
      alert.textContent =
        "This file is too big. Keep only the columns with numbers and names, or split it.";
      return;
    }
    button.disabled = true;
    button.textContent = "Sending\u2026";
  });

  document.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    form.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) form.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    const files = event.dataTransfer?.files;
    if (files === undefined || files.length === 0) return;
    event.preventDefault();
    form.classList.remove("over");
    if (files.length > 1) {
      alert.hidden = false;
      alert.textContent = "One file at a time, please.";
      return;
    }
    input.files = files;
    form.requestSubmit();
  });
}
