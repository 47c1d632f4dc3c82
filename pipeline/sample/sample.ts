/**
 * The bundled sample: a handful of the regulator's real rows, a few thousand made-up carriers, and a
 * hand-made one for every case the service has to show.
 *
 * @module
 */

import { type Country, DEFAULT_DATA_DATE, planCountry } from "./country.ts";
import { edgeCarriers } from "./edge_carriers.ts";
import { edgeLines } from "./edge_rows.ts";
import { FILE_NAMES, fileChunks, type FileRole } from "./files.ts";

/** Where the sample was written and what it is. */
export interface Sample {
  /** Path of the census file. */
  census: string;
  /** Path of the inspection file. */
  inspections: string;
  /** `YYYY-MM-DD`. */
  dataDate: string;
  /** What to tell the reader about the data. */
  notice: string;
}

/** The lowest USDOT number of a made-up carrier; the real ones have seven digits. */
export const FIRST_MADE_UP_DOT = 90_000_000;

/** Stands behind every made-up name. */
export const NAME_NOTE = "(MADE-UP SAMPLE)";

const CARRIERS = 4_000;
const FIRST_EDGE_DOT = 90_010_000;

/** Writes the sample's two files into a folder, made if missing; the same bytes every time. */
export async function writeSample(dir: string): Promise<Sample> {
  await Deno.mkdir(dir, { recursive: true });
  const country = planCountry({
    carriers: CARRIERS,
    inspections: 4_500,
    seed: 20_261_003,
    dataDate: DEFAULT_DATA_DATE,
    firstDot: FIRST_MADE_UP_DOT,
    firstDocket: 9_000_001,
    nameNote: NAME_NOTE,
  });
  const edges = edgeLines(edgeCarriers(country.today), {
    today: country.today,
    firstDot: FIRST_EDGE_DOT,
    firstDocket: 9_900_001,
    firstInspection: 70_000_001,
    nameNote: NAME_NOTE,
  });
  return {
    census: await writeFile(dir, "census", { country, edges: edges.census }),
    inspections: await writeFile(dir, "inspections", { country, edges: edges.inspections }),
    dataDate: DEFAULT_DATA_DATE,
    notice: `Sample data: the carriers numbered ${FIRST_MADE_UP_DOT} and up are made up ` +
      `(their names end in "${NAME_NOTE}"), and so are their inspections; the few others are real rows ` +
      "of the regulator's public files, copied in 2026, that may be out of date.",
  };
}

async function writeFile(
  dir: string,
  role: FileRole,
  parts: { country: Country; edges: readonly string[] },
): Promise<string> {
  const real = await Deno.readTextFile(new URL(`./real/${FILE_NAMES[role]}`, import.meta.url));
  let madeUp = "";
  for (const { text } of fileChunks(parts.country, role)) madeUp += text;
  const rows = madeUp.slice(madeUp.indexOf("\n") + 1);
  const path = `${dir}/${FILE_NAMES[role]}`;
  const part = `${path}.part`;
  await Deno.writeTextFile(part, real + parts.edges.join("") + rows);
  await Deno.rename(part, path);
  return path;
}
