/**
 * The table of a job's results, a page at a time.
 *
 * @module
 */

import { formatForPeople } from "../../api/rules/calendar.ts";
import { plural } from "../../pipeline/text.ts";
import { arrange, type Arrangement, queryOf, type Sort, urgencyOf } from "../bulk/arrange.ts";
import type { ParsedUpload } from "../bulk/parse_upload.ts";
import type { ResultRow } from "../bulk/result.ts";
import { Name, SaferLink } from "../components/text.tsx";

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
      <nav aria-label="Order of the rows" class="filters">
        <Order sort="row" words="In your order" asked={asked} />
        <Order sort="result" words="Worst first" asked={asked} />
      </nav>
      {pages > 1 && <Pages label="Pages" asked={asked} pages={pages} />}
      <div class="wide" tabindex={0} role="region" aria-label="Rows of the list">
        <table
          class={ownNames ? "rows named" : "rows"}
          {...pages === 1 ? { "data-whole": true } : {}}
        >
          <caption>{rows}</caption>
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
    ["name", "FMCSA name"],
    ...ownNames ? [["ownName", "Your list"] as [Sort, string]] : [],
    ["due", "MCS-150 due"],
  ];
}

function hasOwnNames({ rows }: ParsedUpload): boolean {
  return rows.some(({ name = "", place = "" }) => name !== "" || place !== "");
}

/** A link to the same list in another arrangement. */
export function Rearranged({ asked, to, current, words }: {
  asked: Arrangement;
  to: Partial<Arrangement>;
  current?: boolean;
  words: string;
}) {
  // An empty address would be this one.
  const href = queryOf({ ...asked, page: 1, ...to }) || "?";
  return <a href={href} {...current ? { "aria-current": "true" } : {}}>{words}</a>;
}

function Head({ sort, words, asked }: { sort: Sort; words: string; asked: Arrangement }) {
  const here = asked.sort === sort;
  const descending = here && !asked.descending;
  const order = asked.descending ? "descending" : "ascending";
  return (
    <th scope="col" {...here ? { "aria-sort": order } : {}}>
      <Rearranged asked={asked} to={{ sort, descending }} words={words} />
    </th>
  );
}

function Row({ row, ownNames }: { row: ResultRow; ownNames: boolean }) {
  const { dot, facts, name, place, ownName, ownPlace, nameMatch, repeats, due } = row;
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
      <td>
        {name !== "" && <Name text={name} />}
        <Small text={place} />
      </td>
      {ownNames && (
        <td>
          {ownName !== "" && <Name text={ownName} />}
          <Small text={ownPlace} />
          <Small text={NAME_MATCHES[nameMatch]} />
        </td>
      )}
      <td data-by={due}>
        {due === "" ? "" : formatForPeople(due)}
      </td>
    </tr>
  );
}

/** How the name of the list compares with FMCSA's; a difference is a fact of the row. */
const NAME_MATCHES: Readonly<Record<ResultRow["nameMatch"], string>> = {
  match: "Name matches",
  close: "Name is close",
  different: "",
  unknown: "",
};

function Small({ text }: { text: string }) {
  if (text === "") return null;
  return (
    <small>
      <Name text={text} />
    </small>
  );
}

function NumberCell({ row: { readAs, dot, others } }: { row: ResultRow }) {
  if (dot === "") return <>{readAs}</>;
  return (
    <>
      {readAs !== `USDOT ${dot}` && <small>{readAs}</small>}
      <a href={`/carriers/${dot}`}>USDOT {dot}</a>
      {" · "}
      <SaferLink dot={dot} />
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

/** The order that a list is seen in on a narrow screen, where its headings are hidden. */
function Order({ sort, words, asked }: { sort: Sort; words: string; asked: Arrangement }) {
  const current = asked.sort === sort && !asked.descending;
  const to = { sort, descending: false };
  return <Rearranged asked={asked} to={to} current={current} words={words} />;
}

function Pages({ label, asked, pages }: { label: string; asked: Arrangement; pages: number }) {
  const { page } = asked;
  const links: [words: string, page: number][] = [
    ["First", 1],
    ["Previous", page - 1],
    [`Page ${page} of ${pages}`, page],
    ["Next", page + 1],
    ["Last", pages],
  ];
  return (
    <nav aria-label={label} class="filters">
      {links.filter(([, to], i) => i === 2 || to >= 1 && to <= pages && to !== page)
        .map(([words, to]) => (
          to === page
            ? <span aria-current="page">{words}</span>
            : <Rearranged asked={asked} to={{ page: to }} words={words} />
        ))}
    </nav>
  );
}
