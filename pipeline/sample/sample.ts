/**
 * The bundled sample: a few real census rows, a few thousand synthetic carriers, and a hand-made one
 * for every case the service has to show.
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

/** The lowest USDOT number of a synthetic carrier; every real one is lower. */
export const FIRST_SYNTHETIC_DOT = 90_000_000;

/** Ends every synthetic name. */
export const NAME_NOTE = "(SYNTHETIC SAMPLE)";

const CARRIERS = 4_000;
const FIRST_EDGE_DOT = 90_010_000;

// FMCSA's rows, copied between January and August 2026, contact data blanked. Only rows of which the
// service claims nothing that a later filing would disprove; no inspections, as none are complete.
const REAL_CENSUS = new URL("./real_census.csv", import.meta.url);

/** Writes the sample's two files into a folder, made if missing; the same bytes every time. */
export async function writeSample(dir: string): Promise<Sample> {
  await Deno.mkdir(dir, { recursive: true });
  const country = planCountry({
    carriers: CARRIERS,
    inspections: 4_500,
    seed: 20_261_003,
    dataDate: DEFAULT_DATA_DATE,
    firstDot: FIRST_SYNTHETIC_DOT,
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
  const real = (await Deno.readTextFile(REAL_CENSUS)).replace(/^.*\n/, "");
  const census = real + edges.census.join("");
  const inspections = edges.inspections.join("");
  return {
    census: await writeFile(dir, "census", { country, first: census }),
    inspections: await writeFile(dir, "inspections", { country, first: inspections }),
    dataDate: DEFAULT_DATA_DATE,
    notice: `Sample data: carriers numbered ${FIRST_SYNTHETIC_DOT} and up are synthetic (their ` +
      `names end in "${NAME_NOTE}"), and so are their inspections. The others are real rows of ` +
      "FMCSA's census file, copied in 2026: they may be out of date, and the sample has no " +
      "inspections for them.",
  };
}

/** Writes the header, the rows given, then the generated ones. */
async function writeFile(
  dir: string,
  role: FileRole,
  { country, first }: { country: Country; first: string },
): Promise<string> {
  let generated = "";
  for (const { text } of fileChunks(country, role)) generated += text;
  const body = generated.indexOf("\n") + 1;
  const path = `${dir}/${FILE_NAMES[role]}`;
  const part = `${path}.part`;
  await Deno.writeTextFile(part, generated.slice(0, body) + first + generated.slice(body));
  await Deno.rename(part, path);
  return path;
}
