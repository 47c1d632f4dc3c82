/**
 * The results of a job, an item at a time: those of 5,000 numbers are 20 MB of JSON.
 *
 * @module
 */

/** How every item begins. After a comma it is nowhere else: inside a text its quotes would be escaped. */
const BEGINNING = '{"dot":"';

/** The JSON text of each item, from the items' JSON joined by commas and cut anywhere. */
export async function* itemsOf(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let beginning = "";
  for await (const part of parts) {
    const texts = (rest + decoder.decode(part, { stream: true })).split("," + BEGINNING);
    rest = texts.pop()!;
    for (const text of texts) {
      yield beginning + text;
      beginning = BEGINNING;
    }
  }
  yield beginning + rest;
}
