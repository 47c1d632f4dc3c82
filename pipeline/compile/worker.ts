/**
 * One core of a build: runs the tasks a {@link WorkerPool} posts.
 *
 * @module
 */

import { runSearchTask, type SearchTask } from "../search/index/build.ts";
import { assemble, type Assembled, type AssembleTask } from "./assemble.ts";
import type { FirstPass, SpillOptions } from "./first_pass.ts";
import type { WorkerReply } from "./pool.ts";
import { spillCensus } from "./spill_census.ts";
import { spillInspections } from "./spill_inspections.ts";

type ReadTask = { kind: "census" | "inspections"; path: string } & Omit<SpillOptions, "progress">;

/** What to do: one of the two passes, or a step of the search index. */
export type BuildTask =
  | ReadTask
  | ({ kind: "assemble" } & AssembleTask)
  | SearchTask;

/** The result of a task of the same kind. */
export type BuildResult =
  | { kind: "read"; pass: FirstPass }
  | { kind: "assembled"; assembled: Assembled }
  | { kind: "indexed"; value: unknown };

const PROGRESS_BYTES = 16 << 20;

const scope = self as unknown as {
  onmessage: (event: MessageEvent<BuildTask>) => void;
  postMessage(reply: WorkerReply<BuildResult>): void;
};

scope.onmessage = async ({ data }): Promise<void> => {
  try {
    scope.postMessage({ kind: "result", result: await runTask(data) });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    scope.postMessage({ kind: "error", name, message });
  }
};

async function runTask(task: BuildTask): Promise<BuildResult> {
  switch (task.kind) {
    case "assemble":
      return { kind: "assembled", assembled: assemble(task) };
    case "search terms":
    case "search scatter":
    case "search gather":
      return { kind: "indexed", value: runSearchTask(task) };
    default:
      return { kind: "read", pass: await read(task) };
  }
}

async function read(task: ReadTask): Promise<FirstPass> {
  let reported = 0;
  const progress = (bytes: number): void => {
    if (bytes - reported < PROGRESS_BYTES) return;
    scope.postMessage({ kind: "progress", done: reported = bytes });
  };
  return task.kind === "census"
    ? await spillCensus(task.path, { ...task, progress })
    : await spillInspections(task.path, { ...task, progress });
}
