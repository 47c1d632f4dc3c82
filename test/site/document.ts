/**
 * A page's HTML as a DOM.
 *
 * @module
 */

import { parseHTML } from "linkedom";

/** The part of a DOM that tests use. */
export interface Element {
  localName: string;
  id: string;
  textContent: string;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  getAttributeNames(): string[];
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): ArrayLike<Element> & Iterable<Element>;
  closest(selector: string): Element | null;
  remove(): void;
}

/** Parses HTML. */
export function parse(html: string): Element {
  return (parseHTML(html) as unknown as { document: Element }).document;
}

/** The document of a response. */
export async function documentOf(response: Response): Promise<Element> {
  return parse(await response.text());
}

/** The main element of a response. */
export async function mainOf(response: Response): Promise<Element> {
  return (await documentOf(response)).querySelector("main")!;
}

/** The visible text of a page, with white space folded. */
export async function textOf(response: Response): Promise<string> {
  return (await mainOf(response)).textContent.replace(/\s+/g, " ");
}
