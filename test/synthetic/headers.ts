/**
 * The header lines of the regulator's two files, as the synthetic files carry them.
 *
 * @module
 */

export {
  CENSUS_COLUMNS as CENSUS_HEADER,
  INSPECTION_COLUMNS as INSPECTION_HEADER,
} from "../../pipeline/fmcsa/columns.ts";

/** Position of each column by name, e.g. `{ MCS150_DATE: 0, ... }`. */
export function columnPositions(header: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(header.map((name, position) => [name, position]));
}
