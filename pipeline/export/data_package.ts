/**
 * `datapackage.json`: describes the exported files as a Frictionless Data Package.
 *
 * @module
 */

import type { Manifest } from "../snapshot/manifest.ts";
import { EXPORT_PATHS } from "../snapshot/paths.ts";
import type { ObjectSum } from "../snapshot/writer.ts";
import { EXPORT_COLUMNS } from "./columns.ts";

/** @param files The exported files, with paths relative to the snapshot's folder. */
export function dataPackage(
  files: readonly ObjectSum[],
  { data_date, notice }: Pick<Manifest, "data_date" | "notice">,
): unknown {
  const described: Readonly<Record<string, object>> = {
    [EXPORT_PATHS.ndjson]: {
      format: "ndjson",
      mediatype: "application/x-ndjson",
      compression: "gz",
    },
    [EXPORT_PATHS.parquet]: { format: "parquet", mediatype: "application/vnd.apache.parquet" },
  };
  return {
    $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
    name: "us-motor-carriers",
    title: "US motor carriers of FMCSA's census",
    description: `${notice === undefined ? "" : `${notice}. `}One row per USDOT number: what the ` +
      "carrier filed, and its inspections and out-of-service orders in numbers. An absent value is " +
      "blank or unknown.",
    version: data_date,
    sources: [{ title: "FMCSA, Company Census File and Vehicle Inspection File" }],
    resources: files.map(({ path, bytes, sha256 }) => ({
      name: path.endsWith(".parquet") ? "carriers-parquet" : "carriers-ndjson",
      path: path.slice(path.lastIndexOf("/") + 1),
      ...described[path],
      bytes,
      hash: `sha256:${sha256}`,
      encoding: "utf-8",
      schema: {
        primaryKey: ["dot"],
        fields: EXPORT_COLUMNS.map(({ name, type, what, codes }) => ({
          name,
          type,
          description: what,
          ...(name === "dot" && { constraints: { required: true, unique: true } }),
          ...(codes && { constraints: { enum: codes } }),
        })),
      },
    })),
  };
}
