/**
 * The result of an uploaded job: counts, what was read, and a sortable table.
 *
 * @module
 */

import { formatForPeople, newYorkToday } from "../../api/rules/calendar.ts";
import { counted } from "../../pipeline/text.ts";
import {
  type Arrangement,
  countOutcomes,
  queryOf,
  type Show,
  type Sort,
  urgencyOf,
} from "../bulk/arrange.ts";
import type { UploadJob } from "../bulk/jobs.ts";
import type { ParsedUpload, ReadColumn } from "../bulk/parse_upload.ts";
import { type Outcome, OUTCOMES, type ResultRow } from "../bulk/result.ts";
import { DataAge, Name } from "../components/text.tsx";

/** Rows that could not be read and are named above the table, which has all of them. */
const NAMED = 10;

interface JobResultProps {
  found: UploadJob;
  /** All results, in the order of the list. */
  results: readonly ResultRow[];
  asked: Arrangement;
  arranged: Arranged;
  /** Whether the page was opened without a filter or an order. */
  landed: boolean;
}

interface Arranged {
  shown: ResultRow[];
  count: number;
  pages: number;
}

export function JobResult({ found, results, asked, arranged, landed }: JobResultProps) {
  const { list } = found;
  const { view: job, expiresAt } = found.job;
  const repeats = results.filter(({ repeats }) => repeats !== null).length;
  return (
    <>
      <h1>{headline(results)}</h1>
      <p class="lede">
        “{OUTCOMES.clear}” is not an approval.
      </p>
      <DataAge snapshot={job.snapshot} />
      <p class="actions">
        <a class="button" href={`/bulk/${job.id}.csv`} download autofocus={landed}>
          Download the CSV file
        </a>
        <a class="button quiet" href="/bulk">Check another list</a>
      </p>
      <p>{whatWasRead(list)}</p>
      {repeats > 0 && (
        <p>
          {repeats === 1 ? "1 row repeats" : `${counted(repeats)} rows repeat`} an earlier row.
        </p>
      )}
      <p class="soft">Kept until {keptUntil(expiresAt)}, then deleted.</p>
      <UnreadRows id={job.id} results={results} />
      <nav aria-label="Show rows" class="filters">
        <Filter show="all" asked={asked} words="All" count={results.length} />
        {countOutcomes(results).map(([outcome, count]) => (
          <Filter show={outcome} asked={asked} words={OUTCOMES[outcome]} count={count} />
        ))}
      </nav>
      <ResultTable
        asked={asked}
        arranged={arranged}
        ownNames={hasOwnNames(list)}
      />
    </>
  );
}

/** `31 numbers checked: 18 need review, 10 with no issues found, 3 not found. 26 rows unreadable`. */
function headline(results: readonly ResultRow[]): string {
  const counts = new Map(countOutcomes(results));
  const unread = counts.get("unread") ?? 0;
  const parts = (["review", "clear", "missing", "unavailable"] as const)
    .filter((outcome) => counts.has(outcome))
    .map((outcome) => outcomeCount(outcome, counts.get(outcome)!));
  const checked = `${plural(results.length - unread, "number")} checked: ${parts.join(", ")}`;
  return unread === 0 ? checked : `${checked}. ${plural(unread, "row")} unreadable`;
}

function outcomeCount(outcome: Exclude<Outcome, "unread">, count: number): string {
  switch (outcome) {
    case "review":
      return `${counted(count)} ${count === 1 ? "needs" : "need"} review`;
    case "clear":
      return `${counted(count)} with no issues found`;
    case "missing":
      return `${counted(count)} not found`;
    case "unavailable":
      return `${counted(count)} not available now`;
  }
}

