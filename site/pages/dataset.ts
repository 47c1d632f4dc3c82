/**
 * The files of all carriers as a schema.org `Dataset`, for dataset search engines.
 *
 * @module
 */

import { SERVICE_TITLE } from "../../api/operations/about.ts";
import { EXPORT_COLUMNS } from "../../pipeline/export/columns.ts";
import type { Manifest } from "../../pipeline/snapshot/manifest.ts";

/** Files to download, by their names under `/latest/`. */
export const DOWNLOADS = [
  ["carriers.parquet", "Parquet", "application/vnd.apache.parquet"],
  ["carriers.ndjson.gz", "NDJSON", "application/x-ndjson"],
] as const;

/** Returns the `Dataset` of a snapshot that has the files. */
export function datasetFacts(
  { data_date, counts, window, notice }: Manifest,
  baseUrl: string,
): Record<string, unknown> {
  return {
    "@type": "Dataset",
    name: "US motor carriers of FMCSA's census",
    description: `${notice === undefined ? "" : `${notice}. `}One row for each of ` +
      `${counts.carriers} USDOT numbers: what the carrier filed, and its inspections and ` +
      "out-of-service orders in numbers.",
    url: `${baseUrl}/status`,
    isAccessibleForFree: true,
    creator: { "@type": "Organization", name: SERVICE_TITLE, url: baseUrl },
    dateModified: data_date,
    temporalCoverage: `${window.from}/${data_date}`,
    variableMeasured: EXPORT_COLUMNS.map(({ name }) => name),
    distribution: DOWNLOADS.map(([file, , encodingFormat]) => ({
      "@type": "DataDownload",
      encodingFormat,
      contentUrl: `${baseUrl}/latest/${file}`,
    })),
  };
}
