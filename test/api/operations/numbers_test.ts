import assert from "node:assert/strict";
import fc from "fast-check";
import { dotInput, parseDot, parseMc, show } from "../../../api/operations/numbers.ts";

Deno.test("parseDot() reads 1 to 8 digits, leading zeros dropped", () => {
  assert.equal(parseDot("00295017"), 295017);
  assert.equal(parseDot("1"), 1);
  assert.equal(parseDot("99999999"), 99_999_999);
  assert.equal(parseMc("0143229"), 143229);
});

Deno.test("parseDot() says what is wrong and where", () => {
  const cases: [text: string, name: string, message: string][] = [
    ["", "SyntaxError", 'Cannot parse USDOT number "": it is empty'],
    ["12A", "SyntaxError", "Cannot parse USDOT number 12A: not a digit at position 3"],
    [" 12", "SyntaxError", 'Cannot parse USDOT number " 12": not a digit at position 1'],
    [
      "123456789",
      "SyntaxError",
      "Cannot parse USDOT number 123456789: 9 digits, at most 8 allowed",
    ],
    ["0", "RangeError", "Cannot parse USDOT number 0: numbers start at 1"],
    ["00000000", "RangeError", "Cannot parse USDOT number 00000000: numbers start at 1"],
    ['1"\n', "SyntaxError", 'Cannot parse USDOT number "1\\"\\n": not a digit at position 2'],
    ["٣", "SyntaxError", 'Cannot parse USDOT number "\\u0663": not a digit at position 1'],
  ];
  for (const [text, name, message] of cases) {
    assert.throws(() => parseDot(text), { name, message });
  }
});

Deno.test("parseDot() takes exactly the pattern less zero, whatever the text", () => {
  const texts = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.stringMatching(/^\d{0,10}$/),
  );
  fc.assert(fc.property(texts, (text) => {
    const valid = /^\d{1,8}$/.test(text) && Number(text) > 0;
    const parsed = dotInput.safeParse(text);
    assert.equal(parsed.success, valid);
    if (valid) assert.equal(parseDot(text), parsed.data);
    else {
      assert.throws(() => parseDot(text), (error: Error) => {
        assert.match(error.message, /^Cannot parse USDOT number [\x20-\x7e]{1,220}$/);
        assert.equal(parsed.error!.issues[0]!.message, error.message);
        return true;
      });
    }
  }));
});

Deno.test("dotInput refuses what is no string, as JSON callers may send it", () => {
  for (const value of [undefined, null, 5, [], {}, ["5"], true]) {
    const parsed = dotInput.safeParse(value);
    assert.match(parsed.error?.issues[0]?.message ?? "", /^Cannot (read|parse) USDOT number/);
  }
});

Deno.test("show() cuts long text", () => {
  assert.equal(show("x".repeat(1_000_000)).length, 29);
});
