/**
 * A page's HTML as a tree to look into.
 *
 * @module
 */

import { parseHTML } from "linkedom";

/** The part of a DOM that tests look at. */
export interface Part {
  textContent: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Part | null;
  querySelectorAll(selector: string): ArrayLike<Part> & Iterable<Part>;
}

/** The document of a response. */
export async function documentOf(response: Response): Promise<Part> {
  return documentIn(await response.text());
}

/** The document of HTML. */
export function documentIn(html: string): Part {
  return (parseHTML(html) as unknown as { document: Part }).document;
}

/** The text that a person reads on a page, white space folded. */
export async function textOf(response: Response): Promise<string> {
  return (await documentOf(response)).querySelector("main")!.textContent.replace(/\s+/g, " ");
}
