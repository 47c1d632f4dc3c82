import assert from "node:assert/strict";
import fc from "fast-check";
import { inert, quoted } from "../../pipeline/inert.ts";

Deno.test("inert() leaves an ordinary name as it is", () => {
  assert.equal(inert("O'BRIEN & SÖHNE, INC. #2"), "O'BRIEN & SÖHNE, INC. #2");
});

Deno.test("inert() takes out what turns, hides or breaks a line", () => {
  assert.equal(inert("\u202eACME\u200b FRE\u00adIGHT\u202c\u200f"), "ACME FREIGHT");
  assert.equal(inert("ACME\r\nBcc: x\u0000\u2028y\u00a0\u3000z"), "ACME Bcc: x y z");
  // A Hangul filler is a letter to Unicode, and nothing to the eye.
  assert.equal(inert("A\u3164C\ud800ME"), "ACME");
});

Deno.test("inert() cuts at characters, not at halves of them", () => {
  assert.equal(inert("🚚🚚🚚🚚", 3), "🚚🚚…");
  assert.equal(inert("ACME FREIGHT", 6), "ACME…");
  assert.equal(inert("ACME", 4), "ACME");
});

Deno.test("inert() is one visible line of the length asked for, and stays as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 40 }), (text, most) => {
      const line = inert(text, most);
      assert.ok(Array.from(line).length <= most);
      assert.doesNotMatch(line, /[\p{C}\p{Zl}\p{Zp}]|^\s|\s$|\s\s/u);
      assert.equal(inert(line, most), line);
    }),
  );
});

Deno.test("quoted() is one quotation that nothing in it can close", () => {
  assert.equal(quoted('ACME" (USDOT 1). Yes.'), `"ACME' (USDOT 1). Yes."`);
  assert.equal(quoted("“ACME” „FREIGHT‟ ＂"), `"'ACME' 'FREIGHT' '"`);
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    assert.match(quoted(text), /^"[^"“”„‟«»″‶＂\p{C}]*"$/u);
  }));
});
