/**
 * The rows of a result as a table that can be put in another order.
 *
 * @module
 */

import { formatForPeople } from "../../../api/rules/calendar.ts";
import { counted } from "../../../pipeline/report/plain.ts";
import { type Arrangement, queryOf, type Sort } from "../../list/arrange.ts";
import { type ResultRow, VERDICTS } from "../../list/result_row.ts";
import { Name } from "../../parts/name.tsx";

const HEADS: readonly [sort: Sort | null, words: string][] = [
  ["row", "Row"],
  ["dot", "USDOT"],
  ["name", "Name"],
  ["place", "Place"],
  ["verdict", "Verdict"],
  [null, "What to look at"],
  ["due", "MCS-150 due"],
];

const URGENCY = Object.keys(VERDICTS);

/** The table with links to its other pages. */
export function ListTable(
  { asked, arranged: { shown, count, pages } }: {
    asked: Arrangement;
    arranged: { shown: ResultRow[]; count: number; pages: number };
  },
) {
  return (
    <>
      <div class="wide" tabindex={0} role="region" aria-label="Rows of the list">
        <table class="rows" {...pages === 1 ? { "data-whole": true } : {}}>
          <caption>
            {pages === 1
              ? `${counted(count)} rows`
              : `Page ${asked.page} of ${pages}, ${counted(count)} rows`}
          </caption>
          <thead>
            <tr>
              {HEADS.map(([sort, words]) => <Head sort={sort} words={words} asked={asked} />)}
            </tr>
          </thead>
          <tbody>{shown.map((row) => <Row row={row} />)}</tbody>
        </table>
      </div>
      {pages > 1 && <Pages asked={asked} pages={pages} />}
    </>
  );
}

/** The heads of a table that cannot be put in another order. */
export function Columns() {
  return <tr>{HEADS.map(([, words]) => <th scope="col">{words}</th>)}</tr>;
}

function Head({ sort, words, asked }: { sort: Sort | null; words: string; asked: Arrangement }) {
  if (sort === null) return <th scope="col">{words}</th>;
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

/** A row of the table. */
export function Row({ row }: { row: ResultRow }) {
  const { dot, verdict, name, place, reasons, due } = row;
  const { words, tone } = VERDICTS[verdict];
  return (
    <tr>
      <td>{row.row}</td>
      <td data-by={dot}>
        {verdict === "wrong" || dot === "" ? dot : <a href={`/carriers/${dot}`}>{dot}</a>}
      </td>
      <td>{name !== "" && <Name text={name} />}</td>
      <td>{place !== "" && <Name text={place} />}</td>
      <td data-by={String(URGENCY.indexOf(verdict))}>
        <span class={`state ${tone}`}>{words}</span>
      </td>
      <td>
        {/* The others say no more than the verdict. */}
        {verdict !== "missing" && verdict !== "unread" && <bdi>{reasons}</bdi>}
      </td>
      <td data-by={due}>{due === "" ? "" : formatForPeople(due)}</td>
    </tr>
  );
}

function Pages({ asked, pages }: { asked: Arrangement; pages: number }) {
  return (
    <nav aria-label="Pages" class="filters">
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
