/**
 * The workers of one process: who works on what, who waits in line, and how all of it ends.
 *
 * @module
 */

import { dropDone, freeJobs } from "./jobs_sweep.ts";
import { type WorkerParts, workOn } from "./jobs_worker.ts";

/** Workers of a process at a time. */
const WORKERS = 2;

/** Drives jobs. There is no queue: kicks by requests and the sweep find what there is to do. */
export class JobRunner {
  readonly #parts: WorkerParts;
  readonly #line = new Set<string>();
  readonly #working = new Map<string, { control: AbortController; end: Promise<void> }>();
  #stopped = false;

  /** Does nothing until it is kicked or swept. */
  constructor(parts: WorkerParts) {
    this.#parts = parts;
  }

  /** Takes a job up, now or when a worker is free. Never throws; safe for any id and at any time. */
  kick(id: string): void {
    if (this.#stopped || this.#working.has(id)) return;
    this.#line.add(id);
    this.#next();
  }

  /**
   * Takes up open jobs that nobody works on, oldest first, and clears away what is over. Never throws:
   * when the store fails the next sweep does it.
   */
  async sweep(): Promise<void> {
    const { kv, clock, log } = this.#parts;
    try {
      for (const id of await freeJobs({ kv, clock })) this.kick(id);
      await dropDone({ kv, clock });
    } catch (error) {
      log(`Cannot sweep the jobs: ${error}`);
    }
  }

  /** Ends all work and hands the leases back. Nothing is taken up any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#line.clear();
    for (const { control } of this.#working.values()) control.abort();
    await this.idle();
  }

  /** Until there is neither work nor line. */
  async idle(): Promise<void> {
    while (this.#working.size > 0) {
      await Promise.all(Array.from(this.#working.values(), ({ end }) => end));
    }
  }

  #next(): void {
    for (const id of this.#line) {
      if (this.#working.size >= WORKERS) return;
      this.#line.delete(id);
      const control = new AbortController();
      this.#working.set(id, { control, end: this.#run(id, control) });
    }
  }

  async #run(id: string, control: AbortController): Promise<void> {
    try {
      await workOn(id, { parts: this.#parts, signal: control.signal });
    } catch (error) {
      this.#parts.log(`Cannot go on with job ${id} for now: ${error}`);
    } finally {
      this.#working.delete(id);
      this.#next();
    }
  }
}
