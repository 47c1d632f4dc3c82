import assert from "node:assert/strict";
import fc from "fast-check";
import {
  cellsOf,
  changed,
  counted,
  cut,
  plain,
  share,
  wrap,
} from "../../../pipeline/report/plain.ts";

const anyText = fc.string({ unit: "binary", maxLength: 200 });

Deno.test("plain() shows as escapes what cannot be seen", () => {
  assert.equal(
    plain("a\u001b[2J\u202eb\u0085\u2028\u{e0041}"),
    "a\\u001b[2J\\u202eb\\u0085\\u2028\\udb40\\udc41",
  );
  assert.equal(plain("CAFÉ 字 OK"), "CAFÉ 字 OK");
});

Deno.test("plain() keeps the value of JSON text when used on it", () => {
  fc.assert(fc.property(anyText, (text) => {
    assert.equal(JSON.parse(plain(JSON.stringify(text))), text);
  }));
});

Deno.test("cut() and wrap() keep to the width for any text", () => {
  fc.assert(fc.property(anyText, fc.integer({ min: 4, max: 40 }), (text, most) => {
    const shown = plain(text);
    assert.ok(cellsOf(cut(shown, most)) <= most);
    const lines = wrap(shown, most);
    assert.ok(lines.every((line) => cellsOf(line) <= most));
    assert.equal(lines.join("").replaceAll(" ", ""), shown.replaceAll(" ", ""));
  }));
});

Deno.test("counted(), share() and changed() write figures for people", () => {
  assert.equal(counted(4512353), "4,512,353");
  assert.equal(counted(81.82), "81.82");
  assert.equal(share(1, 100_000), "< 0.1 %");
  assert.equal(share(0, 0), "0 %");
  assert.equal(share(1, 3), "33.3 %");
  assert.equal(changed(42, 5), "+5.00 %");
  assert.equal(changed(0, -100), "-100.00 %");
  assert.equal(changed(3, null), "new");
  assert.equal(changed(0, null), "0.00 %");
});
