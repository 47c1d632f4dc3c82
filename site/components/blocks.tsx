/**
 * Components for pages: short texts, tables, lists of facts, form fields, code, icons and buttons.
 *
 * @module
 */

import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { Check, SnapshotFacts } from "../../api/rules/schemas.ts";
import { ICON } from "../assets/assets.ts";
import { formatForPeople } from "../../pipeline/dates.ts";
import { type OfficialSource, saferOf } from "../../api/rules/official_sources.ts";
import { dataLine, stateWords } from "../../api/rules/words.ts";
import { escapeInvisible, inert } from "../../pipeline/text.ts";

/** Maximum characters of filed text on a page. The census allows 120 for a name. */
const MOST = 500;

/** Filed text, sanitized, with its writing direction isolated from the text around it. */
export function FiledText({ text }: { text: string }) {
  const shown = inert(text, MOST);
  return shown === "" ? <i>not reported</i> : <bdi>{shown}</bdi>;
}

/** JSON whose strings are sanitized and cut to `most` characters. */
export function inertJson(value: unknown, most: number): string {
  return JSON.stringify(value, (_, one) => typeof one === "string" ? inert(one, most) : one);
}

/** A `YYYY-MM-DD` day as `Apr 30, 2028`. */
export function DateText({ date }: { date: string }) {
  return <time datetime={date}>{formatForPeople(date)}</time>;
}

/** Text in which backticks mark code. */
export function Prose({ text }: { text: string }) {
  return <>{text.split("`").map((part, i) => i % 2 === 0 ? part : <code>{part}</code>)}</>;
}

export function Outside({ place, text }: { place: OfficialSource; text?: string }) {
  return <a href={place.url}>{text ?? place.name}</a>;
}

export function SaferLink({ dot }: { dot: string }) {
  return <a href={saferOf(dot).url} aria-label={`SAFER, USDOT ${dot}`}>SAFER</a>;
}

/** The dates of the source files, in amber when stale. Expands to the snapshot's notice, if it has one. */
export function DataAge({ snapshot }: { snapshot: SnapshotFacts }) {
  const { stale, notice } = snapshot;
  const line = <span class={stale ? "state warn" : "soft"}>{dataLine(snapshot)}</span>;
  return notice === undefined ? <p>{line}</p> : (
    <details class="age">
      <summary>{line}</summary>
      <p class="soft">{escapeInvisible(notice)}</p>
    </details>
  );
}

/** The state of a check, in its color. */
export function State({ check }: { check: Pick<Check, "state" | "data"> }) {
  return <span class={`state ${check.state}`}>{stateWords(check)}</span>;
}

interface TableProps {
  /** The table's name, also for screen readers. Must be unique on the page. */
  caption: string;
  /** Whether to hide the caption visually, because a heading above says the same. */
  headed?: boolean;
  heads: readonly string[];
  /** Rows of cells. The first cell of each row is its heading. */
  rows: readonly (readonly Child[])[];
  here?: number;
  /** Whether the table fits on a phone: two columns, plus columns of numbers. */
  narrow?: boolean;
}

