/**
 * Where the tasks of a build run: on a pool of workers, or in this thread when the files are small.
 *
 * @module
 */

import type { InputRole } from "../audit/report.ts";
import { type BuildTask, runTask, type TaskResult, type WorkerReply } from "./tasks.ts";

export interface BuildRunner {
  /** How many tasks run at the same time. */
  readonly size: number;
  /**
   * Runs one task, which is created when its turn comes.
   *
   * @throws {Error} What the task threw, with its name and message.
   */
  run<T extends BuildTask>(
    task: () => T,
    onProgress?: (done: number) => void,
  ): Promise<TaskResult<T>>;
}

/** Files of up to this total size are built before workers would have started and warmed up. */
const SMALL_BYTES = 8 << 20;

/** Workers for a build, one per core unless told otherwise; none for small files. */
export async function openRunner(
  { workers, signal, ...files }: InputFiles & { workers?: number; signal?: AbortSignal },
): Promise<BuildRunner & (Disposable | AsyncDisposable)> {
  const bytes = await inputSize(files);
  if (workers === undefined && bytes <= SMALL_BYTES) return inThisThread(signal);
  return new WorkerPool(workers ?? Math.max(navigator.hardwareConcurrency, 1));
}

function inThisThread(signal: AbortSignal | undefined): BuildRunner & AsyncDisposable {
  const running = new Set<Promise<unknown>>();
  return {
    size: 1,
    async run<T extends BuildTask>(task: () => T, onProgress?: (done: number) => void) {
      signal?.throwIfAborted();
      const done = runTask(task(), onProgress) as Promise<TaskResult<T>>;
      running.add(done);
      return await done.finally(() => running.delete(done));
    },
    // A task cannot be stopped, so its folder is removed only when it has ended.
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(running);
    },
  };
}

/** Each worker runs one task at a time. */
class WorkerPool implements BuildRunner, Disposable {
  readonly size: number;
  #workers: Worker[];
  #idle: Worker[];
  #waiting: ((worker: Worker) => void)[] = [];

  constructor(size: number) {
    this.size = size;
    const module = new URL("./worker.ts", import.meta.url);
    this.#workers = Array.from({ length: size }, () => new Worker(module, { type: "module" }));
    this.#idle = [...this.#workers];
  }

  async run<T extends BuildTask>(
    task: () => T,
    onProgress: (done: number) => void = () => {},
  ): Promise<TaskResult<T>> {
    const worker = this.#idle.pop() ??
      await new Promise<Worker>((resolve) => this.#waiting.push(resolve));
    try {
      return await new Promise((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<WorkerReply>) => {
          if (data.kind === "progress") onProgress(data.done);
          else if (data.kind === "result") resolve(data.result as TaskResult<T>);
          else reject(namedError(data));
        };
        worker.onerror = (event) => {
          event.preventDefault();
          reject(new Error(`A worker of the build stopped: ${event.message}`));
        };
        const made = task();
        worker.postMessage(made, { transfer: transferred(made) });
      });
    } finally {
      const next = this.#waiting.shift();
      if (next) next(worker);
      else this.#idle.push(worker);
    }
  }

  [Symbol.dispose](): void {
    for (const worker of this.#workers) worker.terminate();
  }
}

/** The stored shards move to the worker: copies would stay in this thread's memory until it collects it. */
function transferred(task: BuildTask): ArrayBuffer[] {
  if (task.kind !== "assemble" || task.stored === undefined) return [];
  return [...task.stored.values()].map(({ buffer }) => buffer);
}

function namedError({ name, message }: { name: string; message: string }): Error {
  if (name === "TypeError") return new TypeError(message);
  if (name === "RangeError") return new RangeError(message);
  return Object.assign(new Error(message), { name });
}

/** Paths of the input files. `orders` is a string only when there is such a file. */
type InputFiles = Record<InputRole, string> & { orders?: unknown };

/**
 * The total size of the input files.
 *
 * @throws {Error} When one of them does not exist.
 */
export async function inputSize({ census, inspections, orders }: InputFiles): Promise<number> {
  const paths = [census, inspections, ...(typeof orders === "string" ? [orders] : [])];
  const sizes = await Promise.all(paths.map(fileSize));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function fileSize(path: string): Promise<number> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new Error(`Cannot read ${path}: there is no such file. "snapshot fetch" downloads it`);
  }
}
