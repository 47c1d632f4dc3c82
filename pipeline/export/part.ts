/**
 * The part of the exported files that has the rows of one partition: lines of JSON as gzip members, and a row
 * group of the Parquet file, so that parts are made on all cores and joined without being read again.
 *
 * @module
 */

import { constants, zstdCompressSync } from "node:zlib";
import { writeAllSync } from "../io.ts";
import { gzip } from "../snapshot/writer.ts";
import { ABSENT, RECORD_COLUMNS } from "../snapshot/record/rows.ts";
import { EXPORT_COLUMNS, type ExportColumn, type ExportType } from "./columns.ts";
import { type PartColumn, partColumn } from "./part_columns.ts";

/** The offsets of a column in the file. Other members are private to the library. */
interface ColumnMeta {
  data_page_offset: bigint;
  dictionary_page_offset?: bigint;
}

/** The part of `hyparquet-writer` we use. Importing its types would make every service download the package. */
export interface ParquetFile {
  row_groups: { columns: { file_offset: bigint; meta_data: ColumnMeta }[] }[];
  num_rows: bigint;
  pendingIndexes: {
    chunk: ParquetFile["row_groups"][number]["columns"][number];
    offsetIndex?: { page_locations: { offset: bigint }[] };
  }[];
  write(options: { columnData: readonly ParquetColumn[]; rowGroupSize: number }): void;
  finish(): void;
}

/** A column to write. The writer reads `data` when it comes to the column. */
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

/** Loads the library when a build exports; see the module. */
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

/** Two thirds of the bytes of the library's Snappy, which is JavaScript, in half the time. */
function compressPage(page: Uint8Array): Uint8Array {
  return zstdCompressSync(page, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}

/** The part of one partition. */
export interface ExportedPart extends Pick<ParquetFile, "row_groups" | "pendingIndexes"> {
  partition: number;
  rows: number;
}

/** Bytes before the first row group of a Parquet file. */
export const PARQUET_HEAD = 4;

/** Characters that are compressed at a time, as one member of the gzip file. */
const MEMBER = 1 << 20;

/** Takes rows in the order of their USDOT numbers. */
export class ExportPart {
  readonly #library: ParquetLibrary;
  readonly #columns: readonly [ExportColumn, PartColumn][];
  /** The columns by position in a row. Most of a row is blank, so only positions with a value are visited. */
  readonly #byPosition: PartColumn[][] = RECORD_COLUMNS.map(() => []);
  readonly #members: Uint8Array[] = [];
  #text = "";
  #rows = 0;

  /** @param most Rows that it can take. */
  constructor(library: ParquetLibrary, most: number) {
    this.#library = library;
    const days = new Map<number, string>();
    this.#columns = EXPORT_COLUMNS.map((column) => [column, partColumn(column, { most, days })]);
    for (const [{ at }, column] of this.#columns) this.#byPosition[at]!.push(column);
  }

  /** @param row As `rowOf()` makes it. */
  add(row: readonly unknown[]): void {
    // Concatenated, because building an object takes 1.5 times as long.
    let line = "";
    for (let at = 0; at < row.length; at++) {
      const stored = row[at];
      if (stored === ABSENT) continue;
      for (const column of this.#byPosition[at]!) line += column.add(stored, this.#rows);
    }
    this.#text += `{${line.slice(1)}}\n`;
    this.#rows++;
    if (this.#text.length >= MEMBER) this.#compress();
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
    file.write({ columnData, rowGroupSize: rows });
    Deno.writeFileSync(
      partPath(dir, partition, "parquet"),
      writer.getBytes().subarray(PARQUET_HEAD),
    );
    const { row_groups, pendingIndexes } = file;
    return { partition, rows, row_groups, pendingIndexes };
  }

  #compress(): void {
    if (this.#text !== "") this.#members.push(gzip(this.#text));
    this.#text = "";
  }
}

/** Columns with so many distinct values that the writer would build a dictionary and drop it. */
const DISTINCT: ReadonlySet<string> = new Set([
  "legal_name",
  "dba_name",
  "zip",
  "mileage",
  "dockets",
]);

/** A column whose values are created when the writer comes to it, so that only one exists at a time. */
function sourceOf(
  { name, type, codes }: ExportColumn,
  column: PartColumn,
  rows: number,
): ParquetColumn {
  return {
    name,
    get data() {
      return column.values(rows);
    },
    // Statistics of text say little about 100,000 carriers, and take a tenth of the time.
    statistics: type !== "string" || codes !== undefined || name === "state",
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
