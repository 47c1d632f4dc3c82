/**
 * The changes of several days as one file: one line per carrier, folded from the lines of the days. The files
 * of all days are read in parallel in the order of USDOT numbers, so this takes little memory.
 *
 * @module
 */

import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { HIDDEN_VALUE } from "../../snapshot/record/rows.ts";

type Values = Record<string, unknown>;

/** A line of `changes.ndjson.gz`. */
interface CarrierChange {
  dot: number;
  op: "ADD" | "MOD" | "DEL";
  was?: Values;
  set?: Values;
  between: [string, string];
}

/**
 * Two consecutive changes of a carrier as one, which can also be applied to a copy that already has the
 * first.
 */
export function foldChanges(earlier: CarrierChange, later: CarrierChange): CarrierChange {
  const between: CarrierChange["between"] = [earlier.between[0], later.between[1]];
  if (later.op !== "MOD") return { ...later, between };
  const { dot, op } = earlier;
  if (op === "MOD") {
    const was = { ...later.was, ...earlier.was };
    return { dot, op, was, set: { ...earlier.set, ...later.set }, between };
  }
  // The line of a new carrier has only public values, so hidden values that changed are left out.
  const known = Object.entries(later.set!).filter(([, value]) => value !== HIDDEN_VALUE);
  return { dot, op, set: { ...earlier.set, ...Object.fromEntries(known) }, between };
}

/** Lines by kind. */
export interface FoldedCounts {
  added: number;
  changed: number;
  removed: number;
}

const COUNTED = { ADD: "added", MOD: "changed", DEL: "removed" } as const;

/** Characters of lines that are returned at once. */
const CHUNK = 1 << 20;

/**
 * Folds the files of consecutive days, the oldest first, to lines in the order of USDOT numbers.
 *
 * @param counts Receives the number of lines.
 */
export async function* foldFiles(
  paths: readonly string[],
  counts: FoldedCounts,
): AsyncGenerator<string> {
  const files = paths.map((path) => new ChangeLines(path));
  await Promise.all(files.map((file) => file.next()));
  let text = "";
  while (true) {
    const dot = Math.min(...files.map((file) => file.dot));
    if (dot === Infinity) break;
    const same = files.filter((file) => file.dot === dot);
    let [{ line }] = same as [ChangeLines];
    if (same.length > 1) {
      line = JSON.stringify(same.map((one) => JSON.parse(one.line)).reduce(foldChanges));
    }
    const [, op] = HEAD.exec(line) as unknown as [string, keyof typeof COUNTED];
    counts[COUNTED[op]]++;
    text += `${line}\n`;
    for (const file of same) if (!file.take()) await file.next();
    if (text.length < CHUNK) continue;
    yield text;
    text = "";
  }
  yield text;
}

const HEAD = /^\{"dot":\d+,"op":"(\w+)"/;

/** The lines of a file, one at a time. */
class ChangeLines {
  readonly #chunks: AsyncIterator<string>;
  #lines: string[] = [];
  #at = 0;
  #rest = "";
  line = "";
  /** The USDOT number of the line; infinite after the last. */
  dot = Infinity;

  constructor(path: string) {
    const text = createReadStream(path).pipe(createGunzip()).setEncoding("utf8");
    this.#chunks = text[Symbol.asyncIterator]();
  }

  /** Goes to the next line if it has been read; otherwise returns false. */
  take(): boolean {
    if (this.#at === this.#lines.length) return false;
    this.line = this.#lines[this.#at++]!;
    this.dot = Number(this.line.slice(7, this.line.indexOf(",", 7)));
    return true;
  }

  /** Goes to the next line, or the end. */
  async next(): Promise<void> {
    while (!this.take()) {
      const { done, value } = await this.#chunks.next();
      if (done) {
        this.dot = Infinity;
        return;
      }
      this.#lines = (this.#rest + value).split("\n");
      this.#at = 0;
      this.#rest = this.#lines.pop()!;
    }
  }
}
