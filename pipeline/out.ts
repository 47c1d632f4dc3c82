/**
 * Text to the terminal. Results go to standard output, everything else to standard error.
 *
 * @module
 */

const ENCODER = new TextEncoder();

/** Writes a line of result to standard output. */
export function print(line: string): void {
  writeAll(Deno.stdout, line + "\n");
}

/** Writes a line for the person watching to standard error. */
export function note(line: string): void {
  writeAll(Deno.stderr, line + "\n");
}

/** Writes text as it is to standard error, as soon as that can take it: it holds nothing up. */
export async function noteLater(text: string): Promise<void> {
  let bytes = ENCODER.encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(await Deno.stderr.write(bytes));
}

/** Writes text as it is to standard error. */
export function noteRaw(text: string): void {
  writeAll(Deno.stderr, text);
}

function writeAll(to: { writeSync(bytes: Uint8Array): number }, text: string): void {
  let bytes = ENCODER.encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(to.writeSync(bytes));
}
