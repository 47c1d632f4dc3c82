/**
 * The tasks of a build. Each needs only its own data.
 *
 * @module
 */

import { runSearchTask, type SearchTask } from "../search/index/build.ts";
import { loadParquet } from "../export/part.ts";
import { assemblePartition, type AssembleTask } from "./assemble.ts";
import type { FirstPass, FirstPassTask } from "./spill/first_pass.ts";
import type { SourceRole } from "../audit/report.ts";
import { spillCensus } from "./spill/spilled_census.ts";
import { spillInspections } from "./spill/spilled_inspections.ts";
import { spillOrders } from "./spill/spilled_orders.ts";
import type { Assembled } from "./totals.ts";

type ReadTask = { kind: SourceRole } & Omit<FirstPassTask, "progress">;

/** One of the two passes, or a step of the search index. */
export type BuildTask = ReadTask | ({ kind: "assemble" } & AssembleTask) | SearchTask;

export type TaskResult<T extends BuildTask> = T extends ReadTask ? FirstPass
  : T extends AssembleTask ? Assembled
  : ReturnType<typeof runSearchTask>;

/** What a worker posts: progress of its task, the result, or the error that ended it. */
export type WorkerReply =
  | { kind: "progress"; done: number }
  | { kind: "result"; result: TaskResult<BuildTask> }
  | { kind: "error"; name: string; message: string };

const PROGRESS_BYTES = 16 << 20;

export async function runTask(
  task: BuildTask,
  onProgress: (done: number) => void = () => {},
): Promise<TaskResult<BuildTask>> {
  switch (task.kind) {
    case "assemble":
      return assemblePartition(
        task,
        task.exportDir === undefined ? undefined : await loadParquet(),
      );
    case "search terms":
    case "search scatter":
    case "search gather":
      return runSearchTask(task);
    case "census":
      return await spillCensus(withProgress(task, onProgress));
    case "inspections":
      return await spillInspections(withProgress(task, onProgress));
    case "orders":
      return await spillOrders(withProgress(task, onProgress));
  }
}

function withProgress(task: ReadTask, onProgress: (done: number) => void): FirstPassTask {
  let reported = 0;
  return {
    ...task,
    progress(bytes): void {
      if (bytes - reported < PROGRESS_BYTES) return;
      onProgress(reported = bytes);
    },
  };
}
