/**
 * The daily run: looks through all subscriptions once a day and snapshot, and decides on the mails.
 *
 * The run is one record in the store with a lease. What is decided for a mailbox is one commit: the
 * mails, what they told, and the run's cursor, checked on the versions of mailbox and run. So a mail is
 * decided on once, whoever else runs or dies, and one who lost the lease can commit nothing. A run
 * that is broken off goes on at its cursor; one that is overtaken by a newer snapshot or another day
 * starts again for that, as what was told is known from the subscriptions.
 *
 * @module
 */

import { messageOf } from "../../pipeline/message_of.ts";
import { type RunParts, RunWorker } from "./run_worker.ts";

/** The daily runs of one process. */
export class DailyRun {
  readonly #parts: RunParts;
  readonly #stop = new AbortController();
  #working: Promise<void> | null = null;

  /** Does nothing until it is told to look. */
  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /** Takes the run up when there is one to do and nobody at it. Never throws: the next look goes on. */
  look(): Promise<void> {
    this.#working ??= this.#look().finally(() => this.#working = null);
    return this.#working;
  }

  /** Breaks off and hands the lease back. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#working;
  }

  async #look(): Promise<void> {
    const { signal } = this.#stop;
    if (signal.aborted) return;
    const worker = new RunWorker(this.#parts, signal);
    try {
      if (!await worker.take()) return;
      try {
        while (await worker.page());
      } catch (error) {
        await worker.handBack();
        throw error;
      }
    } catch (error) {
      if (!signal.aborted) this.#parts.log(`Cannot go on with the alerts: ${messageOf(error)}`);
    }
  }
}
