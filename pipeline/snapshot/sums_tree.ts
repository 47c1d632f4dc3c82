/**
 * The hash tree over SHA256SUMS, with which a few kilobytes prove that one of its lines belongs to a manifest.
 * FORMAT.md, "Proofs", describes it. Web APIs only.
 *
 * @module
 */

import { sha256Hex } from "../bytes.ts";

/** Lines per group. With 64, three groups prove one of 82,798 lines. */
const GROUP = 64;

/** Groups of lines, the lines of the list first; then each level has the hashes of the level before. */
export type SumsTree = readonly (readonly string[])[];

/** The tree over a text of SHA256SUMS; its last level has one group. */
export async function sumsTree(text: string): Promise<SumsTree> {
  const levels: string[][] = [];
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
  return await sha256OfText((await sumsTree(text)).at(-1)![0] ?? "");
}

/** The groups from that of a line of SHA256SUMS to the only one of the last level; undefined when it has no such line. */
export function sumsGroups(tree: SumsTree, line: string): string[] | undefined {
  let index = tree[0]!.findIndex((group) =>
    group.startsWith(`${line}\n`) || group.includes(`\n${line}\n`)
  );
  if (index < 0) return undefined;
  return tree.map((groups, level) => {
    if (level > 0) index = Math.floor(index / GROUP);
    return groups[index]!;
  });
}

/** SHA-256 of a text in UTF-8, hex. */
export async function sha256OfText(text: string): Promise<string> {
  return await sha256Hex(new TextEncoder().encode(text));
}
