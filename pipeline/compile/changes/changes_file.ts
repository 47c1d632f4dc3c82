/**
 * `changes.ndjson.gz`: the lines that the workers wrote as one gzip stream. Also files that cover several
 * days.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { writeAll } from "../../io.ts";
import { daysBefore, SPANS } from "../../snapshot/chain.ts";
import { CHANGES_PATH, spanPath } from "../../snapshot/paths.ts";
import type { ChangesSpan } from "../../snapshot/manifest.ts";
import { GZIP } from "../../snapshot/writer.ts";
import { foldFiles } from "./folded_changes.ts";
import type { EarlierChanges } from "./predecessor.ts";
import { takeSpill } from "../spill/staging.ts";

/** A larger file is left out, and clients load the snapshot instead. */
const MOST_BYTES = 32 << 20;

/** The same limit for a file that covers several days: a third of what loading the snapshot would take. */
const MOST_SPAN_BYTES = 128 << 20;

/** Joins the parts in order and removes them. Undefined when the file would be too large. */
export async function writeChanges(
  staged: string,
  { dir, partitions }: { dir: string; partitions: readonly number[] },
): Promise<{ bytes: number; sha256: string } | undefined> {
  const parts = (function* () {
    for (const partition of partitions) yield takeSpill(dir, partition);
  })();
  return await writeGzip(`${staged}/${CHANGES_PATH}`, parts, MOST_BYTES);
}

/**
 * Writes the changes of several days, this one included.
 *
 * @param options.from The previous snapshot.
 */
export async function writeSpans(
  staged: string,
  { earlier, from: previous, dataDate }: {
    earlier: readonly EarlierChanges[];
    from: string;
    dataDate: string;
  },
): Promise<ChangesSpan[]> {
  const spans: ChangesSpan[] = [];
  for (const days of SPANS) {
    const oldest = daysBefore(dataDate, days);
    const end = earlier.findIndex(({ data_date }) => data_date <= oldest);
    const steps = earlier.slice(0, end < 0 ? undefined : end);
    const from = steps.at(-1)?.from ?? previous;
    const counts = { added: 0, changed: 0, removed: 0 };
    const paths = [...steps.map(({ path }) => path).reverse(), `${staged}/${CHANGES_PATH}`];
    const written = await writeGzip(
      `${staged}/${spanPath(days)}`,
      foldFiles(paths, counts),
      MOST_SPAN_BYTES,
    );
    if (written !== undefined) spans.push({ days, from, ...written, ...counts });
  }
  return spans;
}

/** Writes texts as one gzip member. Writes no file and returns undefined when it would be too large. */
async function writeGzip(
  path: string,
  parts: Iterable<Uint8Array> | AsyncIterable<string>,
  mostBytes: number,
): Promise<{ bytes: number; sha256: string } | undefined> {
  const hash = createHash("sha256");
  let bytes = 0;
  using file = await Deno.open(path, { write: true, create: true });
  for await (const chunk of Readable.from(parts).pipe(createGzip(GZIP))) {
    // The tenth byte identifies the operating system.
    if (bytes === 0) chunk[9] = 255;
    hash.update(chunk);
    bytes += chunk.length;
    await writeAll(file, chunk);
    if (bytes > mostBytes) {
      await Deno.remove(path);
      return undefined;
    }
  }
  return { bytes, sha256: hash.digest("hex") };
}
