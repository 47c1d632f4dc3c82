/**
 * Second pass: one partition of spilled rows becomes shards of records.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { messageOf } from "../text.ts";
import type { CarrierRecord } from "../snapshot/record.ts";
import { type ShardSum, writeShard } from "../snapshot/writer.ts";
import { type CensusFields, statusRank, toRecord } from "../fmcsa/census.ts";
import { CENSUS_WANTED } from "../fmcsa/columns.ts";
import { decodeText } from "../fmcsa/fields.ts";
import { addProblem, type ProblemTallies } from "../fmcsa/problems.ts";
import { SearchSpill } from "../search/index/spill.ts";
import { type FoundLandmarks, noLandmarks, noteLandmark } from "./landmarks.ts";
import { rollUpInspections, type Window } from "./roll_up.ts";
import { readSpill, removeSpill } from "./spill.ts";
import { CENSUS_HEAD_BYTES, NOT_ASCII } from "./spill_census.ts";
import { countRecord, type Counts, noStatistics, type Statistics } from "./statistics.ts";

/** Words of a docket entry: prefix, number, USDOT number, rank. */
export const DOCKET_WORDS = 4;

/** What one partition gave. Plain data: a worker posts it. */
export interface Assembled {
  shards: ShardSum[];
  census: {
    problems: ProblemTallies;
    /** The newest filing up to the data date, `YYYY-MM-DD`, empty without one. */
    newest: string;
  };
  inspections: {
    problems: ProblemTallies;
    inWindow: number;
    /** The newest inspection in the window, `YYYYMMDD` as a number, 0 without one. */
    newest: number;
    unknownCarrier: number;
    months: Counts;
    levels: Counts;
  };
  statistics: Statistics;
  landmarks: FoundLandmarks;
  /** {@link DOCKET_WORDS} an entry. */
  dockets: Uint32Array;
}

/** What to assemble. */
export interface AssembleTask {
  partition: number;
  censusDir: string;
  inspectionDir: string;
  /** Receives what the search index is made of, if one is to be made. */
  searchDir?: string;
  /** The snapshot's folder. */
  to: string;
  width: number;
  window: Window;
  latest: number;
  dataDate: string;
}

/** Reads a partition's spilled rows, joins them, writes its shards. */
export function assemble(task: AssembleTask): Assembled {
  const spilled = readSpill(task.inspectionDir, task.partition);
  const rollUp = rollUpInspections(new Uint32Array(spilled.buffer), task.window);
  const inspectionProblems: ProblemTallies = {};
  for (const id of rollUp.duplicates) {
    const detail = `INSPECTION_ID ${id}`;
    addProblem(inspectionProblems, "duplicate_inspection", { line: 0, detail });
  }
  const censusProblems: ProblemTallies = {};
  const statistics = noStatistics();
  const landmarks = noLandmarks();
  let newest = "";
  const dockets: number[] = [];
  const shards: ShardSum[] = [];
  const search = task.searchDir === undefined ? undefined : new SearchSpill();
  let items: CarrierRecord[] = [];
  let shard = -1;
  const write = (): void => {
    if (items.length > 0) shards.push(writeShard(task.to, { family: "carriers", shard, items }));
    items = [];
  };
  // One shard's records at a time: a partition's worth of them would outlive every young collection.
  for (const record of records(task, censusProblems)) {
    try {
      const inspections = rollUp.byDot.get(record.dot);
      if (inspections) record.inspections = inspections;
      countRecord(statistics, record, task);
      noteLandmark(landmarks, record, task);
      const { mcs150_date: filed = "" } = record;
      if (filed > newest && filed <= task.dataDate) newest = filed;
      pushDockets(dockets, record);
      if (search?.add(record)) {
        const detail = `USDOT ${record.dot}: a word of a name or place`;
        addProblem(censusProblems, "long_word", { line: 0, detail });
      }
    } catch (error) {
      throw new Error(`Cannot use the record of USDOT ${record.dot}: ${messageOf(error)}`);
    }
    if (Math.floor(record.dot / task.width) !== shard) {
      write();
      shard = Math.floor(record.dot / task.width);
    }
    items.push(record);
  }
  write();
  search?.finish(task.searchDir!, task.partition);
  removeSpill(task.censusDir, task.partition);
  removeSpill(task.inspectionDir, task.partition);
  return {
    shards,
    census: { problems: censusProblems, newest },
    inspections: {
      problems: inspectionProblems,
      inWindow: rollUp.inWindow,
      newest: rollUp.newest,
      unknownCarrier: rollUp.inWindow - statistics.inspections,
      months: rollUp.months,
      levels: rollUp.levels,
    },
    statistics,
    landmarks,
    dockets: Uint32Array.from(dockets),
  };
}

