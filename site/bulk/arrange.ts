/**
 * Filters, sorts and paginates the rows of a result as the page's query asks.
 *
 * @module
 */

import { type Outcome, OUTCOMES, type ResultRow } from "./result.ts";

export const SORTS = ["row", "result", "dot", "name", "ownName", "due"] as const;

export type Sort = typeof SORTS[number];

export interface Arrangement {
  sort: Sort;
  descending: boolean;
  show: "all" | Outcome;
  /** From 1. */
  page: number;
}

/** As many as keep a page of HTML below 60 KB. */
export const PAGE_ROWS = 50;

const URGENCY = Object.keys(OUTCOMES) as Outcome[];

/** As `sort.js` compares a list of one page. */
const { compare } = new Intl.Collator("en", { numeric: true });

/** Reads an arrangement; what makes no sense counts as not given. */
export function readArrangement(query: URLSearchParams): Arrangement {
  const page = query.get("page") ?? "";
  return {
    sort: SORTS.find((sort) => sort === query.get("sort")) ?? "row",
    descending: query.get("dir") === "desc",
    show: URGENCY.find((outcome) => outcome === query.get("show")) ?? "all",
    page: /^[1-9]\d{0,2}$/.test(page) ? Number(page) : 1,
  };
}

/** The address of an arrangement: empty for the one that needs no words. */
export function queryOf({ sort, descending, show, page }: Arrangement): string {
  const query = new URLSearchParams({
    ...sort !== "row" && { sort },
    ...descending && { dir: "desc" },
    ...show !== "all" && { show },
    ...page > 1 && { page: String(page) },
  });
  return query.size === 0 ? "" : `?${query}`;
}

export function arrange(
  rows: readonly ResultRow[],
  { sort, descending, show, page }: Arrangement,
): { shown: ResultRow[]; count: number; pages: number } {
  const keyed = rows.filter(({ outcome }) => show === "all" || outcome === show)
    .map((row) => ({ row, key: String(sort === "result" ? urgencyOf(row) : row[sort]) }));
  const direction = descending ? -1 : 1;
  // Sorting keeps equal rows in the order of the list; what is not known comes last either way.
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

/** How urgent a row is, 0 the most. */
export function urgencyOf({ outcome, facts }: ResultRow): number {
  return outcome === "review" && facts[0]!.tone === "bad" ? 0 : 1 + URGENCY.indexOf(outcome);
}
