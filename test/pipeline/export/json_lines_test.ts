import assert from "node:assert/strict";
import fc from "fast-check";
import { JsonLines } from "../../../pipeline/export/json_lines.ts";

Deno.test("lines of JSON are the bytes that JSON.stringify() gives for any text, of any length", () => {
  const lines = new JsonLines();
  const same = (texts: readonly string[]): void => {
    for (const [i, text] of texts.entries()) {
      lines.ascii(i === 0 ? "[" : ",");
      lines.text(text);
    }
    lines.ascii("]\n");
    const expected = `${JSON.stringify(texts)}\n`;
    assert.equal(new TextDecoder().decode(lines.take()), expected);
    assert.equal(lines.length, 0);
  };
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(...'A"\\\u0000\u001f \u007fË\ud83d\u2028') }),
  );
  fc.assert(fc.property(fc.array(text, { minLength: 1 }), same));
  // More than the first room.
  same(["A".repeat(1 << 22), "Ë".repeat(1 << 20)]);
});
