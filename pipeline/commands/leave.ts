/**
 * What a run leaves for people to read, however it ended.
 *
 * @module
 */

import type { Command } from "commander";
import type { SnapshotReport } from "../compile/report.ts";
import { renderMarkdown } from "../report/markdown.ts";
import { renderPage } from "../report/page.ts";

/** Where to leave it. */
export interface Leaving {
  /** Receives a summary in Markdown, at its end. */
  summary?: string;
  /** A folder for `report.json` and `report.html`. */
  report?: string;
}

/** Adds the options of {@link Leaving}. */
export function addLeaving(command: Command): Command {
  return command
    .option("--summary <file>", "append a summary in Markdown, also when a bound is broken")
    .option(
      "--report <dir>",
      "write report.json and report.html there, also when a bound is broken",
    );
}

/** Leaves the verdict, a sentence, and the report if there is one. */
export async function leave(
  verdict: string,
  { summary, report: dir, found }: Leaving & { found: SnapshotReport | undefined },
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
