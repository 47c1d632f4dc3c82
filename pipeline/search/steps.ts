/**
 * The steps of building an index that a pool of workers runs, as plain data.
 *
 * @module
 */

import { gather, type Gathered, type GatherTask } from "./gather.ts";
import { scatter, type ScatterTask } from "./scatter.ts";
import { type Merged, type MergeTask, mergeTerms } from "./terms.ts";

/** A step to run. */
export type SearchTask =
  | ({ kind: "search terms" } & MergeTask)
  | ({ kind: "search scatter" } & ScatterTask)
  | ({ kind: "search gather" } & GatherTask);

/** Runs one step. */
export function runSearchTask(task: SearchTask): Merged | Gathered | undefined {
  if (task.kind === "search terms") return mergeTerms(task);
  if (task.kind === "search gather") return gather(task);
  scatter(task);
  return undefined;
}
