import assert from "node:assert/strict";
import fc from "fast-check";
import {
  cellsOf,
  changed,
  counted,
  cut,
  escapeInvisible,
  inert,
  quoted,
  share,
  wrap,
} from "../../pipeline/text.ts";
import { ANY_UNIT } from "../any_unit.ts";

const anyText = fc.string({ unit: ANY_UNIT, maxLength: 200 });

Deno.test("plain() escapes invisible characters", () => {
  assert.equal(
    escapeInvisible("a\u001b[2J\u202eb\u0085\u2028\u{e0041}"),
    "a\\u001b[2J\\u202eb\\u0085\\u2028\\udb40\\udc41",
  );
  assert.equal(escapeInvisible("CAFÉ 字 OK"), "CAFÉ 字 OK");
});

Deno.test("plain() preserves the value of JSON text", () => {
  fc.assert(fc.property(anyText, (text) => {
    assert.equal(JSON.parse(escapeInvisible(JSON.stringify(text))), text);
  }));
});

Deno.test("cut() and wrap() stay within the width for any text", () => {
  fc.assert(fc.property(anyText, fc.integer({ min: 4, max: 40 }), (text, most) => {
    const shown = escapeInvisible(text);
    assert.ok(cellsOf(cut(shown, most)) <= most);
    const lines = wrap(shown, most);
    assert.ok(lines.every((line) => cellsOf(line) <= most));
    assert.equal(lines.join("").replaceAll(" ", ""), shown.replaceAll(" ", ""));
  }));
});

Deno.test("counted(), share() and changed() format numbers for people", () => {
  assert.equal(counted(4512353), "4,512,353");
  assert.equal(counted(81.82), "81.82");
  assert.equal(share(1, 100_000), "< 0.1%");
  assert.equal(share(0, 0), "0%");
  assert.equal(share(1, 3), "33.3%");
  assert.equal(changed(42, 5), "+5.00%");
  assert.equal(changed(0, -100), "-100.00%");
  assert.equal(changed(3, null), "new");
  assert.equal(changed(0, null), "0.00%");
});

Deno.test("inert() removes characters that reorder, hide or break a line", () => {
  assert.equal(inert("\u202eACME\u200b FRE\u00adIGHT\u202c\u200f"), "ACME FREIGHT");
  assert.equal(inert("ACME\r\nBcc: x\u0000\u2028y\u00a0\u3000z"), "ACME Bcc: x y z");
  // A Hangul filler is a letter in Unicode, but invisible.
  assert.equal(inert("A\u3164C\ud800ME"), "ACME");
});

Deno.test("inert() cuts between characters, never inside one", () => {
  assert.equal(inert("🚚🚚🚚🚚", 3), "🚚🚚…");
  assert.equal(inert("ACME FREIGHT", 6), "ACME…");
  assert.equal(inert("ACME", 4), "ACME");
});

Deno.test("inert() returns one visible line within the length, and is idempotent", () => {
  fc.assert(
    fc.property(fc.string({ unit: ANY_UNIT }), fc.integer({ min: 1, max: 40 }), (text, most) => {
      const line = inert(text, most);
      assert.ok(Array.from(line).length <= most);
      assert.doesNotMatch(line, /[\p{C}\p{Zl}\p{Zp}]|^\s|\s$|\s\s/u);
      assert.equal(inert(line, most), line);
    }),
  );
});

Deno.test("quoted() returns one quotation that no text in it can close", () => {
  assert.equal(quoted('ACME" (USDOT 1). Yes.'), `"ACME' (USDOT 1). Yes."`);
  assert.equal(quoted("“ACME” „FREIGHT‟ ＂"), `"'ACME' 'FREIGHT' '"`);
  fc.assert(fc.property(fc.string({ unit: ANY_UNIT }), (text) => {
    assert.match(quoted(text), /^"[^"“”„‟«»″‶＂\p{C}]*"$/u);
  }));
});
