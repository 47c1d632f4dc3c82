/** Writes one of the synthetic files on its own thread. */

import { note } from "../../pipeline/io.ts";
import { fileChunks, type FileRole } from "./files.ts";
import type { DatasetPlan } from "./plan.ts";

/** What to write, and where. The file is created or truncated. */
export interface GenTask {
  plan: DatasetPlan;
  role: FileRole;
  path: string;
}

const NOTE_EVERY_BYTES = 250_000_000;

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<GenTask>) => void) | null;
  postMessage(bytes: number): void;
};

scope.onmessage = ({ data: { plan, role, path } }) => {
  const encoder = new TextEncoder();
  using file = Deno.openSync(path, { write: true, create: true, truncate: true });
  let bytes = 0;
  for (const text of fileChunks(plan, role)) {
    const before = bytes;
    for (let rest = encoder.encode(text); rest.length > 0;) {
      const written = file.writeSync(rest);
      rest = rest.subarray(written);
      bytes += written;
    }
    if (Math.floor(bytes / NOTE_EVERY_BYTES) > Math.floor(before / NOTE_EVERY_BYTES)) {
      note(`gen: ${role}, ${Math.round(bytes / 1e6)} MB`);
    }
  }
  scope.postMessage(bytes);
};
