/**
 * `changes.ndjson.gz`: the lines that the workers wrote, as one gzip stream.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { CHANGES_PATH } from "../snapshot/chain.ts";
import { GZIP } from "../snapshot/writer.ts";
import { takeSpill } from "./staging.ts";

/** A larger file is left out: clients load the snapshot. */
const MOST_BYTES = 32 << 20;

/** Joins the parts in order, which it removes; undefined when the file would be too large. */
export async function writeChanges(
  staged: string,
  { dir, partitions }: { dir: string; partitions: readonly number[] },
): Promise<{ bytes: number; sha256: string } | undefined> {
  const path = `${staged}/${CHANGES_PATH}`;
  const hash = createHash("sha256");
  let bytes = 0;
  using file = await Deno.open(path, { write: true, create: true });
  const parts = (function* () {
    for (const partition of partitions) yield takeSpill(dir, partition);
  })();
  for await (const chunk of Readable.from(parts).pipe(createGzip(GZIP))) {
    // The tenth byte names the operating system.
    if (bytes === 0) chunk[9] = 255;
    hash.update(chunk);
    bytes += chunk.length;
    for (let rest = chunk; rest.length > 0;) rest = rest.subarray(await file.write(rest));
    if (bytes > MOST_BYTES) {
      await Deno.remove(path);
      return undefined;
    }
  }
  return { bytes, sha256: hash.digest("hex") };
}
