/**
 * Tables, lists of facts, blocks of code and tables of contents.
 *
 * @module
 */

import type { Child } from "hono/jsx";
import { Name } from "./text.tsx";

interface TableProps {
  /** Names it, for people and for screen readers; no other table of the page has the same. */
  caption: string;
  /** Whether a heading above says the same as the caption. */
  headed?: boolean;
  heads: readonly string[];
  /** The first cell of a row is its heading. */
  rows: readonly (readonly Child[])[];
  /** The row to mark. */
  here?: number;
  /** Fits a phone, with numbers from this column on. */
  narrow?: { numbersFrom: number };
}

export function Table({ caption, headed = false, heads, rows, here, narrow }: TableProps) {
  const classOf = (column: number) =>
    narrow !== undefined && column >= narrow.numbersFrom ? { class: "right" } : {};
  const table = (
    <table {...narrow === undefined ? {} : { class: "narrow" }}>
      <caption {...headed ? { class: "unseen" } : {}}>{caption}</caption>
      <thead>
        <tr>{heads.map((head, i) => <th {...classOf(i)}>{head}</th>)}</tr>
      </thead>
      <tbody>
        {rows.map(([first, ...others], i) => (
          <tr {...i === here ? { class: "here" } : {}}>
            <th>{first}</th>
            {others.map((cell, i) => <td {...classOf(i + 1)}>{cell}</td>)}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (narrow !== undefined) return table;
  return (
    // Keyboards reach a box that scrolls only when it can have the focus.
    <div class="wide" tabindex={0} role="region" aria-label={caption}>{table}</div>
  );
}

/** A fact: its name and its value, text that anyone may have filed; null is left out. */
export type Fact = readonly [name: string, value: Child | null | undefined];

export function Facts({ of = "facts", entries }: { of?: string; entries: readonly Fact[] }) {
  return (
    <dl class={of}>
      {entries.filter(([, value]) => value !== null && value !== undefined).map((
        [name, value],
      ) => (
        <div>
          <dt>{name}</dt>
          <dd>{typeof value === "string" ? <Name text={value} /> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface CodeProps {
  text: string;
  /** Puts a button beside it, which `copy.js` makes work. */
  copy?: boolean;
  language?: string;
}

export function Code({ text, copy = false, language }: CodeProps) {
  return (
    <div class="code" data-language={language}>
      {/* Keyboards reach a box that scrolls only when it can have the focus. */}
      <pre tabindex={0}><code>{text}</code></pre>
      {copy && <button type="button" class="quiet copy" data-copy="" disabled>Copy</button>}
    </div>
  );
}

export function Json({ value, copy = false }: { value: unknown; copy?: boolean }) {
  return <Code text={JSON.stringify(value, null, 2)} copy={copy} />;
}

/** A part of a page: the id of its heading, and the words of the link to it. */
export type ContentsPart = readonly [id: string, text: string];

export function Contents({ parts }: { parts: readonly ContentsPart[] }) {
  return (
    <nav class="contents" aria-label="On this page">
      <ul>
        {parts.map(([id, text]) => (
          <li>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
