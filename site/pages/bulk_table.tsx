/**
 * The table of a job's results, filtered, sorted and split into pages according to the query.
 *
 * @module
 */

import { type Outcome, OUTCOMES } from "../../api/operations/csv.ts";
import { findingHead } from "../../api/rules/findings.ts";
import { formatForPeople } from "../../pipeline/dates.ts";
import { counted, plural } from "../../pipeline/text.ts";
import type { ResultRow } from "../bulk/result.ts";
import { FiledText, SaferLink } from "../components/blocks.tsx";
import { KeysHint } from "../components/found.tsx";

/** Columns by which rows can be sorted, with their headings. */
const HEADS = {
  row: "Row",
  result: "Result",
  dot: "Number",
  name: "FMCSA name",
  ownName: "Your list",
  due: "MCS-150 due",
} as const;

type Sort = keyof typeof HEADS;

export const SORTS = Object.keys(HEADS) as Sort[];

export interface Arrangement {
  sort: Sort;
  descending: boolean;
  show: "all" | Outcome;
  /** From 1. */
  page: number;
}

/** Rows per page. With more, the HTML of a page could exceed 60 KB. */
export const PAGE_ROWS = 50;

const URGENCY = Object.keys(OUTCOMES) as Outcome[];

/** The same comparison as in `sort.js`, which sorts a list of one page. */
const { compare } = new Intl.Collator("en", { numeric: true });

/** Reads an arrangement from a query. Invalid values are ignored. */
export function readArrangement(query: URLSearchParams): Arrangement {
  const page = query.get("page") ?? "";
  return {
    sort: SORTS.find((sort) => sort === query.get("sort")) ?? "row",
    descending: query.get("dir") === "desc",
    show: URGENCY.find((outcome) => outcome === query.get("show")) ?? "all",
    page: /^[1-9]\d{0,2}$/.test(page) ? Number(page) : 1,
  };
}

/** The query of an arrangement: empty for the default one. */
export function queryOf({ sort, descending, show, page }: Arrangement): string {
  const query = new URLSearchParams({
    ...sort !== "row" && { sort },
    ...descending && { dir: "desc" },
    ...show !== "all" && { show },
    ...page > 1 && { page: String(page) },
  });
  return query.size === 0 ? "" : `?${query}`;
}

export function isShown({ outcome }: ResultRow, show: Arrangement["show"]): boolean {
  return show === "all" || outcome === show;
}

export function arrange(
  rows: readonly ResultRow[],
  { sort, descending, show, page }: Arrangement,
): { shown: ResultRow[]; count: number; pages: number } {
  const keyed = rows.filter((row) => isShown(row, show))
    .map((row) => ({ row, key: String(sort === "result" ? urgencyOf(row) : row[sort]) }));
  const direction = descending ? -1 : 1;
  // Sorting keeps equal rows in the order of the list; unknown values come last in both directions.
  keyed.sort(({ key: a }, { key: b }) =>
    Number(a === "") - Number(b === "") || direction * compare(a, b)
  );
  const shown = keyed.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS).map(({ row }) => row);
  const pages = Math.max(1, Math.ceil(keyed.length / PAGE_ROWS));
  return { shown, count: keyed.length, pages };
}

/** Number of rows by outcome, the most urgent first, without zeros. */
export function countOutcomes(rows: readonly ResultRow[]): [Outcome, number][] {
  const byOutcome = Map.groupBy(rows, ({ outcome }) => outcome);
  return URGENCY.map((outcome): [Outcome, number] => [outcome, byOutcome.get(outcome)?.length ?? 0])
    .filter(([, count]) => count > 0);
}

/** The urgency of a row; 0 is the most urgent. */
export function urgencyOf({ outcome }: ResultRow): number {
  return URGENCY.indexOf(outcome);
}

