/**
 * Third pass: docket entries of all partitions become the docket index.
 *
 * @module
 */

import { type ShardSum, writeShard } from "../snapshot/writer.ts";
import { DOCKET_WORDS, unpackPrefix } from "./assemble.ts";

/**
 * Writes one shard a range of docket numbers: prefix, number, and the USDOT numbers that file it, the
 * active docket before others, then the active carrier, the newest MCS-150, the lowest number.
 *
 * @param parts Entries in any order, {@link DOCKET_WORDS} each.
 */
export function writeDockets(
  to: string,
  { parts, width }: { parts: readonly Uint32Array[]; width: number },
): ShardSum[] {
  const words = concatenate(parts);
  const sums: ShardSum[] = [];
  for (const [shard, offsets] of offsetsByShard(words, width)) {
    offsets.sort((a, b) =>
      words[a]! - words[b]! || words[a + 1]! - words[b + 1]! ||
      words[b + 3]! - words[a + 3]! || words[a + 2]! - words[b + 2]!
    );
    const body: Record<string, Record<string, number[]>> = {};
    const dockets: number[][] = [];
    for (const at of offsets) {
      const numbers = body[unpackPrefix(words[at]!)] ??= {};
      const number = words[at + 1]!;
      if (numbers[number] === undefined) dockets.push(numbers[number] = []);
      numbers[number].push(words[at + 2]!);
    }
    sums.push(writeShard(to, { family: "dockets", shard, items: dockets, body }));
  }
  return sums;
}

function concatenate(parts: readonly Uint32Array[]): Uint32Array {
  const words = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    words.set(part, at);
    at += part.length;
  }
  return words;
}

function offsetsByShard(words: Uint32Array, width: number): Map<number, number[]> {
  const byShard = new Map<number, number[]>();
  for (let at = 0; at < words.length; at += DOCKET_WORDS) {
    const shard = Math.floor(words[at + 1]! / width);
    const offsets = byShard.get(shard);
    if (offsets) offsets.push(at);
    else byShard.set(shard, [at]);
  }
  return byShard;
}
