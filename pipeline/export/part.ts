/**
 * The part of the exported files that has the rows of one partition: lines of JSON as gzip members, and a row
 * group of the Parquet file, so that parts are made on all cores and joined without being read again.
 *
 * @module
 */

import { writeAllSync } from "../io.ts";
import { gzip } from "../snapshot/writer.ts";
import { formatDate } from "../dates.ts";
import { EXPORT_COLUMNS, type ExportColumn, type ExportType, type ExportValue } from "./columns.ts";

/** The place of a column or page in the file; other members are the library's. */
interface ColumnMeta {
  data_page_offset: bigint;
  dictionary_page_offset?: bigint;
}

/** What is used of `hyparquet-writer`, whose types a service that never exports would have to fetch. */
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

/** A column to write; `data` is read when its turn comes. */
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

/** A Parquet file in memory that is empty as yet, and its bytes. */
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
  return { file: new ParquetWriter({ writer, schema, createdBy: "hyparquet" }), writer };
}

/** The part of one partition. */
export interface ExportedPart extends Pick<ParquetFile, "row_groups" | "pendingIndexes"> {
  partition: number;
  rows: number;
}

/** Bytes in front of the first row group of a Parquet file. */
export const PARQUET_HEAD = 4;

/** Characters of lines that are compressed at a time: a member of the gzip file. */
const MEMBER = 1 << 20;

/** Takes rows in the order of their USDOT numbers. */
export class ExportPart {
  readonly #library: ParquetLibrary;
  readonly #columns = EXPORT_COLUMNS.map((column) => new PartColumn(column));
  readonly #days = new Map<number, string>();
  readonly #members: Uint8Array[] = [];
  #text = "";
  #rows = 0;

  constructor(library: ParquetLibrary) {
    this.#library = library;
  }

  /** @param row As `rowOf()` makes it. */
  add(row: readonly unknown[]): void {
    // Concatenated: as an object it takes half as much again.
    let line = "";
    for (const column of this.#columns) {
      const { value: valueOf, type } = column.column;
      const value = valueOf(row);
      column.push(value);
      if (value === undefined) continue;
      line += column.key;
      if (type === "string") line += JSON.stringify(value);
      else if (type === "date") line += `"${this.#day(value as number)}"`;
      else line += value;
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
    file.write({ columnData: this.#columns, rowGroupSize: rows });
    Deno.writeFileSync(
      partPath(dir, partition, "parquet"),
      writer.getBytes().subarray(PARQUET_HEAD),
    );
    const { row_groups, pendingIndexes } = file;
    return { partition, rows, row_groups, pendingIndexes };
  }

  #day(stored: number): string {
    let day = this.#days.get(stored);
    if (day === undefined) this.#days.set(stored, day = formatDate(stored));
    return day;
  }

  #compress(): void {
    if (this.#text !== "") this.#members.push(gzip(this.#text));
    this.#text = "";
  }
}

/** Texts that are joined to one. */
const JOINED = 1_000;

const SMALL = Array.from({ length: 1_024 }, (_, i) => BigInt(i));

/**
 * The values of a column, small until the writer asks for them: numbers with NaN for an absent one, and texts
 * joined by line feeds, which none contains.
 */
class PartColumn implements ParquetColumn {
  readonly column: ExportColumn;
  readonly name: string;
  /** What stands before the value in a line of JSON. */
  readonly key: string;
  readonly #numbers: number[] = [];
  readonly #joined: string[] = [];
  #texts: string[] = [];

  constructor(column: ExportColumn) {
    this.column = column;
    this.name = column.name;
    this.key = `,"${column.name}":`;
  }

  push(value: ExportValue): void {
    if (this.column.type !== "string") {
      this.#numbers.push(value === undefined ? NaN : Number(value));
      return;
    }
    this.#texts.push(value as string ?? "");
    if (this.#texts.length === JOINED) this.#join();
  }

  get data(): unknown[] {
    const { type, isLong } = this.column;
    if (type === "string") {
      if (this.#texts.length > 0) this.#join();
      return this.#joined.flatMap((text) => text.split("\n")).map((text) =>
        text === "" ? null : text
      );
    }
    const of = type === "boolean"
      ? (n: number) => n === 1
      : isLong
      ? (n: number) => SMALL[n] ?? BigInt(n)
      : (n: number) => n;
    return this.#numbers.map((n) => Number.isNaN(n) ? null : of(n));
  }

  /** Those of texts would say little of 100,000 carriers, and take a tenth of the time. */
  get statistics(): boolean {
    return this.column.type !== "string" || this.column.codes !== undefined ||
      this.name === "state";
  }

  get encoding(): string | undefined {
    return this.name === "dot" ? "DELTA_BINARY_PACKED" : undefined;
  }

  #join(): void {
    this.#joined.push(this.#texts.join("\n"));
    this.#texts = [];
  }
}

export function partPath(dir: string, partition: number, kind: "ndjson" | "parquet"): string {
  return `${dir}/${partition}.${kind}`;
}
