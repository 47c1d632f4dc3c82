/**
 * The tasks of a build, and where they run: on a pool of workers, or here when the files are small.
 *
 * @module
 */

import { runSearchTask, type SearchTask } from "../search/index/build.ts";
import { assemble, type AssembleTask } from "./assemble.ts";
import { fileSize, type FirstPass, type FirstPassTask } from "./first_pass.ts";
import { type TaskRunner, WorkerPool } from "./pool.ts";
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

export type BuildRunner = TaskRunner<BuildTask, BuildResult>;

/** Two files of this size in all are built sooner than workers have started and warmed up. */
const SMALL_BYTES = 8 << 20;

/** Workers for a build, one per core unless told otherwise; none for small files. */
export async function openRunner(
  { census, inspections, workers, signal }: Record<InputRole, string> & {
    workers?: number;
    signal?: AbortSignal;
  },
): Promise<BuildRunner & (Disposable | AsyncDisposable)> {
  const bytes = await fileSize(census) + await fileSize(inspections);
  if (workers === undefined && bytes <= SMALL_BYTES) return inThisThread(signal);
  const count = workers ?? Math.max(navigator.hardwareConcurrency, 1);
  return new WorkerPool(new URL("./worker.ts", import.meta.url), count);
}

function inThisThread(signal: AbortSignal | undefined): BuildRunner & AsyncDisposable {
  const running = new Set<Promise<BuildResult>>();
  return {
    async run(task, onProgress) {
      signal?.throwIfAborted();
      const done = runTask(task, onProgress);
      running.add(done);
      return await done.finally(() => running.delete(done));
    },
    // A task cannot be stopped; its folder is removed only after it.
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(running);
    },
  };
}

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
