/**
 * A source whose every request is told how long it takes and how it ends.
 *
 * @module
 */

import { type Source, SourceFailure } from "../../../pipeline/snapshot/source.ts";
import type { VirtualTime } from "../virtual_time.ts";

/** How one request goes. */
export interface Attempt {
  ms: number;
  outcome: "bytes" | "missing" | "passing" | "refused";
}

/** A request that was made. */
export interface Made extends Attempt {
  path: string;
  /** Milliseconds since the epoch. */
  begun: number;
  /** `ended` by the one who asked. */
  state: "open" | "done" | "ended";
}

/** The bytes of a path. */
export function bytesOf(path: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`bytes of ${path}`);
}

/** Answers as the script says, told the path and which request for it this is, from 1. */
export class ScriptedSource implements Source {
  readonly name = "scripted";
  readonly attempts: Made[] = [];

  constructor(
    readonly time: VirtualTime,
    readonly script: (path: string, attempt: number) => Attempt,
  ) {}

  get(path: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null> {
    const number = this.attempts.filter((made) => made.path === path).length + 1;
    const made: Made = {
      ...this.script(path, number),
      path,
      begun: this.time.now(),
      state: "open",
    };
    this.attempts.push(made);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        made.state = "ended";
        cancel();
        reject(signal!.reason);
      };
      const cancel = this.time.after(made.ms, () => {
        made.state = "done";
        signal?.removeEventListener("abort", end);
        if (made.outcome === "bytes") resolve(bytesOf(path));
        else if (made.outcome === "missing") resolve(null);
        else {
          const passing = made.outcome === "passing";
          reject(new SourceFailure(`${made.outcome} ${number}`, { passing }));
        }
      });
      if (signal?.aborted) end();
      else signal?.addEventListener("abort", end, { once: true });
    });
  }
}
