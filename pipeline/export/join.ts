/**
 * Joins the parts of a build into the exported files and writes `datapackage.json`.
 *
 * @module
 */

import { createHash } from "node:crypto";
import type { ChangesSpan, Manifest } from "../snapshot/manifest.ts";
import { EXPORT_PATHS, spanPath } from "../snapshot/paths.ts";
import { writeAllSync } from "../io.ts";
import type { ObjectSum } from "../snapshot/writer.ts";
import { sha256 } from "../sha256.ts";
import { dataPackage } from "./data_package.ts";
import {
  type ExportedPart,
  openParquet,
  PARQUET_HEAD,
  type ParquetLibrary,
  partPath,
} from "./part.ts";

export interface JoinedExport {
  sums: ObjectSum[];
  manifest: NonNullable<Manifest["export"]>;
}

/** Adds the change files that cover several days, which are in the same folder, to the export's totals. */
export function addSpans(to: JoinedExport, spans: readonly ChangesSpan[]): void {
  to.sums.push(
    ...spans.map(({ days, bytes, sha256 }) => ({ path: spanPath(days), bytes, sha256 })),
  );
  to.manifest.changes = [...spans];
  to.manifest.objects = to.sums.length;
  to.manifest.bytes = to.sums.reduce((sum, { bytes }) => sum + bytes, 0);
}

const CHUNK = 4 << 20;

/**
 * Writes the exported files into the snapshot's folder, 4 MiB at a time to bound memory, and removes the parts.
 *
 * @param options.dir The folder of the parts.
 * @param options.to The snapshot's folder.
 */
export function joinParts(
  parts: readonly ExportedPart[],
  { dir, to, library, facts }: {
    dir: string;
    to: string;
    library: ParquetLibrary;
    facts: Pick<Manifest, "data_date" | "notice">;
  },
): JoinedExport {
  const sorted = parts.toSorted((a, b) => a.partition - b.partition);
  Deno.mkdirSync(`${to}/export`, { recursive: true });
  const ndjson = new OutputFile(to, EXPORT_PATHS.ndjson);
  for (const { partition } of sorted) ndjson.append(partPath(dir, partition, "ndjson"));
  const parquet = writeParquet(sorted, { dir, to, library });
  const files = [ndjson.close(), parquet];
  const described = dataPackage(files, facts);
  const text = new TextEncoder().encode(JSON.stringify(described, null, 2) + "\n");
  Deno.writeFileSync(`${to}/${EXPORT_PATHS.description}`, text);
  const sums = [
    ...files,
    { path: EXPORT_PATHS.description, bytes: text.length, sha256: sha256(text) },
  ];
  return {
    sums,
    manifest: {
      rows: sorted.reduce((sum, { rows }) => sum + rows, 0),
      row_groups: sorted.length,
      objects: sums.length,
      bytes: sums.reduce((sum, { bytes }) => sum + bytes, 0),
    },
  };
}

/** Appends each part as a row group, and shifts the offsets in its metadata to its position in the file. */
function writeParquet(
  parts: readonly ExportedPart[],
  { dir, to, library }: {
    dir: string;
    to: string;
    library: ParquetLibrary;
  },
): ObjectSum {
  const { file, writer } = openParquet(library);
  const output = new OutputFile(to, EXPORT_PATHS.parquet);
  output.write(writer.getBytes());
  for (const { partition, rows, row_groups } of parts) {
    const moved = BigInt(output.bytes - PARQUET_HEAD);
    for (const chunk of row_groups.flatMap(({ columns }) => columns)) {
      const { meta_data: meta } = chunk;
      meta.data_page_offset += moved;
      if (meta.dictionary_page_offset !== undefined) meta.dictionary_page_offset += moved;
      chunk.file_offset += moved;
    }
    file.row_groups.push(...row_groups);
    file.num_rows += BigInt(rows);
    output.append(partPath(dir, partition, "parquet"));
  }
  // The library's writer has only the file's magic bytes so far. Move it to the end, so that the footer
  // that it writes next has the right offsets.
  const from = writer.getBytes().length;
  writer.offset = output.bytes;
  file.finish();
  output.write(writer.getBytes().subarray(from));
  return output.close();
}

/** A file that is hashed while it is written. */
class OutputFile {
  readonly #path: string;
  readonly #file: Deno.FsFile;
  readonly #hash = createHash("sha256");
  readonly #chunk = new Uint8Array(CHUNK);
  bytes = 0;

  constructor(dir: string, path: string) {
    this.#path = path;
    this.#file = Deno.openSync(`${dir}/${path}`, { write: true, create: true });
  }

  write(bytes: Uint8Array): void {
    writeAllSync(this.#file, bytes);
    this.#hash.update(bytes);
    this.bytes += bytes.length;
  }

  /** Appends a file's contents and removes that file. */
  append(path: string): void {
    {
      using part = Deno.openSync(path);
      for (let n = part.readSync(this.#chunk); n !== null; n = part.readSync(this.#chunk)) {
        this.write(this.#chunk.subarray(0, n));
      }
    }
    Deno.removeSync(path);
  }

  close(): ObjectSum {
    this.#file.close();
    return { path: this.#path, bytes: this.bytes, sha256: this.#hash.digest("hex") };
  }
}
