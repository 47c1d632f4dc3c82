// In-page tools (WebMCP) for an agent in the browser, where it has them. What a tool does is what the
// REST API does; webmcp_tools.ts writes the list.

/**
 * @typedef {{ readOnlyHint?: boolean, untrustedContentHint?: boolean }} Hints
 * @typedef {{ name: string, title: string, description: string, inputSchema: object, annotations: Hints }} Description
 * @typedef {Description & { url?: string, go?: string }} Tool
 * @typedef {{ registerTool(tool: object): Promise<unknown> | undefined }} ModelContext
 */

/** @type {Tool[]} */
const TOOLS = [/* TOOLS */];

const here = /** @type {{ modelContext?: ModelContext }} */ (document);
const before = /** @type {{ modelContext?: ModelContext }} */ (navigator);
const context = here.modelContext ?? before.modelContext;

for (const { url, go, ...description } of TOOLS) {
  /** @param {Record<string, unknown>} input */
  const execute = async (input = {}) =>
    go === undefined ? await call(url ?? "", input) : move(go, input);
  try {
    // A browser may refuse, at once or later: the page does without.
    context?.registerTool({ ...description, execute })?.catch?.(() => {});
  } catch { /* As above. */ }
}

/**
 * The answer of a GET, errors of the API too. Members of the input fill the places of the path; the
 * others are the query.
 *
 * @param {string} template @param {Record<string, unknown>} input
 */
async function call(template, input) {
  const left = new Map(Object.entries(input).map(([name, value]) => [name, String(value)]));
  const path = template.replace(/\{(\w+)\}/g, (_, name) => {
    const value = left.get(name) ?? "";
    left.delete(name);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams([...left]);
  const response = await fetch(left.size === 0 ? path : `${path}?${query}`);
  const json = response.headers.get("content-type")?.startsWith("application/json");
  return json ? await response.json() : await response.text();
}

/** The answer of a tool goes through another process, and is lost when the page is left before. */
const ANSWERED_MS = 1_000;

/**
 * Leads the visitor to a listed page, once the agent has had time to get its answer.
 *
 * @param {string} allowed @param {Record<string, unknown>} input
 */
function move(allowed, { path }) {
  if (typeof path !== "string" || !new RegExp(allowed).test(path)) {
    return { error: { code: "invalid_path", message: "Cannot go there: not a page of this site" } };
  }
  setTimeout(() => location.assign(path), ANSWERED_MS);
  return { navigating_to: path };
}
