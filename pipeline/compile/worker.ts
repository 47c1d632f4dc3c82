/**
 * The worker of a build: runs the tasks that a {@link WorkerPool} posts.
 *
 * @module
 */

import type { WorkerReply } from "./pool.ts";
import { type BuildResult, type BuildTask, runTask } from "./tasks.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<BuildTask>) => void;
  postMessage(reply: WorkerReply<BuildResult>): void;
};

scope.onmessage = async ({ data }): Promise<void> => {
  try {
    const result = await runTask(data, (done) => scope.postMessage({ kind: "progress", done }));
    scope.postMessage({ kind: "result", result });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    scope.postMessage({ kind: "error", name, message });
  }
};
