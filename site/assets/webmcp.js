// In-page tools for agents in browsers that support WebMCP. The tools call the REST API; webmcp_tools.ts generates the
// list.

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
    go === undefined ? await call(url ?? "", input) : navigateTo(go, input);
  try {
    // A browser may refuse, synchronously or not. The page works without the tools.
    context?.registerTool({ ...description, execute })?.catch?.(() => {});
  } catch { /* As above. */ }
}

/**
 * Sends a GET and returns its answer, even if it is an API error. Members of the input replace placeholders in the
 * path; the others become the query.
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

/** Delay before leaving the page. A tool's answer goes through another process, and would otherwise be lost. */
const ANSWERED_MS = 1_000;

/**
 * Navigates to an allowed page, after a delay in which the agent receives the answer.
 *
 * @param {string} allowed @param {Record<string, unknown>} input
 */
function navigateTo(allowed, { path }) {
  if (typeof path !== "string" || !new RegExp(allowed).test(path)) {
    return { error: { code: "invalid_path", message: "Cannot go there: not a page of this site" } };
  }
  setTimeout(() => location.assign(path), ANSWERED_MS);
  return { navigating_to: path };
}
