/**
 * Files of lists as they are written: carriers with all that a result shows, in columns.
 *
 * @module
 */

/** A carrier as columns hold it: text is UTF-8 `name LF dba LF city TAB state`. */
export interface RawEntry {
  dot: number;
  /** `(power units + 1) * 2 + active`. */
  fleet: number;
  text: Uint8Array;
}

const LINE_FEED = 10;

/**
 * Lays out a file, not compressed: see FORMAT.md.
 *
 * @param lists In ascending order of key.
 */
export function encodeLists(
  lists: readonly { key: number; entries: readonly RawEntry[] }[],
): Uint8Array {
  let total = 0;
  let textBytes = 0;
  for (const { entries } of lists) {
    total += entries.length;
    for (const { text } of entries) textBytes += text.length + 1;
  }
  const bytes = new Uint8Array(8 + lists.length * 8 + total * 8 + textBytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, lists.length, true);
  view.setUint32(4, total, true);
  let at = 8;
  let row = 0;
  const columns = 8 + lists.length * 8;
  let text = columns + total * 8;
  for (const { key, entries } of lists) {
    view.setUint32(at, key, true);
    view.setUint32(at + 4, entries.length, true);
    at += 8;
    for (const entry of entries) {
      // Planes of like bytes: the upper bytes of numbers compress to nothing.
      for (let plane = 0; plane < 4; plane++) {
        bytes[columns + plane * total + row] = entry.dot >>> (8 * plane);
        bytes[columns + (4 + plane) * total + row] = entry.fleet >>> (8 * plane);
      }
      bytes.set(entry.text, text);
      text += entry.text.length;
      bytes[text++] = LINE_FEED;
      row++;
    }
  }
  return bytes;
}
