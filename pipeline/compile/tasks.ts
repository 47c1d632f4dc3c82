/**
 * The tasks of a build, which need nothing but their own data.
 *
 * @module
 */

import { runSearchTask, type SearchTask } from "../search/index/build.ts";
import { assemble, type AssembleTask } from "./assemble.ts";
import type { FirstPass, FirstPassTask } from "./first_pass.ts";
import type { InputRole } from "./report.ts";
import { spillCensus } from "./spilled_census.ts";
import { spillInspections } from "./spilled_inspections.ts";
import type { Assembled } from "./totals.ts";

type ReadTask = { kind: InputRole } & Omit<FirstPassTask, "progress">;

/** One of the two passes, or a step of the search index. */
export type BuildTask = ReadTask | ({ kind: "assemble" } & AssembleTask) | SearchTask;

/** The result of a task of the same kind. */
export type BuildResult =
  | { kind: "read"; pass: FirstPass }
  | { kind: "assembled"; assembled: Assembled }
  | { kind: "indexed"; value: unknown };

/** What a worker posts: progress of its task, the result, or the error that ended it. */
export type WorkerReply =
  | { kind: "progress"; done: number }
  | { kind: "result"; result: BuildResult }
  | { kind: "error"; name: string; message: string };

const PROGRESS_BYTES = 16 << 20;

export async function runTask(
  task: BuildTask,
  onProgress: (done: number) => void = () => {},
): Promise<BuildResult> {
  switch (task.kind) {
    case "assemble":
      return { kind: "assembled", assembled: assemble(task) };
    case "search terms":
    case "search scatter":
    case "search gather":
      return { kind: "indexed", value: runSearchTask(task) };
    case "census":
      return { kind: "read", pass: await spillCensus(withProgress(task, onProgress)) };
    case "inspections":
      return { kind: "read", pass: await spillInspections(withProgress(task, onProgress)) };
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
