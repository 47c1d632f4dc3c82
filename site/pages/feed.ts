/**
 * `/carriers/{dot}/changes.atom` and `/changes.atom?dots=1,2`: carriers' changes as Atom feeds.
 *
 * @module
 */

import { SERVICE_TITLE } from "../../api/operations/about.ts";
import { BATCH_LIMITS } from "../../api/operations/batch.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import { NUMBER_PATTERN } from "../../api/operations/numbers.ts";
import { findWatched, type Watched } from "../../api/operations/watched.ts";
import { formatForPeople } from "../../pipeline/dates.ts";
import {
  changeLine,
  gapLine,
  periodLine,
  removedLine,
  watchedSince,
} from "../../api/rules/changes.ts";
import { PAGE_COSTS } from "../../api/state/rate_limit.ts";
import { dataLine } from "../../api/rules/words.ts";
import { explainNumber } from "../../pipeline/fmcsa/number_text.ts";
import type { PastSnapshot } from "../../pipeline/snapshot/chain.ts";
import { inert, plural } from "../../pipeline/text.ts";
import type { PageFile } from "../components/layout.tsx";
import { type AtomEntry, atomText } from "./atom.ts";
import type { PageRoute, Visit } from "./route.ts";

const MOST_CHANGES = 500;

const LIST_PATH = "/changes.atom";

/** Address of a carrier's feed. */
export function feedPath(dot: string): string {
  return `/carriers/${dot}/changes.atom`;
}

/** A carrier's feed; 404 for a number that is not in the census and has not been in it for 24 months. */
export const carrierFeedRoute: PageRoute = {
  path: feedPath("{dot}"),
  answer: (visit) =>
    orText(async () => {
      const number = readNumber(visit.params.dot!);
      const { watched, ...read } = await readFeed(visit, [number]);
      const { dot, history, absence, page_url: page } = watched[0]!;
      if (history === null) {
        throw new ServiceError("not_found", `Cannot find USDOT number ${dot}: ${absence}`);
      }
      const title = `Changes to ${calledName(watched[0]!)}`;
      return feedFile(watched, { ...read, title, page, path: feedPath(dot), visit });
    }),
};

/** The feed of several numbers. A number that is not in the census gets an entry, too. */
export const listFeedRoute: PageRoute = {
  path: LIST_PATH,
  cost: PAGE_COSTS.result,
  answer: (visit) =>
    orText(async () => {
      const { watched, ...read } = await readFeed(visit, readNumbers(visit.url.searchParams));
      const path = `${LIST_PATH}?dots=${watched.map(({ dot }) => dot).join()}`;
      const title = `Changes to ${plural(watched.length, "carrier")}`;
      return feedFile(watched, { ...read, title, path, visit });
    }),
};

/** Returns the answer, or the error as plain text, because programs read feeds and don't need an error page. */
async function orText(answer: () => Promise<PageFile>): Promise<PageFile | Response> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    const { status, message } = error;
    const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
    return new Response(`${message}\n`, { status, headers });
  }
}

function readNumbers(query: URLSearchParams): number[] {
  const [given = "", ...others] = query.getAll("dots");
  if (others.length > 0) throw refusal("Cannot use dots twice: put commas between numbers");
  const parts = given.split(/[\s,]+/).filter((part) => part !== "");
  if (parts.length === 0) {
    throw refusal(`Cannot make a feed without USDOT numbers, such as ${LIST_PATH}?dots=286764,5`);
  }
  const { maxItems } = BATCH_LIMITS;
  if (parts.length > maxItems) {
    const message = `Cannot make a feed of ${parts.length} numbers: at most ${maxItems}`;
    throw new ServiceError("too_many_items", message);
  }
  return [...new Set(parts.map(readNumber))];
}

function readNumber(text: string): number {
  if (NUMBER_PATTERN.test(text) && Number(text) !== 0) return Number(text);
  throw new ServiceError("invalid_dot_number", explainNumber(text, "USDOT number"));
}

function refusal(message: string): ServiceError {
  return new ServiceError("invalid_query", message);
}

interface FeedData {
  watched: readonly Watched[];
  chain: readonly PastSnapshot[];
  snapshotId: string;
}

/**
 * @throws {ServiceError} `upstream_unavailable` if a carrier cannot be read, because a feed without it
 * would look complete.
 */
async function readFeed(
  { site: { reader, baseUrl }, today }: Visit,
  dots: readonly number[],
): Promise<FeedData> {
  return await reader.use(async (snapshot) => {
    const found = await findWatched(dots, { snapshot, today, baseUrl, brief: true, relook: true });
    const unread = dots.find((dot) => !found.has(dot));
    if (unread !== undefined) {
      const message = `Cannot read the data of USDOT number ${unread} at the moment`;
      throw new ServiceError("upstream_unavailable", message, { retryAfter: 10 });
    }
    const chain = await snapshot.chain();
    return { watched: dots.map((dot) => found.get(dot)!), chain, snapshotId: snapshot.id };
  });
}

