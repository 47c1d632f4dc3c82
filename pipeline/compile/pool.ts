/**
 * A pool of workers that run tasks.
 *
 * @module
 */

/** What a worker posts: progress of its task, the result, or the error that ended it. */
export type WorkerReply<Result> =
  | { kind: "progress"; done: number }
  | { kind: "result"; result: Result }
  | { kind: "error"; name: string; message: string };

/** Runs tasks. */
export interface TaskRunner<Task, Result> {
  /** @throws {Error} What the task threw. */
  run(task: Task, onProgress?: (done: number) => void): Promise<Result>;
}

/** Runs tasks on `size` workers, each one task at a time. Dispose of it to terminate the workers. */
export class WorkerPool<Task, Result> implements TaskRunner<Task, Result>, Disposable {
  #workers: Worker[];
  #idle: Worker[];
  #waiting: ((worker: Worker) => void)[] = [];

  constructor(module: URL, size: number) {
    this.#workers = Array.from({ length: size }, () => new Worker(module, { type: "module" }));
    this.#idle = [...this.#workers];
  }

  /**
   * Runs one task when a worker is free.
   *
   * @throws {Error} What the task threw, with its name and message.
   */
  async run(task: Task, onProgress: (done: number) => void = () => {}): Promise<Result> {
    const worker = this.#idle.pop() ??
      await new Promise<Worker>((resolve) => this.#waiting.push(resolve));
    try {
      return await new Promise((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<WorkerReply<Result>>) => {
          if (data.kind === "progress") onProgress(data.done);
          else if (data.kind === "result") resolve(data.result);
          else reject(namedError(data));
        };
        worker.onerror = (event) => {
          event.preventDefault();
          reject(new Error(`A worker of the build stopped: ${event.message}`));
        };
        worker.postMessage(task);
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

function namedError({ name, message }: { name: string; message: string }): Error {
  if (name === "TypeError") return new TypeError(message);
  if (name === "RangeError") return new RangeError(message);
  return Object.assign(new Error(message), { name });
}