export function ResultTable({ results, asked }: {
  /** All results, in the order of the list. */
  results: readonly ResultRow[];
  asked: Arrangement;
}) {
  const { shown, count, pages } = arrange(results, asked);
  const ownNames = results.some(({ ownName, ownPlace, ownText }) => ownName || ownPlace || ownText);
  const heads = SORTS.filter((sort) => ownNames || sort !== "ownName");
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
      <KeysHint pick={false} />
      <div class="wide" tabindex={0} role="region" aria-label="Rows of the list">
        <table
          class={ownNames ? "rows named" : "rows"}
          data-keys
          {...pages === 1 ? { "data-whole": true } : {}}
        >
          <caption>{rowsShown(count, shown.length, asked.page)}</caption>
          <thead>
            <tr>
              {heads.map((sort) => <Head sort={sort} asked={asked} />)}
            </tr>
          </thead>
          <tbody>{shown.map((row) => <Row row={row} ownNames={ownNames} />)}</tbody>
        </table>
      </div>
      {pages > 1 && <Pages label="Pages, below the table" asked={asked} pages={pages} />}
    </>
  );
}

/** `20 rows`, or with several pages `Rows 51 to 60 of 60`, which printed pages need too. */
function rowsShown(count: number, shown: number, page: number): string {
  if (shown === count) return plural(count, "row");
  const before = (page - 1) * PAGE_ROWS;
  return `Rows ${counted(before + 1)} to ${counted(before + shown)} of ${counted(count)}`;
}

export function Rearranged({ asked, to, current, words }: {
  asked: Arrangement;
  to: Partial<Arrangement>;
  current?: boolean;
  words: string;
}) {
  // An empty `href` would keep the query of the current page.
  const href = queryOf({ ...asked, page: 1, ...to }) || "?";
  return <a href={href} {...current ? { "aria-current": "true" } : {}}>{words}</a>;
}

function Head({ sort, asked }: { sort: Sort; asked: Arrangement }) {
  const here = asked.sort === sort;
  const descending = here && !asked.descending;
  const order = asked.descending ? "descending" : "ascending";
  return (
    <th scope="col" {...here ? { "aria-sort": order } : {}}>
      <Rearranged asked={asked} to={{ sort, descending }} words={HEADS[sort]} />
    </th>
  );
}

function Row({ row, ownNames }: { row: ResultRow; ownNames: boolean }) {
  const { dot, name, place, repeats, due } = row;
  return (
    <tr>
      <td>{row.row}</td>
      <td data-by={String(urgencyOf(row))}>
        <ResultLines row={row} />
        {repeats !== null && <small>Duplicate of row {repeats}</small>}
      </td>
      <td data-by={dot}>
        <NumberCell row={row} />
      </td>
      <td>
        {name !== "" && <FiledText text={name} />}
        <Small text={place} />
      </td>
      {ownNames && (
        <td>
          <OwnCell row={row} />
        </td>
      )}
      <td data-by={due}>{due === "" ? "" : formatForPeople(due)}</td>
    </tr>
  );
}

const TONES = { problem: "bad", review: "warn", fact: "info" } as const;

/** The findings of a row, after its result if none of them is a problem or a reason to review. */
export function ResultLines({ row: { outcome, verdict, findings } }: { row: ResultRow }) {
  const hasVerdict = outcome !== "problem" && outcome !== "review";
  const said = outcome === "clear" ? verdict : `${OUTCOMES[outcome]}: ${verdict}`;
  const tone = outcome === "clear" && verdict === "No issues found" ? "ok" : "info";
  return (
    <>
      {hasVerdict && (
        <div class={`state ${tone}`}>
          <bdi>{said}</bdi>
        </div>
      )}
      {findings.map((finding) => (
        <div class={`state ${TONES[finding.kind]}`}>
          <bdi>{findingHead(finding)}</bdi>
        </div>
      ))}
    </>
  );
}

/** What the list says about the carrier. A difference from FMCSA's record is shown among the findings. */
function OwnCell({ row: { ownName, ownPlace, ownText, nameMatch } }: { row: ResultRow }) {
  if (ownText !== "") return <FiledText text={ownText} />;
  return (
    <>
      {ownName !== "" && <FiledText text={ownName} />}
      <Small text={ownPlace} />
      <Small text={nameMatch === "match" ? "Name matches" : ""} />
    </>
  );
}

function Small({ text }: { text: string }) {
  if (text === "") return null;
  return (
    <small>
      <FiledText text={text} />
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
  const link = (words: string, page: number) => (
    <Rearranged asked={asked} to={{ page }} words={words} />
  );
  return (
    <nav aria-label={label} class="filters">
      {page > 1 && [link("First", 1), link("Previous", page - 1)]}
      <span aria-current="page">Page {page} of {pages}</span>
      {page < pages && [link("Next", page + 1), link("Last", pages)]}
    </nav>
  );
}
