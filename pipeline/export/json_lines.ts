/**
 * Lines of JSON, as bytes from the start: in two thirds of the time of joining strings and encoding the text.
 *
 * @module
 */

const [SPACE, TILDE, QUOTE, BACKSLASH] = [32, 126, 34, 92];
const ENCODER = new TextEncoder();

export class JsonLines {
  #bytes = new Uint8Array(1 << 21);
  #end = 0;

  get length(): number {
    return this.#end;
  }

  /** Adds text of ASCII characters. */
  ascii(text: string): void {
    const { length } = text;
    this.#reserve(length);
    const [bytes, end] = [this.#bytes, this.#end];
    for (let i = 0; i < length; i++) bytes[end + i] = text.charCodeAt(i);
    this.#end += length;
  }

  /** Adds a string in quotes. */
  text(text: string): void {
    const { length } = text;
    const start = this.#end;
    // At most six bytes a character, as in `\u001f`.
    this.#reserve(6 * length + 2);
    const bytes = this.#bytes;
    let end = start;
    bytes[end++] = QUOTE;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code < SPACE || code > TILDE || code === QUOTE || code === BACKSLASH) {
        const { written } = ENCODER.encodeInto(JSON.stringify(text), bytes.subarray(start));
        this.#end = start + written;
        return;
      }
      bytes[end++] = code;
    }
    bytes[end++] = QUOTE;
    this.#end = end;
  }

  /** The bytes so far, valid until more is added; the next line is the first again. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#end);
    this.#end = 0;
    return taken;
  }

  #reserve(count: number): void {
    if (this.#end + count <= this.#bytes.length) return;
    const bytes = new Uint8Array(2 * (this.#end + count));
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }
}
