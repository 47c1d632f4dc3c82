/**
 * The table of a job's results, a page at a time.
 *
 * @module
 */

import { formatForPeople } from "../../api/rules/calendar.ts";
import { plural } from "../../pipeline/text.ts";
import { arrange, type Arrangement, queryOf, type Sort, urgencyOf } from "../bulk/arrange.ts";
import type { ResultRow } from "../bulk/result.ts";
import { Name, SaferLink } from "../components/text.tsx";

const HEADS: readonly (readonly [sort: Sort, words: string])[] = [
  ["row", "Row"],
  ["result", "Result"],
  ["dot", "Number"],
  ["name", "FMCSA name"],
  ["ownName", "Your list"],
  ["due", "MCS-150 due"],
];

export function ResultTable({ results, asked }: {
  /** All results, in the order of the list. */
  results: readonly ResultRow[];
  asked: Arrangement;
}) {
  const { shown, count, pages } = arrange(results, asked);
  const ownNames = results.some(({ ownName, ownPlace }) => ownName !== "" || ownPlace !== "");
  const heads = HEADS.filter(([sort]) => ownNames || sort !== "ownName");
  return (
    <>
      {/* A narrow screen hides the headings. */}
      <nav aria-label="Order of the rows" class="filters">
        {([["row", "In your order"], ["result", "Worst first"]] as const).map(([sort, words]) => (
          <Rearranged
            asked={asked}
            to={{ sort, descending: false }}
            current={asked.sort === sort && !asked.descending}
            words={words}
          />
        ))}
      </nav>
      {pages > 1 && <Pages label="Pages" asked={asked} pages={pages} />}
      <div class="wide" tabindex={0} role="region" aria-label="Rows of the list">
        <table
          class={ownNames ? "rows named" : "rows"}
          {...pages === 1 ? { "data-whole": true } : {}}
        >
          <caption>{plural(count, "row")}</caption>
          <thead>
            <tr>
              {heads.map(([sort, words]) => <Head sort={sort} words={words} asked={asked} />)}
            </tr>
          </thead>
          <tbody>{shown.map((row) => <Row row={row} ownNames={ownNames} />)}</tbody>
        </table>
      </div>
      {pages > 1 && <Pages label="Pages, below the table" asked={asked} pages={pages} />}
    </>
  );
}

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
      <td data-by={due}>{due === "" ? "" : formatForPeople(due)}</td>
    </tr>
  );
}

/** How the name of the list compares with FMCSA's; a difference is a fact of the row. */
const NAME_MATCHES = { match: "Name matches", close: "Name is close", different: "", unknown: "" };

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
          also{" "}
          {others.map((other, i) => [i > 0 && ", ", <a href={`/carriers/${other}`}>{other}</a>])}
        </small>
      )}
    </>
  );
}

function Pages({ label, asked, pages }: { label: string; asked: Arrangement; pages: number }) {
  const { page } = asked;
  const links: [words: string, page: number][] = [
    ...page > 1 ? [["First", 1], ["Previous", page - 1]] as [string, number][] : [],
    [`Page ${page} of ${pages}`, page],
    ...page < pages ? [["Next", page + 1], ["Last", pages]] as [string, number][] : [],
  ];
  return (
    <nav aria-label={label} class="filters">
      {links.map(([words, to]) =>
        to === page
          ? <span aria-current="page">{words}</span>
          : <Rearranged asked={asked} to={{ page: to }} words={words} />
      )}
    </nav>
  );
}
