/**
 * What kind of text a visitor prefers.
 *
 * @module
 */

import { parseAccept } from "hono/utils/accept";

/** Whether Markdown is asked for by name and HTML is not wanted more. */
export function prefersMarkdown(request: Request): boolean {
  const accepted = parseAccept(request.headers.get("accept") ?? "");
  const weight = (type: string): number => accepted.find((each) => each.type === type)?.q ?? 0;
  const markdown = weight("text/markdown");
  return markdown > 0 && markdown >= weight("text/html");
}
