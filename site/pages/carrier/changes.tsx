/**
 * A carrier's changes, the newest first: a section of its page, and a table of its vetting record.
 *
 * @module
 */

import type { Child } from "hono/jsx";
import type { CarrierHistory } from "../../../api/operations/history.ts";
import {
  betweenWords,
  byPeriod,
  type CarrierChange,
  changeLine,
  changesCount,
  gapLine,
  HIDDEN_NOTE,
  removedLine,
  valueWords,
  watchedWords,
} from "../../../api/rules/changes.ts";
import { plural } from "../../../pipeline/text.ts";
import { FiledText, Fold, Table } from "../../components/blocks.tsx";

/** Number of changes to show. The others are collapsed. */
const NEWEST = 4;

/** Maximum number of characters of changes on a page. With more, the page or a vetting record could exceed 60 KB. */
const MOST = 20_000;

/** The same limit for a page with lists of inspections, which may take up the other space. */
export const BESIDE_INSPECTIONS = 800;

/**
 * Characters of markup to count for each change (`MARKUP`), and for the dates above the changes between
 * two snapshots (`PERIOD`).
 */
const MARKUP = 50;
const PERIOD = 60;

/** Number of gaps to describe, the newest first. The API lists all of them. */
const NAMED_GAPS = 1;

type History = Pick<CarrierHistory, "since" | "changes" | "removed" | "gaps">;

interface ChangesProps {
  history: History;
  /** Link to the complete list, for when not all changes are listed here. */
  all: { href: string; text: string };
  /** Maximum number of characters of changes to list. */
  most?: number;
  /** Ordinary reasons for the changes that are findings. */
  reasons?: readonly string[];
  children?: Child;
}

export function Changes({ history, all, most, reasons = [], children }: ChangesProps) {
  const { removed, changes } = history;
  const shown = fitting(changes, most);
  const [first, others] = [shown.slice(0, NEWEST), shown.slice(NEWEST)];
  const more = changes.length - shown.length;
  return (
    <section>
      <Heading history={history} />
      {removed !== undefined && <p>{removedLine(removed)}.</p>}
      {first.length > 0 && (
        <div class="folds">
          <Timeline changes={first} />
          {others.length > 0 && (
            <Fold id="earlier" label="Earlier" line={plural(others.length, "more change")}>
              <Timeline changes={others} />
            </Fold>
          )}
        </div>
      )}
      {reasons.length > 0 && <p class="soft">Possible reasons: {reasons.join(" ")}</p>}
      <Notes history={history} />
      {more > 0 && (
        <p>
          And {more} more: <a href={all.href}>{all.text}</a>
        </p>
      )}
      {children}
    </section>
  );
}

function Heading({ history }: { history: History }) {
  return (
    <h2 id="changes">
      Changes <small>{watchedWords(history)} · {changesCount(history)}</small>
    </h2>
  );
}

function Timeline({ changes }: { changes: readonly CarrierChange[] }) {
  return (
    <dl class="timeline">
      {byPeriod(changes).map(({ between, changes }) => (
        <div>
          <dt>{betweenWords(between)}</dt>
          {changes.map((change) => (
            <dd>
              <Change change={change} />
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

function Change({ change }: { change: CarrierChange }) {
  const { member, label, was_state } = change;
  if (member === "dot") return <FiledText text={changeLine(change)} />;
  if (was_state === "hidden") return [<b>{label}</b>, " changed"];
  return (
    <>
      <b>{label}</b> <FiledText text={valueWords(change, "was")} /> →{" "}
      <FiledText text={valueWords(change, "now")} />
    </>
  );
}

/** What is missing from the list of changes, if anything. */
function Notes({ history }: { history: History }) {
  const notes = notesOf(history);
  return notes.length === 0 ? null : <p class="soft">{notes.join(" ")}</p>;
}

function notesOf({ changes, gaps = [] }: History): string[] {
  return [
    ...changes.some(({ was_state }) => was_state === "hidden") ? [HIDDEN_NOTE] : [],
    ...gaps.slice(0, NAMED_GAPS).map((gap) => `${gapLine(gap)}.`),
    ...gaps.length > NAMED_GAPS
      ? [`And ${plural(gaps.length - NAMED_GAPS, "such day")} before.`]
      : [],
  ];
}

/** The first changes, at least one, that fit in this many characters. */
function fitting(changes: readonly CarrierChange[], most = MOST): readonly CarrierChange[] {
  let characters = 0;
  const end = changes.findIndex((change, i) => {
    const isNext = change.between[1] !== changes[i - 1]?.between[1];
    characters += changeLine(change).length + MARKUP + (isNext ? PERIOD : 0);
    return i > 0 && characters > most;
  });
  return end < 0 ? changes : changes.slice(0, end);
}

/** The changes of a vetting record. */
export function ChangesTable({ history, all }: Pick<ChangesProps, "history" | "all">) {
  const { changes } = history;
  const shown = fitting(changes);
  const more = changes.length - shown.length;
  return (
    <>
      <Heading history={history} />
      {shown.length > 0 && (
        <Table
          caption="Changes"
          headed
          narrow
          heads={["When", "What changed"]}
          rows={byPeriod(shown).map(({ between, changes }) => [
            betweenWords(between),
            changes.map((change, i) => [i === 0 ? "" : "; ", <Change change={change} />]),
          ])}
        />
      )}
      {more > 0 && (
        <p>
          And {more} more: <a href={all.href}>{all.text}</a>
        </p>
      )}
      <Notes history={history} />
    </>
  );
}

/** The changes of a vetting record as text, one line per change. */
export function changeLines(history: History): string[] {
  const lines = byPeriod(history.changes).flatMap(({ between, changes }) =>
    changes.map((change) => `- ${betweenWords(between)}: ${changeLine(change)}`)
  );
  const head = `Changes: ${watchedWords(history)}, ${changesCount(history)}.`;
  return [head, ...lines, ...notesOf(history)];
}
