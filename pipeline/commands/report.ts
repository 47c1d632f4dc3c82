/**
 * `snapshot report`.
 *
 * @module
 */

import { dirname, resolve, sep } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { note, print, writeWhole } from "../io.ts";
import { renderPage } from "../report/page.tsx";
import { readReport } from "../compile/report.ts";
import { renderText } from "../report/text.ts";
import { folderSource } from "../snapshot/open_source.ts";
import { messageOf } from "../text.ts";

const HELP = `
Prints the report of the snapshot that is current in DIR: rows read, accepted, skipped and rejected;
each problem with its count and three examples; the gates; how carriers and inspections are distributed;
and, when there was a previous snapshot, what changed, with changes over 5% marked. The same, with
charts, goes to one HTML file that needs no network and can be emailed or printed.

Examples:
  $ deno task snapshot report snapshots
  $ deno task snapshot report snapshots --html report-october.html
  $ deno task snapshot report snapshots | less

Exit codes: 0 done, 1 no snapshot there or a damaged one, 2 wrong arguments.`;

export function registerReport(program: Command): void {
  program.command("report")
    .description("print the build report of a snapshot, and write it as a page with charts")
    .argument("<dir>", "snapshot root, the --out of a build")
    .option("--html <file>", "where to write the page (default: DIR/report.html)", parsePage)
    .addHelpText("after", HELP)
    .action(run);
}

async function run(dir: string, { html }: { html?: string }): Promise<void> {
  const source = folderSource(dir);
  const report = await readReport(source);
  const path = html ?? `${source.name}/report.html`;
  await checkFolder(path, dir);
  try {
    await writeWhole(path, renderPage(report)).catch((error) => {
      throw new Error(`Cannot write ${path}: ${messageOf(error)}`, { cause: error });
    });
  } finally {
    // After the page, so that a reader such as "head" that closes the pipe does not prevent it.
    print(renderText(report).trimEnd());
  }
  note(`Page with charts: ${path}`);
}

/** A page ends in `.html`: a typo must not replace `current.json`. */
function parsePage(path: string): string {
  if (!/\.html?$/i.test(path)) throw new InvalidArgumentError("Give a file that ends in .html.");
  return path;
}

/** Objects below `s/` are published under their hashes and never change. */
async function checkFolder(path: string, root: string): Promise<void> {
  const folder = await Deno.realPath(dirname(resolve(path))).catch((error) => {
    throw new Error(`Cannot write ${path}: its folder cannot be opened`, { cause: error });
  });
  const snapshots = await Deno.realPath(`${root}/s`);
  if (folder === snapshots || folder.startsWith(snapshots + sep)) {
    throw new RangeError(`Cannot write ${path}: snapshots are never changed, name another folder`);
  }
}
