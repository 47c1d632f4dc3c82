/**
 * Files of lists as they are written: carriers with all that a result shows, in columns.
 *
 * @module
 */

/**
 * Bytes of a raw entry before its text: USDOT number, fleet `(power units + 1) * 2 + active`, static rank
 * as a double, length of the text, which is UTF-8 `name LF dba LF city TAB state LF`.
 */
export const RAW_HEAD = 18;

/**
 * Lays out a file, not compressed: see FORMAT.md.
 *
 * @param lists In ascending order of key: which of `entries` they have.
 * @param entries Offsets of raw entries in `raw`, see {@link RAW_HEAD}.
 */
export function encodeLists(
  lists: readonly { key: number; start: number; end: number }[],
  { entries, raw }: { entries: Uint32Array; raw: Uint8Array },
): Uint8Array {
  let total = 0;
  let textBytes = 0;
  for (const { start, end } of lists) {
    total += end - start;
    for (let i = start; i < end; i++) textBytes += textSize(raw, entries[i]!);
  }
  const bytes = new Uint8Array(8 + lists.length * 8 + total * 8 + textBytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, lists.length, true);
  view.setUint32(4, total, true);
  let head = 8;
  let row = 8 + lists.length * 8;
  let at = row + total * 8;
  for (const { key, start, end } of lists) {
    view.setUint32(head, key, true);
    view.setUint32(head + 4, end - start, true);
    head += 8;
    for (let i = start; i < end; i++, row++) {
      const entry = entries[i]!;
      // Planes of like bytes: the upper bytes of numbers compress to nothing.
      for (let byte = 0; byte < 8; byte++) bytes[row + byte * total] = raw[entry + byte]!;
      const textEnd = at + textSize(raw, entry);
      for (let from = entry + RAW_HEAD; at < textEnd;) bytes[at++] = raw[from++]!;
    }
  }
  return bytes;
}

function textSize(raw: Uint8Array, entry: number): number {
  return raw[entry + 16]! + raw[entry + 17]! * 256;
}
