/**
 * Names, dates and other short texts in HTML.
 *
 * @module
 */

import { formatForPeople } from "../../api/rules/calendar.ts";
import { type OfficialSource, saferOf } from "../../api/rules/official_sources.ts";
import type { CheckState, SnapshotFacts } from "../../api/rules/schemas.ts";
import { dataLine } from "../../api/rules/verdict.ts";
import { inert, plain } from "../../pipeline/text.ts";

/** Characters of a name that a page shows; the census allows 120. */
const MOST = 500;

/** Filed text, inert and isolated from the writing direction around it. */
export function Name({ text }: { text: string }) {
  const shown = inert(text, MOST);
  return shown === "" ? <i>not reported</i> : <bdi>{shown}</bdi>;
}

/** JSON whose strings are inert and so long at most. */
export function inertJson(value: unknown, most: number): string {
  return JSON.stringify(value, (_, one) => typeof one === "string" ? inert(one, most) : one);
}

/** A `YYYY-MM-DD` day as `Apr 30, 2028`. */
export function Day({ date }: { date: string }) {
  return <time datetime={date}>{formatForPeople(date)}</time>;
}

/** Text in which backticks mark code. */
export function Prose({ text }: { text: string }) {
  return <>{text.split("`").map((part, i) => i % 2 === 0 ? part : <code>{part}</code>)}</>;
}

export function Outside({ place, text }: { place: OfficialSource; text?: string }) {
  return <a href={place.url} rel="noreferrer">{text ?? place.name}</a>;
}

export function SaferLink({ dot }: { dot: string }) {
  return <a href={saferOf(dot).url} rel="noreferrer" aria-label={`SAFER, USDOT ${dot}`}>SAFER</a>;
}

/** The dates of both files, in amber when stale; what kind of sample it is can be opened. */
export function DataAge({ snapshot }: { snapshot: SnapshotFacts }) {
  const { stale, notice } = snapshot;
  const line = <span class={stale ? "state warn" : "soft"}>{dataLine(snapshot)}</span>;
  return notice === undefined ? <p>{line}</p> : (
    <details class="age">
      <summary>{line}</summary>
      <p class="soft">{plain(notice)}</p>
    </details>
  );
}

export const STATE_WORDS: Readonly<Record<CheckState, string>> = {
  ok: "OK",
  warn: "Review",
  bad: "Problem",
  info: "Not enough data",
};
