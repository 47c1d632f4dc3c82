/**
 * Counts rows and fields that were rejected, skipped or repaired, by reason.
 *
 * @module
 */

/** Rows rejected, skipped or repaired for one reason. */
export interface ProblemCount {
  /** The reason, e.g. `ragged_row`; the table is in `../snapshot/FORMAT.md`. */
  reason: string;
  treatment: "rejected" | "repaired" | "skipped";
  count: number;
  /** The three smallest excerpts, at most 160 characters each. */
  examples: string[];
}

/** What happens to a row, or to a field of it, for each reason. */
export const TREATMENTS = {
  // Rows that cannot be read, or cannot be distinguished. They are left out, and a gate limits how many.
  ragged_row: "rejected",
  bad_quote: "rejected",
  row_too_long: "rejected",
  bad_usdot_number: "rejected",
  duplicate_usdot_number: "rejected",
  bad_status: "rejected",
  bad_inspection_id: "rejected",
  duplicate_inspection: "rejected",
  bad_inspection_date: "rejected",
  bad_count: "rejected",
  duplicate_order: "rejected",
  // Rows that FMCSA's files are known to contain and that say nothing about a carrier.
  blank_line: "skipped",
  no_usdot_number: "skipped",
  // Fields: the row stays, the member is left out or repaired.
  bad_date: "repaired",
  bad_order_dates: "repaired",
  bad_number: "repaired",
  bad_phone: "repaired",
  blank_count: "repaired",
  unknown_code: "repaired",
  bad_docket: "repaired",
  repeated_docket: "repaired",
  float_number: "repaired",
  control_character: "repaired",
  invalid_utf8: "repaired",
  long_word: "repaired",
} as const satisfies Record<string, ProblemCount["treatment"]>;

export type Reason = keyof typeof TREATMENTS;

/** Where a problem was seen, for the terminal. */
interface Sighting {
  line: number;
  column?: number;
  detail: string;
}

interface Tally {
  count: number;
  /** The smallest by text, so that the order of rows does not matter. */
  examples: string[];
  /** The first in the file. */
  first: Sighting[];
}

const KEPT = 3;
const EXAMPLE_LENGTH = 160;

/** Problems by reason. Plain data, so that workers can post it. */
export type ProblemTallies = Partial<Record<Reason, Tally>>;

/** Adds one problem. `detail` is published: it must contain no personal data. */
export function addProblem(tallies: ProblemTallies, reason: Reason, seen: Sighting): void {
  const tally = tallies[reason] ??= { count: 0, examples: [], first: [] };
  tally.count++;
  keepSmallest(tally.examples, seen.detail.slice(0, EXAMPLE_LENGTH));
  keepFirst(tally.first, seen);
}

/** Adds all of `from` to `into`. The result does not depend on the order of such calls. */
export function mergeProblems(into: ProblemTallies, from: ProblemTallies): void {
  for (const [reason, tally] of Object.entries(from) as [Reason, Tally][]) {
    const target = into[reason] ??= { count: 0, examples: [], first: [] };
    target.count += tally.count;
    for (const example of tally.examples) keepSmallest(target.examples, example);
    for (const seen of tally.first) keepFirst(target.first, seen);
  }
}

/** How many rows or fields had a given treatment. */
export function countProblems(
  tallies: ProblemTallies,
  treatment: ProblemCount["treatment"],
): number {
  return problemCounts(tallies).reduce(
    (sum, problem) => problem.treatment === treatment ? sum + problem.count : sum,
    0,
  );
}

/** The tallies as the report shows them, by reason. */
export function problemCounts(tallies: ProblemTallies): ProblemCount[] {
  return (Object.entries(tallies) as [Reason, Tally][])
    .map(([reason, { count, examples }]) => ({
      reason,
      treatment: TREATMENTS[reason],
      count,
      examples,
    }))
    .sort((a, b) => a.reason < b.reason ? -1 : 1);
}

/** The first sightings, as lines `file:line:column: reason: detail`. */
export function describeProblems(tallies: ProblemTallies, file: string): string[] {
  return (Object.entries(tallies) as [Reason, Tally][]).flatMap(([reason, { first }]) =>
    first.map(({ line, column, detail }) =>
      `${file}:${line}${column === undefined ? "" : `:${column}`}: ${reason}` +
      (detail === "" ? "" : `: ${detail}`)
    )
  );
}

function keepSmallest(examples: string[], example: string): void {
  if (example === "" || examples.includes(example)) return;
  if (examples.length === KEPT && example > examples[KEPT - 1]!) return;
  examples.push(example);
  examples.sort().splice(KEPT);
}

function keepFirst(first: Sighting[], seen: Sighting): void {
  if (first.length === KEPT && seen.line >= first[KEPT - 1]!.line) return;
  first.push(seen);
  first.sort((a, b) => a.line - b.line || (a.detail < b.detail ? -1 : 1)).splice(KEPT);
}
