/**
 * The hash tree over SHA256SUMS, with which a few kilobytes prove that one of its lines belongs to a manifest.
 * FORMAT.md, "Proofs", describes it. Web APIs only.
 *
 * @module
 */

import { sha256Hex } from "../bytes.ts";

/** Lines a group: with 64, three groups prove one line of 82,798. */
const GROUP = 64;

/** Groups of lines, the lines of the list first; then each level has the hashes of the level before. */
type Levels = string[][];

/** The levels of the tree; the last has one group. */
async function levelsOf(text: string): Promise<Levels> {
  const levels: Levels = [];
  let lines: string[] = text.match(/.*\n/g) ?? [];
  do {
    const groups: string[] = [];
    for (let i = 0; i < lines.length; i += GROUP) groups.push(lines.slice(i, i + GROUP).join(""));
    levels.push(groups);
    lines = await Promise.all(groups.map(async (group) => `${await sha256OfText(group)}\n`));
  } while (lines.length > 1);
  return levels;
}

/** SHA-256 of the only group of the last level, hex: `root` in the manifest. */
export async function sumsRoot(text: string): Promise<string> {
  return await sha256OfText((await levelsOf(text)).at(-1)![0] ?? "");
}

/** The groups from that of a line of SHA256SUMS to the only one of the last level; undefined when it has no such line. */
export async function sumsGroups(text: string, line: string): Promise<string[] | undefined> {
  let index = text.split("\n").indexOf(line);
  if (index < 0) return undefined;
  return (await levelsOf(text)).map((groups) => groups[index = Math.floor(index / GROUP)]!);
}

/** SHA-256 of a text in UTF-8, hex. */
export async function sha256OfText(text: string): Promise<string> {
  return await sha256Hex(new TextEncoder().encode(text));
}
