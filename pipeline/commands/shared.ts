/**
 * Shared by several commands: help text, argument parsers, handling of Ctrl-C.
 *
 * @module
 */

import { InvalidArgumentError } from "commander";
import { z } from "zod";
import HELP from "./help.txt" with { type: "text" };
import { parseDot } from "../fmcsa/number_text.ts";
import { note } from "../io.ts";
import { MAX_NOTE } from "../snapshot/manifest.ts";
import { inert, messageOf } from "../text.ts";

const SECTIONS = new Map(
  HELP.split(/^=== /m).slice(1).map((section): [string, string] => {
    const end = section.indexOf("\n");
    return [section.slice(0, end), section.slice(end).trimEnd()];
  }),
);

/** Returns a section of help.txt. A line `{NAME}` in it includes another section. */
export function helpOf(name: string): string {
  return SECTIONS.get(name)!.replace(/^\{([A-Z]+)\}$/gm, (_, part) => SECTIONS.get(part)!);
}

/** Returns an argument parser. If an argument does not conform to the schema, commander shows the hint. */
export function argument<T>(schema: z.ZodType<T>, hint: string): (text: string) => T {
  return (text) => {
    const { success, data } = schema.safeParse(text);
    if (success) return data;
    throw new InvalidArgumentError(hint);
  };
}

/** Parses a day of an option. */
export const dayArgument = argument(z.iso.date(), "Give a day as YYYY-MM-DD.");

/** Parses a USDOT number. If it is invalid, commander shows why. */
export function dotArgument(text: string): number {
  try {
    return parseDot(text);
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error));
  }
}

/** Parses a reason. Rejects blank text, and text with a leading dash: an option, after a reason that was left out. */
export function parseReason(text: string): string {
  const reason = text.trim();
  if (inert(reason) !== "" && !reason.startsWith("-") && reason.length <= MAX_NOTE) return reason;
  throw new InvalidArgumentError(
    `Give the reason in words, at most ${MAX_NOTE} characters: readers of the snapshot see it.`,
  );
}

/** Exit code after SIGINT, by convention 128 + 2. */
const INTERRUPTED = 130;

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Wraps a command's action so that Ctrl-C (or SIGTERM) aborts its signal and the process exits with code 130. A
 * second Ctrl-C kills the process.
 */
export function interruptible<A extends unknown[]>(
  work: (signal: AbortSignal, ...args: A) => Promise<void>,
): (...args: A) => Promise<void> {
  return async (...args) => {
    const stop = new AbortController();
    const ignore = (): void => SIGNALS.forEach((name) => Deno.removeSignalListener(name, onSignal));
    const onSignal = (): void => {
      ignore();
      stop.abort(new Error("Interrupted"));
    };
    SIGNALS.forEach((name) => Deno.addSignalListener(name, onSignal));
    try {
      await work(stop.signal, ...args);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      note("Stopped: run the same command again to resume");
      Deno.exitCode = INTERRUPTED;
    } finally {
      ignore();
    }
  };
}
