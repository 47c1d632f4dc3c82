/**
 * A strict parser for the XML of feeds: elements, attributes, text and the five named entities.
 *
 * @module
 */

export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** Of an element without children. */
  text: string;
}

const TOKEN = /<\?xml [^?]*\?>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>|[^<]+/y;
const ATTRIBUTE = /([\w:.-]+)="([^"]*)"/g;
/** Characters that XML 1.0 forbids. */
// deno-lint-ignore no-control-regex
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/**
 * Parses a document.
 *
 * @throws {SyntaxError} When it is not well-formed.
 */
export function parseXml(text: string): XmlElement {
  if (!text.isWellFormed() || FORBIDDEN.test(text)) throw new SyntaxError("a forbidden character");
  const root = elementOf("");
  const open = [root];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    const token = TOKEN.exec(text);
    if (token === null) throw new SyntaxError(`no XML: ${text.slice(at, at + 60)}`);
    const [all, closing, name, attributes = "", empty] = token;
    const parent = open.at(-1)!;
    if (all.startsWith("<?")) {
      if (at > 0) throw new SyntaxError("a declaration inside");
    } else if (name === undefined) parent.text += unescaped(all);
    else if (closing === "/") {
      if (open.pop()!.name !== name) throw new SyntaxError(`</${name}> closes another element`);
    } else {
      const element = elementOf(name);
      for (const [, key, value] of attributes.matchAll(ATTRIBUTE)) {
        if (key! in element.attributes) throw new SyntaxError(`${key} twice`);
        element.attributes[key!] = unescaped(value!);
      }
      parent.children.push(element);
      if (empty !== "/") open.push(element);
    }
  }
  const [only, ...others] = root.children;
  if (open.length !== 1 || only === undefined || others.length > 0 || root.text.trim() !== "") {
    throw new SyntaxError("not one root element");
  }
  return only;
}

function elementOf(name: string): XmlElement {
  return { name, attributes: {}, children: [], text: "" };
}

function unescaped(text: string): string {
  if (text.includes("]]>")) throw new SyntaxError("]]>");
  return text.replace(/&(\w*;?)/g, (all, name: string) => {
    const character = NAMED[name.slice(0, -1)];
    if (!name.endsWith(";") || character === undefined) throw new SyntaxError(`entity ${all}`);
    return character;
  });
}
