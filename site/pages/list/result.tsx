/**
 * What became of a list: counts, what was read, the rows.
 *
 * @module
 */

import { formatForPeople, newYorkToday } from "../../../api/rules/calendar.ts";
import { inert } from "../../../pipeline/inert.ts";
import { counted } from "../../../pipeline/report/plain.ts";
import { type Arrangement, countVerdicts, queryOf, type Show } from "../../list/arrange.ts";
import type { FoundList } from "../../list/lists.ts";
import { type ResultRow, type Verdict, VERDICTS } from "../../list/result_row.ts";
import { ListTable } from "./table.tsx";

/** Rows without a number that are named; the others are in the table. */
const NAMED = 10;

/** What the part is made of. */
export interface ListResultProps {
  list: FoundList;
  /** All rows, in the order of the list. */
  rows: readonly ResultRow[];
  asked: Arrangement;
  arranged: { shown: ResultRow[]; count: number; pages: number };
  /** Whether somebody comes here for the first time, and not from a link of this page. */
  landed: boolean;
}

/** The result. */
export function ListResult({ list, rows, asked, arranged, landed }: ListResultProps) {
  const { view: job, expiresAt } = list.job;
  const counts = countVerdicts(rows);
  const clear = counts.get("clear") ?? 0;
  return (
    <>
      <h1>
        {numbers(job.total)} checked,{" "}
        {clear === rows.length ? "no issue found" : `${counted(rows.length - clear)} to look at`}
      </h1>
      <p class="lede">
        Public files of {formatForPeople(job.snapshot.data_date)}. “{VERDICTS.clear
          .words}” means that none of the six checks found one in them. It is not an approval.
      </p>
      <p class="actions">
        <a class="button" href={`/bulk/${job.id}.csv`} download autofocus={landed}>
          Download the CSV file
        </a>
        <a class="button quiet" href="/bulk">Check another list</a>
      </p>
      <p class="soft">
        Kept until {keptUntil(expiresAt)}, then deleted. {whatWasRead(list)}
      </p>
      <WrongRows list={list} />
      <nav aria-label="Show rows" class="filters">
        <Filter show="all" asked={asked} words="All" count={rows.length} />
        <Filter show="look" asked={asked} words="Needs a look" count={rows.length - clear} />
        {(Object.keys(VERDICTS) as Verdict[]).filter((verdict) => counts.has(verdict)).map((
          verdict,
        ) => (
          <Filter
            show={verdict}
            asked={asked}
            words={VERDICTS[verdict].words}
            count={counts.get(verdict)!}
          />
        ))}
      </nav>
      <ListTable asked={asked} arranged={arranged} />
    </>
  );
}

function WrongRows({ list: { job: { view: job }, wrong } }: { list: FoundList }) {
  if (wrong.length === 0) return null;
  const first = wrong.slice(0, NAMED);
  return (
    <div class="notice warn">
      <p>
        {wrong.length === 1 ? "1 row holds" : `${counted(wrong.length)} rows hold`}{" "}
        no USDOT number and could not be checked:
      </p>
      <ul>
        {first.map(({ row, text }) => (
          <li>
            Row {row}: <bdi>{inert(text) || "empty"}</bdi>
          </li>
        ))}
      </ul>
      {wrong.length > NAMED && (
        <p>
          <a href={`/bulk/${job.id}?show=wrong`}>See all {counted(wrong.length)}</a>
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

function whatWasRead({ column }: FoundList): string {
  if (column === null) return "";
  const { place, of, heading } = column;
  const named = heading === null ? "" : `, “${inert(heading)}”,`;
  return of === 1 && heading === null
    ? ""
    : `Read from column ${place} of ${of}${named} of your table.`;
}

function keptUntil(ms: number): string {
  const time = new Date(ms).toLocaleTimeString("en-US", {
    timeZone: "America/New_York",
    hour: "numeric",
    minute: "2-digit",
  });
  return `${time} Eastern time on ${formatForPeople(newYorkToday(ms))}`;
}

function numbers(count: number): string {
  return count === 1 ? "1 number" : `${counted(count)} numbers`;
}
