/**
 * Renders the service's own Markdown documents: headings, paragraphs, lists, tables, code blocks, links.
 *
 * @module
 */

import type { Child } from "hono/jsx";
import { Code, type ContentsPart, Table } from "./blocks.tsx";

/** Languages of the code examples. Readers choose one of them. */
export const LANGUAGES = [["sh", "curl"], ["ts", "TypeScript"], ["python", "Python"]] as const;

const BLOCK = new RegExp(
  [
    "^(?<level>#{1,3}) (?<heading>.+)$",
    // Consecutive code blocks are one example in several languages.
    "^(?<codes>```\\w*\\n[^]*?\\n```(?:\\n\\n```\\w+\\n[^]*?\\n```)*)$",
    "(?<table>(?:^\\|.*\\n?)+)",
    "(?<list>(?:^(?:-|\\d+\\.| ) *\\S.*\\n?)+)",
    "(?<paragraph>(?:^(?!#|`{3}|\\||- ).+\\n?)+)",
  ].join("|"),
  "gm",
);

/** Renders a document. Its link targets are trusted; everything else is escaped. */
export function Markdown({ text }: { text: string }) {
  let title = "";
  let isLede = false;
  const shown = Array.from(text.matchAll(BLOCK), ({ groups }): Child => {
    const { level, heading, codes, table, list, paragraph } = groups!;
    if (heading !== undefined) {
      title = heading;
      isLede = level === "#";
      if (isLede) return <h1>{inline(heading)}</h1>;
      const Heading = level === "##" ? "h2" : "h3";
      return <Heading id={slug(heading)}>{inline(heading)}</Heading>;
    }
    const lede = isLede;
    isLede = false;
    if (codes !== undefined) return <Examples text={codes} />;
    if (table !== undefined) {
      const [heads, , ...rows] = table.trimEnd().split("\n").map(cellsOf);
      const cells = rows.map((row) => row.map(inline));
      return <Table caption={title} headed heads={heads!} rows={cells} />;
    }
    if (list !== undefined) {
      const items = list.trimEnd().split(/\n(?! )/)
        .map((item) => <li>{inline(oneLine(item.replace(/^\S+ +/, "")))}</li>);
      return /^\d/.test(list) ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    return <p {...lede ? { class: "lede" } : {}}>{inline(oneLine(paragraph!))}</p>;
  });
  return <>{shown}</>;
}

export function partsOf(text: string): ContentsPart[] {
  return Array.from(text.matchAll(/^## (.+)$/gm), ([, heading]) => [slug(heading!), heading!]);
}

function Examples({ text }: { text: string }) {
  const blocks = Array.from(
    text.matchAll(/^```(\w*)\n([^]*?)\n```$/gm),
    ([, language, code]) => <Code text={code!} language={language!} copy />,
  );
  return blocks.length === 1 ? blocks[0]! : <div class="choice">{blocks}</div>;
}

function oneLine(text: string): string {
  return text.trimEnd().replaceAll(/\s+/g, " ");
}

function cellsOf(line: string): string[] {
  return line.split("|").slice(1, -1).map((cell) => cell.trim());
}

const INLINE = /(`[^`]+`|\*\*.+?\*\*|\[[^\]]+\]\([^)\s]+\)|https?:\/\/[^\s),;]*[^\s),;.:])/;

/** Renders inline code, bold text, links and bare URLs. */
function inline(text: string): Child[] {
  return text.split(INLINE).map((part, i) => {
    if (i % 2 === 0) return part;
    if (part.startsWith("`")) return <code>{part.slice(1, -1)}</code>;
    if (part.startsWith("**")) return <strong>{inline(part.slice(2, -2))}</strong>;
    const [, words, target] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
    return target === undefined ? <a href={part}>{part}</a> : <a href={target}>{inline(words!)}</a>;
  });
}

function slug(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}