/** The partition's records by USDOT number, each number once. */
function* records(task: AssembleTask, problems: ProblemTallies): Generator<CarrierRecord> {
  const rows = new SpilledRows(readSpill(task.censusDir, task.partition), problems);
  let held: CarrierRecord | undefined;
  for (const offset of rows.inDotOrder()) {
    rows.seek(offset);
    const record = recordAt(rows, task);
    if (record === undefined) continue;
    if (held?.dot === record.dot) {
      rows.problem("duplicate_usdot_number", "DOT_NUMBER", String(record.dot));
      if (preference(record) > preference(held)) held = record;
      continue;
    }
    if (held) yield held;
    held = record;
  }
  if (held) yield held;
}

function recordAt(rows: SpilledRows, task: AssembleTask): CarrierRecord | undefined {
  try {
    return toRecord(rows, task);
  } catch (error) {
    const { dot, line } = rows;
    throw new Error(`Cannot use line ${line} of the census, USDOT ${dot}: ${messageOf(error)}`);
  }
}

/** Orders rows of one USDOT number by what they say: newest MCS-150, then status, then all of it. */
function preference(record: CarrierRecord): string {
  const { mcs150_date = "", status } = record;
  return `${mcs150_date.padEnd(10)}${statusRank(status)}${JSON.stringify(record)}`;
}

/** The fields of spilled census rows, one row at a time. */
class SpilledRows implements CensusFields {
  dot = 0;
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  /** All bytes as Latin-1: offsets in it are offsets in the bytes, and most fields are ASCII. */
  #latin1: string;
  #problems: ProblemTallies;
  #offset = 0;
  #ascii = true;
  #ends = new Uint32Array(CENSUS_WANTED.length);

  constructor(bytes: Uint8Array<ArrayBuffer>, problems: ProblemTallies) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
    this.#latin1 = Buffer.from(bytes.buffer).toString("latin1");
    this.#problems = problems;
  }

  /** Offsets of the rows, by USDOT number. */
  inDotOrder(): Float64Array {
    const keys: number[] = [];
    for (let at = 0; at < this.#bytes.length; at += this.#view.getUint32(at, true) % NOT_ASCII) {
      // 17 bits of number and 36 of offset: exact in a double, and sorted without a comparator.
      keys.push(this.#view.getUint32(at + 4, true) % 100_000 * 2 ** 36 + at);
    }
    const sorted = Float64Array.from(keys).sort();
    for (let i = 0; i < sorted.length; i++) sorted[i] = sorted[i]! % 2 ** 36;
    return sorted;
  }

  get line(): number {
    return this.#view.getUint32(this.#offset + 8, true);
  }

  seek(offset: number): void {
    this.#offset = offset;
    this.#ascii = this.#view.getUint32(offset, true) < NOT_ASCII;
    this.dot = this.#view.getUint32(offset + 4, true);
    let end = offset + CENSUS_HEAD_BYTES;
    for (let i = 0; i < this.#ends.length; i++) {
      end += this.#view.getUint16(offset + 12 + 2 * i, true);
      this.#ends[i] = end;
    }
  }

  text(field: number): string {
    const start = field === 0 ? this.#offset + CENSUS_HEAD_BYTES : this.#ends[field - 1]!;
    const end = this.#ends[field]!;
    if (start === end) return "";
    const text = this.#latin1.substring(start, end);
    if (this.#ascii || isAscii(text)) return text;
    const decoded = decodeText(this.#bytes.subarray(start, end));
    if (decoded.mended) this.problem(decoded.mended, CENSUS_WANTED[field]!, decoded.text);
    return decoded.text;
  }

  problem(reason: keyof ProblemTallies, field: string, value: string): void {
    // A name may be a person's: the report gives the number to look it up by.
    const shown = reason === "bad_status" || /DATE|DOCKET|UNITS|DRIVERS|CODE|_Ind|RATING|OPERATION/
        .test(field)
      ? ` ${JSON.stringify(value.slice(0, 40))}`
      : "";
    addProblem(this.#problems, reason, {
      line: this.line,
      detail: `USDOT ${this.dot}: ${field}${shown}`,
    });
  }
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

/** Appends a record's dockets as words; the rank orders the carriers of one docket, best highest. */
function pushDockets(words: number[], record: CarrierRecord): void {
  for (const { prefix, number, status } of record.dockets ?? []) {
    const filed = record.mcs150_date ? Number(record.mcs150_date.replaceAll("-", "")) : 0;
    // Active docket, then active carrier, then the newest MCS-150: 20991231 fits 25 bits.
    const rank = (status === "A" ? 2 ** 26 : 0) + (record.status === "A" ? 2 ** 25 : 0) + filed;
    words.push(packPrefix(prefix), number, record.dot, rank);
  }
}

/** Up to three letters in one word. */
function packPrefix(prefix: string): number {
  return Array.from(prefix).reduce((word, letter) => word * 256 + letter.charCodeAt(0), 0);
}

/** The letters of {@link packPrefix}. */
export function unpackPrefix(word: number): string {
  return word === 0 ? "" : unpackPrefix(Math.floor(word / 256)) + String.fromCharCode(word % 256);
}
