/**
 * Answers that lead to another page.
 *
 * @module
 */

/** Leads to a path of this site: 303 to look there now, 301 where the other address is the right one. */
export function redirect(path: string, status: 301 | 303 = 303): Response {
  return new Response(null, {
    status,
    headers: { Location: path, "Cache-Control": "no-store", "Content-Length": "0" },
  });
}
