/**
 * Writes the part of the exported files that has the rows of one partition: JSON lines as gzip members, and a
 * Parquet row group. So parts can be written on all cores and then joined by concatenation.
 *
 * @module
 */

import { constants, zstdCompressSync } from "node:zlib";
import { writeAllSync } from "../io.ts";
import { gzip } from "../snapshot/writer.ts";
import { ABSENT, RECORD_COLUMNS } from "../snapshot/record/rows.ts";
import { EXPORT_COLUMNS, type ExportColumn, type ExportType } from "./columns.ts";
import { JsonLines } from "./json_lines.ts";
import { DISTINCT, type PartColumn, partColumn } from "./part_columns.ts";

/** Offsets of a column chunk in the file; only the members of the library's object that we use. */
interface ColumnMeta {
  data_page_offset: bigint;
  dictionary_page_offset?: bigint;
}

/** The members of `hyparquet-writer` we use. Importing its types would make every service download the package. */
export interface ParquetFile {
  row_groups: { columns: { file_offset: bigint; meta_data: ColumnMeta }[] }[];
  num_rows: bigint;
  write(options: {
    columnData: readonly ParquetColumn[];
    rowGroupSize: number;
    pageSize: number;
  }): void;
  finish(): void;
}

/** A column to write. The library reads `data` only once it reaches the column. */
interface ParquetColumn {
  name: string;
  data: unknown[];
  statistics: boolean;
  encoding: string | undefined;
}

interface ByteSink {
  offset: number;
  getBytes(): Uint8Array;
}

export interface ParquetLibrary {
  ByteWriter: new () => ByteSink;
  ParquetWriter: new (options: {
    writer: ByteSink;
    schema: unknown[];
    codec: "ZSTD";
    compressors: { ZSTD: (page: Uint8Array) => Uint8Array };
    createdBy: string;
  }) => ParquetFile;
}

/** Loads the library; see parquet_writer.ts. */
export async function loadParquet(): Promise<ParquetLibrary> {
  const module = new URL("./parquet_writer.ts", import.meta.url).href;
  return await import(module);
}

const PARQUET_TYPES: Readonly<Record<ExportType, object>> = {
  string: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  integer: { type: "INT32" },
  number: { type: "DOUBLE" },
  boolean: { type: "BOOLEAN" },
  date: { type: "INT32", converted_type: "DATE" },
};

/** Creates an empty Parquet file in memory. */
export function openParquet(
  { ByteWriter, ParquetWriter }: ParquetLibrary,
): { file: ParquetFile; writer: ByteSink } {
  const writer = new ByteWriter();
  const schema = [
    { name: "root", num_children: EXPORT_COLUMNS.length },
    ...EXPORT_COLUMNS.map(({ name, type, isLong }) => ({
      name,
      ...isLong ? { type: "INT64" } : PARQUET_TYPES[type],
      repetition_type: name === "dot" ? "REQUIRED" : "OPTIONAL",
    })),
  ];
  const file = new ParquetWriter({
    writer,
    schema,
    codec: "ZSTD",
    compressors: { ZSTD: compressPage },
    createdBy: "hyparquet",
  });
  return { file, writer };
}

/** Compresses with zstd: two thirds of the size, in half the time, of the library's Snappy in JavaScript. */
function compressPage(page: Uint8Array): Uint8Array {
  return zstdCompressSync(page, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}

/** A written part. */
export interface ExportedPart extends Pick<ParquetFile, "row_groups"> {
  partition: number;
  rows: number;
}

/** Bytes before the first row group: the magic number `PAR1`. */
export const PARQUET_HEAD = 4;

/** Bytes of JSON lines per gzip member. */
const MEMBER = 1 << 20;

/** Of gzip, for the lines: a fifth faster than that of shards, for a fifth more bytes. */
const LEVEL = 3;

/** Collects the rows of one partition, which must come in the order of their USDOT numbers. */
export class ExportPart {
  readonly #library: ParquetLibrary;
  readonly #columns: readonly [ExportColumn, PartColumn][];
  /** The columns by position in a row. Most of a row is blank, so `add` visits only positions with a value. */
  readonly #byPosition: PartColumn[][] = RECORD_COLUMNS.map(() => []);
  readonly #members: Uint8Array[] = [];
  readonly #lines = new JsonLines();
  #rows = 0;

  /** @param most Maximum number of rows. */
  constructor(library: ParquetLibrary, most: number) {
    this.#library = library;
    const days = new Map<number, string>();
    this.#columns = EXPORT_COLUMNS.map((column) => [column, partColumn(column, { most, days })]);
    for (const [{ at }, column] of this.#columns) this.#byPosition[at]!.push(column);
  }

  /** @param row A row as `rowOf()` returns it. */
  add(row: readonly unknown[]): void {
    for (let at = 0; at < row.length; at++) {
      const stored = row[at];
      if (stored === ABSENT) continue;
      for (const column of this.#byPosition[at]!) column.add(stored, this.#rows, this.#lines);
    }
    this.#lines.ascii("}\n");
    this.#rows++;
    if (this.#lines.length >= MEMBER) this.#compress();
  }

  /** Writes the files of the part; returns null when it has no rows. */
  finish(dir: string, partition: number): ExportedPart | null {
    const rows = this.#rows;
    if (rows === 0) return null;
    this.#compress();
    using ndjson = Deno.openSync(partPath(dir, partition, "ndjson"), { write: true, create: true });
    for (const member of this.#members) writeAllSync(ndjson, member);
    const { file, writer } = openParquet(this.#library);
    const columnData = this.#columns.map(([column, values]) => sourceOf(column, values, rows));
    // One page a column chunk: no chunk is larger than 3 MB.
    file.write({ columnData, rowGroupSize: rows, pageSize: 0 });
    Deno.writeFileSync(
      partPath(dir, partition, "parquet"),
      writer.getBytes().subarray(PARQUET_HEAD),
    );
    return { partition, rows, row_groups: file.row_groups };
  }

  #compress(): void {
    if (this.#lines.length > 0) this.#members.push(gzip(this.#lines.take(), LEVEL));
  }
}

/** A column whose values are created when the library reads them, so that only one column is in memory at a time. */
function sourceOf(
  { name, type }: ExportColumn,
  column: PartColumn,
  rows: number,
): ParquetColumn {
  return {
    name,
    get data() {
      return column.values(rows);
    },
    // Other values don't follow the USDOT number: their range is that of all carriers in every row group, so a
    // reader can skip none by it.
    statistics: name === "dot" || name === "added",
    encoding: name === "dot" || type === "date"
      ? "DELTA_BINARY_PACKED"
      : DISTINCT.has(name)
      ? "PLAIN"
      : undefined,
  };
}

export function partPath(dir: string, partition: number, kind: "ndjson" | "parquet"): string {
  return `${dir}/${partition}.${kind}`;
}