export function Table({ caption, headed, heads, rows, here, narrow }: TableProps) {
  const classOf = (column: number) => narrow && column > 1 ? { class: "right" } : {};
  const table = (
    <table {...narrow ? { class: "narrow" } : {}}>
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
  return narrow ? table : (
    // Focusable, because otherwise the keyboard cannot scroll it.
    <div class="wide" tabindex={0} role="region" aria-label={caption}>{table}</div>
  );
}

/** A name and a value. A string value is treated as filed text. Facts with a null or undefined value are omitted. */
export type Fact = readonly [name: string, value: Child | null | undefined];

export function Facts({ of = "facts", entries }: { of?: string; entries: readonly Fact[] }) {
  return (
    <dl class={of}>
      {entries.filter(([, value]) => value !== null && value !== undefined).map((
        [name, value],
      ) => (
        <div>
          <dt>{name}</dt>
          <dd>{typeof value === "string" ? <FiledText text={value} /> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface CodeProps {
  text: string;
  /** Adds a Copy button, which `copy.js` enables. */
  copy?: boolean;
  language?: string;
}

export function Code({ text, copy = false, language }: CodeProps) {
  return (
    <div class="code" data-language={language}>
      {/* Focusable, because otherwise the keyboard cannot scroll it. */}
      <pre tabindex={0}><code>{text}</code></pre>
      {copy && <button type="button" class="quiet copy" data-copy="" disabled>Copy</button>}
    </div>
  );
}

export type ContentsPart = readonly [id: string, text: string];

export function TableOfContents({ parts }: { parts: readonly ContentsPart[] }) {
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

interface FoldProps {
  /** Id of the collapsed part. A link to it expands the line. */
  id: string;
  /** Adds a column for the state of this check. */
  check?: Check;
  label: string;
  line: Child;
  children?: Child;
}

/** An expandable line in a list of class `folds`. Works without scripts. */
export function Fold({ id, check, label, line, children }: FoldProps) {
  return (
    <details>
      <summary>
        {check !== undefined && <State check={check} />}
        <h3>{label}</h3>
        <span class="line">{line}</span>
        <i></i>
      </summary>
      <div class="inside" id={id}>{children}</div>
    </details>
  );
}

/** A button that copies short text. `copy.js` enables it if the browser has a clipboard. */
export function Copy(
  { text, what, icon = "copy" }: { text: string; what: string; icon?: "copy" | "link" },
) {
  return (
    <button type="button" class="copy" data-copy={text} aria-label={`Copy ${what}`} disabled>
      <Icon name={icon} />
    </button>
  );
}

interface FieldProps {
  id: string;
  /** Name of the form parameter. @default {id} */
  name?: string;
  label: Child;
  hint?: Child;
  /** What is wrong with the value, without a final period. */
  error?: string | undefined;
  value?: string;
  options?: readonly (readonly [value: string, text: string])[];
  rows?: number;
  input?: Readonly<Record<string, string | number | boolean>>;
}

export function Field(
  { id, name = id, label, hint, error, value, options, rows, input }: FieldProps,
) {
  const described = [
    ...error === undefined ? [] : ["error"],
    ...hint === undefined ? [] : ["hint"],
  ];
  const attributes = {
    ...input,
    ...described.length > 0 &&
      { "aria-describedby": described.map((part) => `${id}-${part}`).join(" ") },
    // Focuses the invalid field, so that it can be corrected right away.
    ...error !== undefined && { "aria-invalid": "true", autofocus: true },
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {options !== undefined
        ? (
          <select id={id} name={name} {...attributes}>
            {options.map(([option, text]) => (
              <option value={option} selected={option === value}>{text}</option>
            ))}
          </select>
        )
        : rows !== undefined
        ? <textarea id={id} name={name} rows={rows} {...attributes}>{value}</textarea>
        : <input id={id} name={name} value={value} {...attributes} />}
      {error !== undefined && <p class="wrong" id={`${id}-error`}>{error}.</p>}
      {hint !== undefined && <p class="hint" id={`${id}-hint`}>{hint}</p>}
    </div>
  );
}

/** The logo. Inline, so that it appears together with the text. */
export function Mark() {
  return <>{raw(ICON.replace("<svg", '<svg class="mark" aria-hidden="true"'))}</>;
}

const PATHS = {
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9m3.3 7.8 3.2 3.2",
  copy: "M6 6h7.5v7.5H6zM3.5 10H2.5V2.5H10v1",
  link:
    "M6.5 9.5l3-3M7 4.5l1.5-1.5a3.2 3.2 0 0 1 4.5 4.5L11.5 9M9 11.5l-1.5 1.5a3.2 3.2 0 0 1-4.5-4.5L4.5 7",
  outside: "M6 3H3v10h10v-3M9 3h4v4m0-4-6 6",
} as const;

/** A decorative icon: the text next to it, or its button's label, says the same. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
