/**
 * Our own Markdown documents as HTML: headings, paragraphs, lists, tables, code blocks, links.
 *
 * @module
 */

import type { Child } from "hono/jsx";
import { Code, type ContentsPart, Table } from "./blocks.tsx";

type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; ordered: boolean; items: string[] }
  | { kind: "table"; heads: string[]; rows: string[][] }
  | { kind: "code"; language: string; text: string };

/** Languages in which one example is shown, of which the reader chooses one. */
export const LANGUAGES = [["sh", "curl"], ["ts", "TypeScript"], ["python", "Python"]] as const;

/** The document. Its text is trusted as far as its links; everything else is escaped. */
export function Markdown({ text }: { text: string }) {
  let title = "";
  let previous: Block | undefined;
  const shown: Child[] = [];
  for (const group of groupsOf(blocksOf(text))) {
    const [block] = group;
    if (block!.kind === "heading") title = block!.text;
    shown.push(
      group.length > 1
        ? <div class="choice">{group.map((one) => <Shown block={one} title={title} />)}</div>
        : <Shown block={block!} title={title} lede={isTitle(previous)} />,
    );
    previous = block;
  }
  return <>{shown}</>;
}

/** The parts of a document, for its table of contents. */
export function partsOf(text: string): ContentsPart[] {
  return blocksOf(text).flatMap((block) =>
    block.kind === "heading" && block.level === 2 ? [[slug(block.text), block.text]] : []
  );
}

/** Blocks one by one, except for code in several languages. */
function groupsOf(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  for (const block of blocks) {
    const last = groups.at(-1)?.at(-1);
    const goesWith = isChoice(last) && isChoice(block) && last.language !== block.language;
    if (goesWith) groups.at(-1)!.push(block);
    else groups.push([block]);
  }
  return groups;
}

function isChoice(block: Block | undefined): block is Block & { kind: "code" } {
  return block?.kind === "code" && LANGUAGES.some(([language]) => language === block.language);
}

function isTitle(block: Block | undefined): boolean {
  return block?.kind === "heading" && block.level === 1;
}

function Shown({ block, title, lede }: { block: Block; title: string; lede?: boolean }) {
  switch (block.kind) {
    case "heading": {
      const { level, text } = block;
      if (level === 1) return <h1>{inline(text)}</h1>;
      return level === 2
        ? <h2 id={slug(text)}>{inline(text)}</h2>
        : <h3 id={slug(text)}>{inline(text)}</h3>;
    }
    case "paragraph":
      return <p {...lede ? { class: "lede" } : {}}>{inline(block.text)}</p>;
    case "list": {
      const items = block.items.map((item) => <li>{inline(item)}</li>);
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case "table":
      return (
        <Table
          caption={title}
          headed
          heads={block.heads}
          rows={block.rows.map((cells) => cells.map(inline))}
        />
      );
    case "code":
      return <Code text={block.text} language={block.language} copy />;
  }
}

function blocksOf(text: string): Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  /** The following lines that fit, without the first. */
  const more = (fits: (line: string) => boolean): string[] => {
    const taken: string[] = [];
    while (lines.length > 0 && fits(lines[0]!)) taken.push(lines.shift()!);
    return taken;
  };
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const [, hashes, heading] = /^(#{1,3}) (.+)$/.exec(line) ?? [];
    if (hashes !== undefined) {
      blocks.push({ kind: "heading", level: hashes.length, text: heading! });
    } else if (line.startsWith("```")) {
      const code = more((next) => next !== "```").join("\n");
      lines.shift();
      blocks.push({ kind: "code", language: line.slice(3), text: code });
    } else if (line.startsWith("|")) {
      const [heads, , ...rows] = [line, ...more((next) => next.startsWith("|"))].map(cellsOf);
      blocks.push({ kind: "table", heads: heads!, rows });
    } else if (ITEM.test(line)) {
      const all = [line, ...more((next) => ITEM.test(next) || /^ +\S/.test(next))].join("\n");
      const items = all.split(new RegExp(`\\n(?=${ITEM.source.slice(1)})`))
        .map((item) => item.replace(ITEM, "").replaceAll(/\s+/g, " "));
      blocks.push({ kind: "list", ordered: /^\d/.test(line), items });
    } else if (line !== "") {
      const all = [line, ...more((next) => next !== "" && !/^(?:#|`{3}|\||- )/.test(next))];
      blocks.push({ kind: "paragraph", text: all.join(" ") });
    }
  }
  return blocks;
}

const ITEM = /^(?:-|\d+\.) +/;

function cellsOf(line: string): string[] {
  return line.split("|").slice(1, -1).map((cell) => cell.trim());
}

const INLINE = /(`[^`]+`|\*\*.+?\*\*|\[[^\]]+\]\([^)\s]+\)|https?:\/\/[^\s),;]*[^\s),;.:])/;

/** Code, bold text, links and bare addresses. */
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
