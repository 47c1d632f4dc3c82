/**
 * Filters, sorts and paginates the rows of a result as the page's query asks.
 *
 * @module
 */

import { type Outcome, OUTCOMES, type ResultRow } from "./result.ts";

/** Columns that rows can be put in order by. */
export const SORTS = ["row", "result", "dot", "name", "ownName", "due"] as const;

export type Sort = typeof SORTS[number];

export type Show = "all" | Outcome;

/** What the address asks for. */
export interface Arrangement {
  sort: Sort;
  descending: boolean;
  show: Show;
  /** From 1. */
  page: number;
}

/** As many as keep a page of HTML below 60 KB. */
export const PAGE_ROWS = 50;

const URGENCY = Object.keys(OUTCOMES) as Outcome[];
const NAMES = new Intl.Collator("en");

/** Reads an arrangement; what makes no sense counts as not given. */
export function readArrangement(query: URLSearchParams): Arrangement {
  const show = query.get("show") ?? "";
  return {
    sort: SORTS.find((sort) => sort === query.get("sort")) ?? "row",
    descending: query.get("dir") === "desc",
    show: URGENCY.find((outcome) => outcome === show) ?? "all",
    page: /^[1-9]\d{0,2}$/.test(query.get("page") ?? "") ? Number(query.get("page")) : 1,
  };
}

/** The address of an arrangement: empty for the one that needs no words. */
export function queryOf({ sort, descending, show, page }: Arrangement): string {
  const query = new URLSearchParams();
  if (sort !== "row") query.set("sort", sort);
  if (descending) query.set("dir", "desc");
  if (show !== "all") query.set("show", show);
  if (page > 1) query.set("page", String(page));
  return query.size === 0 ? "" : `?${query}`;
}

/** The rows of a page, and how many there are on all pages. */
export function arrange(
  rows: readonly ResultRow[],
  { sort, descending, show, page }: Arrangement,
): { shown: ResultRow[]; count: number; pages: number } {
  const matching = rows.filter(({ outcome }) => show === "all" || outcome === show);
  const direction = descending ? -1 : 1;
  // Sorting keeps equal rows in the order of the list; what is not known comes last either way.
  matching.sort((a, b) =>
    Number(isBlank(a, sort)) - Number(isBlank(b, sort)) || direction * compare(a, b, sort)
  );
  const from = (page - 1) * PAGE_ROWS;
  return {
    shown: matching.slice(from, from + PAGE_ROWS),
    count: matching.length,
    pages: Math.max(1, Math.ceil(matching.length / PAGE_ROWS)),
  };
}

/** Number of rows by outcome, the most urgent first, without zeros. */
export function countOutcomes(rows: readonly ResultRow[]): [Outcome, number][] {
  const counts = new Map<Outcome, number>();
  for (const { outcome } of rows) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return URGENCY.flatMap((outcome) => {
    const count = counts.get(outcome);
    return count === undefined ? [] : [[outcome, count]];
  });
}

/** How urgent a row is, 0 the most. */
export function urgencyOf({ outcome, facts }: ResultRow): number {
  return outcome === "review" && facts[0]!.tone === "bad" ? 0 : 1 + URGENCY.indexOf(outcome);
}

function isBlank(row: ResultRow, sort: Sort): boolean {
  return sort !== "row" && sort !== "result" && row[sort] === "";
}

function compare(a: ResultRow, b: ResultRow, sort: Sort): number {
  switch (sort) {
    case "row":
      return a.row - b.row;
    case "dot":
      return Number(a.dot) - Number(b.dot);
    case "result":
      return urgencyOf(a) - urgencyOf(b);
    default:
      return NAMES.compare(a[sort], b[sort]);
  }
}
