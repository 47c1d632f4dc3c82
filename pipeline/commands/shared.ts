/**
 * What several commands share: help, argument checks, Ctrl-C.
 *
 * @module
 */

import { InvalidArgumentError } from "commander";
import type { z } from "zod";
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

/** A section of help.txt. `{NAME}` in it includes another section. */
export function helpOf(name: string): string {
  return SECTIONS.get(name)!.replace(/^\{([A-Z]+)\}$/gm, (_, part) => SECTIONS.get(part)!);
}

/** A parser of an argument that fits a schema; otherwise commander shows the hint. */
export function argument<T>(schema: z.ZodType<T>, hint: string): (text: string) => T {
  return (text) => {
    const { success, data } = schema.safeParse(text);
    if (success) return data;
    throw new InvalidArgumentError(hint);
  };
}

/** Parses a USDOT number; otherwise commander shows what is wrong with it. */
export function dotArgument(text: string): number {
  try {
    return parseDot(text);
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error));
  }
}

/** Parses a reason: it must have visible words, and must not be the next option when the reason was left out. */
export function parseReason(text: string): string {
  const reason = text.trim();
  if (inert(reason) !== "" && !reason.startsWith("-") && reason.length <= MAX_NOTE) return reason;
  throw new InvalidArgumentError(
    `Give the reason in words, at most ${MAX_NOTE} characters: readers of the snapshot see it.`,
  );
}

/** Exit code of a program that a signal stopped: 128 + SIGINT. */
const INTERRUPTED = 130;

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * The action of a command that Ctrl-C (or SIGTERM) stops cleanly: the signal aborts, the work throws, the
 * exit code is 130. A second Ctrl-C has its usual meaning.
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