interface FeedPlace extends Omit<FeedData, "watched"> {
  title: string;
  path: string;
  page?: string;
  visit: Visit;
}

function feedFile(
  watched: readonly Watched[],
  { title, path, page, chain, snapshotId, visit: { site: { baseUrl } } }: FeedPlace,
): PageFile {
  const idOf = (...parts: string[]) =>
    `tag:${new URL(baseUrl).hostname},2026:${["changes", ...parts].join("/")}`;
  const first = chain.map(({ data_date }) => data_date).sort()[0]!;
  const sinces = watched.flatMap(({ history }) => history === null ? [] : [history.since]);
  const since = sinces.sort().at(-1) ?? watchedSince({}, { chain });
  const changes = watched.flatMap((one) => changeEntries(one, idOf)).sort(newestFirst);
  const notes = [
    ...watched.flatMap((one) => absenceEntries(one, { idOf, first })),
    ...gapEntries(watched, { idOf, page: page ?? baseUrl }),
  ];
  const entries = [...changes.slice(0, MOST_CHANGES), ...notes].sort(newestFirst);
  const text = atomText({
    id: idOf(path.slice(1)),
    title,
    subtitle: subtitleOf({ count: changes.length, since, snapshot: watched[0]!.snapshot }),
    author: SERVICE_TITLE,
    updated: entries[0]?.updated ?? first,
    self: baseUrl + path,
    ...page !== undefined && { page },
    entries,
  });
  const bytes = new TextEncoder().encode(text);
  return { type: "application/atom+xml; charset=utf-8", bytes, shared: true, snapshotId };
}

type IdOf = (...parts: string[]) => string;

function newestFirst(a: AtomEntry, b: AtomEntry): number {
  return a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : 0;
}

function subtitleOf(
  { count, since, snapshot }: { count: number; since: string; snapshot: Watched["snapshot"] },
): string {
  return [
    `Filed values that changed since ${formatForPeople(since)}, each between two data dates.`,
    ...count > MOST_CHANGES
      ? [
        `The newest ${MOST_CHANGES} of ${
          plural(count, "change")
        }: each carrier's own feed has all of its.`,
      ]
      : [],
    dataLine(snapshot),
    ...snapshot.notice === undefined ? [] : [snapshot.notice],
    "Independent: not part of, and not endorsed by, FMCSA.",
  ].join(" ");
}

/** `SOME CARRIER (USDOT 7)`; `USDOT 7` without a name, such as for a carrier that left the census. */
function calledName({ dot, carrier }: Watched): string {
  const name = inert(carrier?.name ?? "");
  return name === "" ? `USDOT ${dot}` : `${name} (USDOT ${dot})`;
}

function changeEntries(watched: Watched, idOf: IdOf): AtomEntry[] {
  const { dot, history, page_url: page } = watched;
  const called = calledName(watched);
  const { changes = [], removed } = history ?? {};
  const entries = changes.map((change): AtomEntry => {
    const day = change.between[1]!;
    return {
      id: idOf(dot, day, change.member),
      title: `${called}: ${changeLine(change)}`,
      summary: `${periodLine(change)}.`,
      updated: day,
      page,
    };
  });
  if (removed === undefined) return entries;
  const day = removed.between[1]!;
  const line = removedLine(removed);
  const left = { id: idOf(dot, day, "left"), updated: day, page };
  return [
    { ...left, title: `${called}: No longer in the census`, summary: `${line}.` },
    ...entries,
  ];
}

/**
 * The entry for a number that is not in the census. Its date stays the same, so that feed readers show
 * it as new only once.
 */
function absenceEntries(
  { dot, history, absence, page_url: page }: Watched,
  { idOf, first }: { idOf: IdOf; first: string },
): AtomEntry[] {
  if (history !== null) return [];
  return [{
    id: idOf(dot, "absent"),
    title: `USDOT ${dot}: not in the census`,
    summary: `USDOT ${dot} is ${absence}. This feed will say when it enters the census.`,
    updated: first,
    page,
  }];
}

/**
 * Entries for the days on which our code began to read a member differently, because changes of that
 * member are not listed for these days.
 */
function gapEntries(
  watched: readonly Watched[],
  { idOf, page }: { idOf: IdOf; page: string },
): AtomEntry[] {
  const { gaps = [] } = watched.find(({ history }) => history !== null)?.history ?? {};
  return gaps.map((gap) => {
    const day = gap.between[1]!;
    const line = gapLine(gap);
    return { id: idOf("gap", day), title: line, summary: `${line}.`, updated: day, page };
  });
}