function UnreadRows({ id, results }: { id: string; results: readonly ResultRow[] }) {
  const unread = results.filter(({ outcome }) => outcome === "unread");
  if (unread.length === 0) return null;
  return (
    <div class="notice warn">
      <p>We couldn't read {plural(unread.length, "row")}:</p>
      <ul>
        {unread.slice(0, NAMED).map(({ row, facts }) => (
          <li>
            Row {row}: <bdi>{facts[0]!.words}</bdi>
          </li>
        ))}
      </ul>
      {unread.length > NAMED && (
        <p>
          <a href={`/bulk/${id}?show=unread`}>See all {counted(unread.length)}</a>
        </p>
      )}
    </div>
  );
}

function Filter(
  { show, asked, words, count }: { show: Show; asked: Arrangement; words: string; count: number },
) {
  const here = asked.show === show ? { "aria-current": "true" } : {};
  // An empty address would be this one.
  const href = queryOf({ ...asked, show, page: 1 }) || "?";
  return <a href={href} {...here}>{words} ({counted(count)})</a>;
}

function whatWasRead({ columns, of, headingRow, assumed }: ParsedUpload): string {
  if (assumed) return "Numbers without a prefix were read as USDOT numbers.";
  if (columns.length === 0 || of === 1 && headingRow === null && columns[0]!.role === "marked") {
    return "";
  }
  const read = columns.map((column) => `${roleWords(column)} from ${columnWords(column, of)}`);
  const headings = headingRow === null ? "" : ` Row ${headingRow} was read as headings.`;
  return `Read: ${read.join("; ")}.${headings}`;
}

function roleWords({ role }: ReadColumn): string {
  switch (role) {
    case "marked":
      return "numbers with their prefix";
    case "name":
      return "your names";
    case "city":
      return "cities";
    case "state":
      return "states";
    default:
      return `${role} numbers`;
  }
}

function columnWords({ place, heading }: ReadColumn, of: number): string {
  const column = of === 1 ? "the list" : `column ${place}`;
  return heading === null ? column : `${column}, “${heading}”`;
}

/**
 * The page while its list is looked up; {@link readingEnd} closes it. The style sheet hides it when the
 * result follows. Leaving the page ends the work.
 */
export function readingHead(list: ParsedUpload): string {
  const head = (
    <>
      <h1>Checking your list</h1>
      <p class="actions">
        <a class="button quiet" href="/bulk">Cancel</a>
      </p>
    </>
  );
  const heads = headsOf(hasOwnNames(list)).map(([, words]) => <th scope="col">{words}</th>);
  return `<div class="reading">${head}<div class="wide" tabindex="0" role="region" ` +
    `aria-label="Rows so far"><table class="rows"><thead>${<tr>{heads}</tr>}</thead>`;
}

/** Some rows, and how far the list is with them: shown until there are more. */
export function ReadingRows(
  { list, rows, done, total }: {
    list: ParsedUpload;
    rows: readonly ResultRow[];
    done: number;
    total: number;
  },
) {
  const ownNames = hasOwnNames(list);
  return (
    <tbody>
      {rows.map((row) => <Row row={row} ownNames={ownNames} />)}
      <tr class="sofar">
        <td colspan={headsOf(ownNames).length}>
          <progress max={total} value={done} aria-label="Rows checked"></progress> {counted(done)}
          {" "}
          of {counted(total)} checked
        </td>
      </tr>
    </tbody>
  );
}

/** What closes {@link readingHead}. */
export function readingEnd(): string {
  return "</table></div></div>";
}

function keptUntil(ms: number): string {
  const time = new Date(ms).toLocaleTimeString("en-US", {
    timeZone: "America/New_York",
    hour: "numeric",
    minute: "2-digit",
  });
  return `${time} Eastern time on ${formatForPeople(newYorkToday(ms))}`;
}

