/**
 * `snapshot report`.
 *
 * @module
 */

import { basename, dirname, resolve, sep } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { note, print } from "../io.ts";
import { renderPage } from "../report/page.ts";
import { readReport } from "../compile/report.ts";
import { renderTable } from "../report/table.ts";
import { folderSource } from "../snapshot/open_source.ts";

const HELP = `
Prints the report of the snapshot that is current in DIR: rows in, accepted, skipped and rejected;
each problem with its count and three examples; what the records hold and lack; and, when the build
had --previous, what changed, with a mark on changes over 5 %. The same, with plots, goes to one HTML
file that needs no network and can be mailed or printed. Text goes to standard output.

Examples:
  $ deno task snapshot report snapshots
  $ deno task snapshot report snapshots --html report-april.html
  $ deno task snapshot report snapshots | less

Exit codes: 0 done, 1 no snapshot there or a damaged one, 2 wrong arguments.`;

/** Adds `report` to the program. */
export function registerReport(program: Command): void {
  program.command("report")
    .description("show the build report of a snapshot, and write it as a page with plots")
    .argument("<dir>", "snapshot root, the --out of a build")
    .option("--html <file>", "where to write the page (default: DIR/report.html)", parsePage)
    .addHelpText("after", HELP)
    .action(run);
}

async function run(dir: string, { html }: { html?: string }): Promise<void> {
  const source = folderSource(dir);
  const report = await readReport(source);
  const path = html ?? `${source.name}/report.html`;
  await checkPlace(path, dir);
  try {
    await writeWhole(path, renderPage(report));
  } finally {
    // Last, so that a reader such as "head" that leaves early does not cost the page.
    print(renderTable(report).trimEnd());
  }
  note(`Page with plots: ${path}`);
}

/** A page's name says so: a slip must not replace `current.json`. */
function parsePage(path: string): string {
  if (!/\.html?$/i.test(path)) throw new InvalidArgumentError("Give a file that ends in .html.");
  return path;
}

/** What lies below `s/` is published under its hash and never changes. */
async function checkPlace(path: string, root: string): Promise<void> {
  const folder = await Deno.realPath(dirname(resolve(path))).catch((error) => {
    throw new Error(`Cannot write ${path}: its folder cannot be opened`, { cause: error });
  });
  const snapshots = await Deno.realPath(`${root}/s`);
  if (folder === snapshots || folder.startsWith(snapshots + sep)) {
    throw new RangeError(`Cannot write ${path}: snapshots are never changed, name another folder`);
  }
}

/** Writes beside the place and renames, so that nobody opens half a page. */
async function writeWhole(path: string, text: string): Promise<void> {
  const place = resolve(path);
  let draft: string | undefined;
  try {
    draft = await Deno.makeTempFile({ dir: dirname(place), prefix: `.${basename(place)}.` });
    await Deno.writeTextFile(draft, text);
    // A temporary file is its owner's alone; a page is for whoever may read the folder.
    if (Deno.build.os !== "windows") await Deno.chmod(draft, 0o644);
    await Deno.rename(draft, place);
  } catch (error) {
    if (draft !== undefined) await Deno.remove(draft).catch(() => {});
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot write ${path}: ${reason}`, { cause: error });
  }
}
