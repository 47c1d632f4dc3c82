/**
 * Writes one of the two synthetic files on a thread of its own. Answers {@link WorkerMessage}.
 *
 * @module
 */

import { messageOf } from "../../pipeline/text.ts";
import { fileChunks, type FileRole } from "./files.ts";
import type { DatasetPlan } from "./plan.ts";

/** What the worker is asked for. */
export interface WorkerTask {
  plan: DatasetPlan;
  role: FileRole;
  /** Where to write; the file is made or emptied. */
  path: string;
}

/** What the worker says: rows and bytes so far, then once `done`, or once `failed`. */
export type WorkerMessage =
  | { kind: "progress" | "done"; rows: number; bytes: number }
  | { kind: "failed"; message: string };

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<WorkerTask>) => void) | null;
  postMessage(message: WorkerMessage): void;
};

scope.onmessage = (event) => {
  try {
    scope.postMessage({ kind: "done", ...write(event.data) });
  } catch (error) {
    scope.postMessage({ kind: "failed", message: messageOf(error) });
  }
};

function write(task: WorkerTask): { rows: number; bytes: number } {
  const encoder = new TextEncoder();
  using file = Deno.openSync(task.path, { write: true, create: true, truncate: true });
  let rows = 0;
  let bytes = 0;
  for (const chunk of fileChunks(task.plan, task.role)) {
    let rest = encoder.encode(chunk.text);
    bytes += rest.length;
    while (rest.length > 0) rest = rest.subarray(file.writeSync(rest));
    rows = chunk.rows;
    scope.postMessage({ kind: "progress", rows, bytes });
  }
  file.syncSync();
  return { rows, bytes };
}
