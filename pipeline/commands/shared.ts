/**
 * What several commands share: help, argument checks, Ctrl-C, the previous snapshot, reports.
 *
 * @module
 */

import { type Command, InvalidArgumentError } from "commander";
import { z } from "zod";
import HELP from "./help.txt" with { type: "text" };
import type { InputRole, SnapshotReport } from "../compile/report.ts";
import { note } from "../io.ts";
import { renderMarkdown } from "../report/markdown.ts";
import { renderPage } from "../report/page.tsx";
import { parsePointer, POINTER_PATH } from "../snapshot/manifest.ts";
import { openSource } from "../snapshot/open_source.ts";
import { retryingSource } from "../snapshot/resilient_source.ts";
import type { Source } from "../snapshot/source.ts";
import { messageOf } from "../text.ts";

const SECTIONS = new Map(
  HELP.split(/^=== /m).slice(1).map((section): [string, string] => {
    const end = section.indexOf("\n");
    return [section.slice(0, end), section.slice(end).trimEnd()];
  }),
);

/** A section of help.txt; `{NAME}` in it stands for another one. */
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

export const parsePositive = argument(
  z.string().regex(/^[1-9]\d{0,3}$/).transform(Number),
  "Give a number from 1 to 9999.",
);

/** Exit code of a program that a signal stopped: 128 + SIGINT. */
const INTERRUPTED = 130;

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * The action of a command that Ctrl-C (or SIGTERM) stops cleanly: the signal aborts, the work throws, the
 * exit code is 130. A second Ctrl-C has its usual meaning.
 *
 * @param hint What a person may do then.
 */
export function interruptible<A extends unknown[]>(
  work: (signal: AbortSignal, ...args: A) => Promise<void>,
  hint = "nothing was changed, run it again",
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
      note(`Stopped: ${hint}`);
      Deno.exitCode = INTERRUPTED;
    } finally {
      ignore();
    }
  };
}

/** Opens the root of the previous snapshot; an http request that fails is retried a few times. */
export function openPrevious(location: string): Source {
  const source = openSource(location);
  if (!/^https?:/i.test(location)) return source;
  return retryingSource(source, { onFailure: (error) => note(`${messageOf(error)}; retrying`) });
}

/**
 * The id of the snapshot that is current at a root, if it was made from files of these hashes.
 *
 * @param hashes SHA-256 of each file, hex.
 */
export async function madeFrom(
  root: Source,
  hashes: Record<InputRole, string>,
): Promise<string | undefined> {
  const bytes = await root.get(POINTER_PATH);
  if (bytes === null) return undefined;
  const { snapshot, sources } = parsePointer(bytes);
  const isSame = (["census", "inspections"] as const).every((role) =>
    sources.some((file) => file.role === role && file.sha256 === hashes[role])
  );
  return isSame ? snapshot : undefined;
}

/** Where to write what people read after a run. */
export interface ReportArguments {
  /** A file that receives a summary in Markdown, at its end. */
  summary?: string;
  /** A folder for `report.json` and `report.html`. */
  report?: string;
}

export function addReportOptions(command: Command): Command {
  return command
    .option("--summary <file>", "append a summary in Markdown, even if a gate fails")
    .option(
      "--report <dir>",
      "write report.json and report.html there, even if a gate fails",
    );
}

/** Writes the verdict, a sentence, and the report if there is one. */
export async function writeReports(
  { summary, report: dir }: ReportArguments,
  verdict: string,
  found?: SnapshotReport,
): Promise<void> {
  if (summary !== undefined) {
    await Deno.writeTextFile(summary, renderMarkdown(verdict, found), { append: true });
  }
  if (dir !== undefined && found !== undefined) {
    await Deno.mkdir(dir, { recursive: true });
    await Deno.writeTextFile(`${dir}/report.json`, JSON.stringify(found.report, null, 2) + "\n");
    await Deno.writeTextFile(`${dir}/report.html`, renderPage(found));
  }
}
