/**
 * The worker of a build: runs the tasks that a pool posts.
 *
 * @module
 */

import { type BuildTask, runTask, type WorkerReply } from "./tasks.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<BuildTask>) => void;
  postMessage(reply: WorkerReply): void;
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
