/**
 * The table of a job's results, and the table shown while they are looked up.
 *
 * @module
 */

import { formatForPeople } from "../../api/rules/calendar.ts";
import { counted, plural } from "../../pipeline/text.ts";
import { arrange, type Arrangement, queryOf, type Sort, urgencyOf } from "../bulk/arrange.ts";
import type { ParsedUpload } from "../bulk/parse_upload.ts";
import type { ResultRow } from "../bulk/result.ts";
import { Name } from "../components/text.tsx";

/**
 * The page while its list is looked up; {@link readingEnd} closes it. The style sheet hides it when the
 * result follows. Leaving the page ends the work.
 */
export function readingHead(upload: ParsedUpload): string {
  const head = (
    <>
      <h1>Checking your list</h1>
      <p class="actions">
        <a class="button quiet" href="/bulk">Cancel</a>
      </p>
    </>
  );
  const heads = headsOf(hasOwnNames(upload)).map(([, words]) => <th scope="col">{words}</th>);
  return `<div class="reading">${head}<div class="wide" tabindex="0" role="region" ` +
    `aria-label="Rows so far"><table class="rows"><thead>${<tr>{heads}</tr>}</thead>`;
}

/** Some rows, and how far the list is with them: shown until there are more. */
export function ReadingRows(
  { upload, rows, done, total }: {
    upload: ParsedUpload;
    rows: readonly ResultRow[];
    done: number;
    total: number;
  },
) {
  const ownNames = hasOwnNames(upload);
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

/** The rows of a page, sortable, with links to the other pages. */
export function ResultTable(
  { upload, results, asked }: {
    upload: ParsedUpload;
    /** All results, in the order of the list. */
    results: readonly ResultRow[];
    asked: Arrangement;
  },
) {
  const { shown, count, pages } = arrange(results, asked);
  const ownNames = hasOwnNames(upload);
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
