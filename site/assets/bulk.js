// Adds to the pages of lists: a file dropped anywhere is sent, and progress is shown as it comes.

/** Milliseconds between two looks at a list: quick at first, as most lists are short. */
const PAUSES = [200, 400, 800];

const form = document.querySelector("form[data-most]");
if (form instanceof HTMLFormElement) improveForm(form);
const bar = document.querySelector("progress[data-list]");
if (bar instanceof HTMLProgressElement) follow(bar);

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

  // Back from the result, the button works again.
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

/** @param {HTMLProgressElement} bar */
async function follow(bar) {
  const told = /** @type {HTMLElement} */ (document.querySelector("main [role=status]"));
  for (let look = 0;; look++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSES[Math.min(look, PAUSES.length - 1)]));
    try {
      const response = await fetch(`${location.pathname}.json`);
      // The page tells what is wrong.
      if (response.status === 404) return location.reload();
      if (!response.ok) throw new Error(String(response.status));
      const { status, done, total } = await response.json();
      if (status === "succeeded") return location.reload();
      bar.value = done;
      told.textContent = `${done.toLocaleString("en-US")} of ${
        total.toLocaleString("en-US")
      } checked`;
    } catch {
      told.textContent = "The service does not answer. Trying again\u2026";
      await new Promise((resolve) => setTimeout(resolve, 3000));
    }
  }
}