function ResultTable(
  { asked, arranged, ownNames }: { asked: Arrangement; arranged: Arranged; ownNames: boolean },
) {
  const { shown, count, pages } = arranged;
  const rows = plural(count, "row");
  return (
    <>
      {pages > 1 && <Pages label="Pages" asked={asked} pages={pages} />}
      <div class="wide" tabindex={0} role="region" aria-label="Rows of the list">
        <table class="rows" {...pages === 1 ? { "data-whole": true } : {}}>
          <caption>{pages === 1 ? rows : `Page ${asked.page} of ${pages}, ${rows}`}</caption>
          <thead>
            <tr>
              {headsOf(ownNames).map(([sort, words]) => (
                <Head sort={sort} words={words} asked={asked} />
              ))}
            </tr>
          </thead>
          <tbody>{shown.map((row) => <Row row={row} ownNames={ownNames} />)}</tbody>
        </table>
      </div>
      {pages > 1 && <Pages label="Pages, below the table" asked={asked} pages={pages} />}
    </>
  );
}

function headsOf(ownNames: boolean): [sort: Sort, words: string][] {
  return [
    ["row", "Row"],
    ["result", "Result"],
    ["dot", "Number"],
    ...ownNames ? [["ownName", "Your list"] as [Sort, string]] : [],
    ["name", "FMCSA name"],
    ["place", "Location"],
    ["due", "MCS-150 due"],
  ];
}

function hasOwnNames({ rows }: ParsedUpload): boolean {
  return rows.some(({ name = "", place = "" }) => name !== "" || place !== "");
}

function Head({ sort, words, asked }: { sort: Sort; words: string; asked: Arrangement }) {
  const here = asked.sort === sort;
  const descending = here && !asked.descending;
  const href = queryOf({ ...asked, sort, descending, page: 1 }) || "?";
  const order = asked.descending ? "descending" : "ascending";
  return (
    <th scope="col" {...here ? { "aria-sort": order } : {}}>
      <a href={href}>{words}</a>
    </th>
  );
}

function Row({ row, ownNames }: { row: ResultRow; ownNames: boolean }) {
  const { dot, facts, ownName, ownPlace, name, place, repeats, due } = row;
  return (
    <tr>
      <td>{row.row}</td>
      <td data-by={String(urgencyOf(row))}>
        {facts.map(({ tone, words }) => (
          <div class={`state ${tone}`}>
            <bdi>{words}</bdi>
          </div>
        ))}
        {repeats !== null && <small>Repeats row {repeats}</small>}
      </td>
      <td data-by={dot}>
        <NumberCell row={row} />
      </td>
      {ownNames && (
        <td data-by={ownName}>
          {ownName !== "" && <Name text={ownName} />}
          {ownPlace !== "" && (
            <small>
              <Name text={ownPlace} />
            </small>
          )}
        </td>
      )}
      <td>{name !== "" && <Name text={name} />}</td>
      <td>{place !== "" && <Name text={place} />}</td>
      <td data-by={due}>{due === "" ? "" : formatForPeople(due)}</td>
    </tr>
  );
}

function NumberCell({ row: { readAs, dot, others } }: { row: ResultRow }) {
  if (dot === "") return <>{readAs}</>;
  return (
    <>
      {readAs !== `USDOT ${dot}` && <small>{readAs}</small>}
      <a href={`/carriers/${dot}`}>USDOT {dot}</a>
      {others.length > 0 && (
        <small>
          also {others.map((other, i) => (
            <>
              {i > 0 && ", "}
              <a href={`/carriers/${other}`}>{other}</a>
            </>
          ))}
        </small>
      )}
    </>
  );
}

function Pages({ label, asked, pages }: { label: string; asked: Arrangement; pages: number }) {
  return (
    <nav aria-label={label} class="filters">
      {Array.from({ length: pages }, (_, i) => i + 1).map((page) => (
        <a
          href={queryOf({ ...asked, page }) || "?"}
          {...page === asked.page ? { "aria-current": "page" } : {}}
        >
          Page {page}
        </a>
      ))}
    </nav>
  );
}

function plural(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${counted(count)} ${word}s`;
}
