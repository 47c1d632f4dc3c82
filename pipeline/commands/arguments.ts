/**
 * What the commands share: argument checks and Ctrl-C.
 *
 * @module
 */

import { InvalidArgumentError } from "commander";
import { note } from "../io.ts";
import { dayNumber, isDay } from "../fmcsa/fields.ts";

/** Exit code of a program that a signal stopped: 128 + SIGINT. */
const INTERRUPTED = 130;

/** A day `YYYY-MM-DD` that exists. */
export function parseIsoDay(text: string): string {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? dayNumber(text) : 0;
  if (!isDay(Math.floor(day / 10_000), Math.floor(day / 100) % 100, day % 100)) {
    throw new InvalidArgumentError(`Give a day as YYYY-MM-DD.`);
  }
  return text;
}

/** A whole number of at least 1. */
export function parsePositive(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("Give a number from 1 to 9999.");
  return Number(text);
}

/**
 * Runs work that Ctrl-C (or SIGTERM) ends in good order: the signal aborts, the work throws, the
 * exit code says so. A second Ctrl-C has its usual meaning.
 */
export async function withInterrupt(
  work: (signal: AbortSignal) => Promise<void>,
  { hint = "nothing was changed, run it again" }: { hint?: string } = {},
): Promise<void> {
  const stop = new AbortController();
  const signals = ["SIGINT", "SIGTERM"] as const;
  const onSignal = (): void => {
    for (const name of signals) Deno.removeSignalListener(name, onSignal);
    stop.abort(new Error("Interrupted"));
  };
  for (const name of signals) Deno.addSignalListener(name, onSignal);
  try {
    await work(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    note(`Stopped: ${hint}`);
    Deno.exitCode = INTERRUPTED;
  } finally {
    if (!stop.signal.aborted) {
      for (const name of signals) Deno.removeSignalListener(name, onSignal);
    }
  }
}
