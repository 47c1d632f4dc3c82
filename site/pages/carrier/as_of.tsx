/**
 * The record of a past day: reads the day from a request, and renders the form to choose one and the
 * notice at the top of the page.
 *
 * @module
 */

import { ServiceError } from "../../../api/operations/errors.ts";
import { formatForPeople } from "../../../pipeline/dates.ts";
import type { SnapshotFacts } from "../../../api/rules/schemas.ts";
import { dataLine } from "../../../api/rules/words.ts";
import type { PastSnapshot } from "../../../pipeline/snapshot/chain.ts";
import type { Page } from "../../components/layout.tsx";
import { errorPage } from "../error.tsx";
import { keptSnapshots, redirect, type Visit } from "../route.ts";

/** Returns the past day that is requested, as it was typed; undefined for today. */
export function askedDay({ url, today }: Visit): string | undefined {
  const typed = url.searchParams.get("as_of")?.trim();
  return typed === "" || typed === today ? undefined : typed;
}

/** Redirects to the URL without `as_of` if the day is blank or today. Otherwise returns null. */
export function withoutDay(visit: Visit): Response | null {
  const { url, site } = visit;
  if (!url.searchParams.has("as_of") || askedDay(visit) !== undefined) return null;
  const plain = new URL(site.baseUrl + url.pathname + url.search);
  plain.searchParams.delete("as_of");
  return redirect(url.pathname + plain.search);
}

/** The query that keeps the page's day in its links. */
export function dayQuery(asOf: string | undefined): string {
  return asOf === undefined ? "" : `?as_of=${asOf}`;
}

interface DayFormProps {
  /** The path that the form requests. */
  action: string;
  /** The snapshots that can be requested, the oldest first. */
  kept: readonly PastSnapshot[];
  asOf?: string | undefined;
}

/** The form to choose a past day. Not shown if only one day is kept. */
export function DayForm({ action, kept, asOf }: DayFormProps) {
  const [first, last] = [kept[0]?.data_date, kept.at(-1)?.data_date];
  if (first === last) return null;
  return (
    <form action={action}>
      <div class="row day">
        <label for="as_of">Show this record as of</label>
        <input
          id="as_of"
          name="as_of"
          type="date"
          min={first}
          max={last}
          value={asOf}
          required
          aria-describedby="as_of-hint"
        />
        <button type="submit" class="quiet">Show</button>
        <span class="hint" id="as_of-hint">Any date since {formatForPeople(first!)}</span>
      </div>
    </form>
  );
}

/** The notice on a page for a past day, with the snapshot that answered. Not shown on a page for today. */
export function DayNotice({ snapshot, present }: { snapshot: SnapshotFacts; present: string }) {
  const { as_of, id } = snapshot;
  if (as_of === undefined) return null;
  return (
    <p class="notice warn">
      <strong>As of {formatForPeople(as_of)}</strong>: the record of that day, not today's.{" "}
      {dataLine(snapshot)} Snapshot {id}. <a href={present}>Back to today</a>
    </p>
  );
}

/** Returns the page for a day that can't be answered, or null if the error has another cause. */
export async function dayErrorPage(
  error: unknown,
  visit: Visit,
  action: string,
): Promise<Page | null> {
  const asOf = askedDay(visit);
  if (!(error instanceof ServiceError) || asOf === undefined) return null;
  const kept = await keptSnapshots(visit.site.reader);
  const isOfDay = error.code === "invalid_query" ||
    error.code === "not_found" && kept.length > 0 && asOf < kept[0]!.data_date;
  if (!isOfDay) return null;
  return {
    ...errorPage(error, { path: action }),
    title: "No record for that date",
    heading: "No record for that date",
    lede: `${error.message}.`,
    query: "",
    body: (
      <>
        <DayForm action={action} kept={kept} />
        <p>
          <a href={action}>Today's record</a>
        </p>
      </>
    ),
  };
}
