// Runs the API call of a form on the page itself, and shows the answer in place of the example's.

const form = document.querySelector("form.call");
const answer = document.querySelector("#answer pre");
const heading = document.querySelector("#answer h2");

if (form instanceof HTMLFormElement && answer && heading) {
  const code = document.createElement("code");
  heading.setAttribute("aria-live", "polite");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    heading.textContent = "Answer: waiting";
    try {
      const response = await fetch(target(form));
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json");
      code.textContent = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text;
      const after = response.headers.get("retry-after");
      heading.textContent = `Answer: ${response.status}` +
        (after === null ? "" : `, retry after ${after} s`);
      answer.replaceChildren(code);
    } catch {
      heading.textContent = "Answer: the service could not be reached";
    }
  });
}

/** @param {HTMLFormElement} form @returns {string} The path and query of the call. */
function target(form) {
  let path = form.dataset.path ?? "";
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    const text = String(value);
    if (text === "") continue;
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(text));
    else query.append(name, text);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}
