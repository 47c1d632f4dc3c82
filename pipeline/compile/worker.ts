/**
 * The worker of a build: runs the tasks a {@link WorkerPool} posts.
 *
 * @module
 */

import { runSearchTask, type SearchTask } from "../search/index/build.ts";
import { assemble, type AssembleTask } from "./assemble.ts";
import type { FirstPass, FirstPassTask } from "./first_pass.ts";
import type { WorkerReply } from "./pool.ts";
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
    case "census":
      return { kind: "read", pass: await spillCensus(withProgress(task)) };
    case "inspections":
      return { kind: "read", pass: await spillInspections(withProgress(task)) };
  }
}

function withProgress(task: ReadTask): FirstPassTask {
  let reported = 0;
  return {
    ...task,
    progress(bytes): void {
      if (bytes - reported < PROGRESS_BYTES) return;
      scope.postMessage({ kind: "progress", done: reported = bytes });
    },
  };
}
