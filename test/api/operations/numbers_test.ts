import assert from "node:assert/strict";
import fc from "fast-check";
import { ServiceError } from "../../../api/operations/errors.ts";
import {
  dotInput,
  dotList,
  parseDot,
  parseMc,
  readDots,
  show,
} from "../../../api/operations/numbers.ts";
import { ANY_UNIT } from "../../any_unit.ts";

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
    fc.string({ unit: ANY_UNIT }),
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

Deno.test("dotInput refuses values other than strings, which JSON callers may send", () => {
  for (const value of [undefined, null, 5, [], {}, ["5"], true]) {
    const parsed = dotInput.safeParse(value);
    assert.match(parsed.error?.issues[0]?.message ?? "", /^Cannot (read|parse) USDOT number/);
  }
});

Deno.test("show() cuts long text", () => {
  assert.equal(show("x".repeat(1_000_000)).length, 29);
});

Deno.test("readDots() reads numbers in order, zeros in front dropped, 0 and repeats kept", () => {
  const dots = ["00295017", "1", "0", "00000000", "99999999", "1"];
  assert.deepEqual(readDots({ dots, more: 1 }, 6), [295017, 1, 0, 0, 99_999_999, 1]);
});

Deno.test("readDots() says what is wrong with a body, naming the first bad item and its place", () => {
  const deep = JSON.parse("[".repeat(60_000) + "]".repeat(60_000));
  const cases: [body: unknown, message: string][] = [
    [null, "Cannot read the body: not an object with dots"],
    ["x", "Cannot read the body: not an object with dots"],
    [["1"], "Cannot read the body: not an object with dots"],
    [{}, "Cannot read dots: it is missing"],
    [{ dots: null }, "Cannot read dots: not an array of strings"],
    [{ dots: "1" }, "Cannot read dots: not an array of strings"],
    [{ dots: { length: 1, 0: "1" } }, "Cannot read dots: not an array of strings"],
    [{ dots: [] }, "Cannot look up numbers: dots is empty"],
    [{ dots: ["1", "2", "3", "12A", ""] }, "Cannot read dots[3]: 12A is not 1 to 8 digits"],
    [{ dots: [""] }, 'Cannot read dots[0]: "" is not 1 to 8 digits'],
    [{ dots: ["123456789"] }, "Cannot read dots[0]: 123456789 is not 1 to 8 digits"],
    [{ dots: ["1\n"] }, 'Cannot read dots[0]: "1\\n" is not 1 to 8 digits'],
    [{ dots: ["٣"] }, 'Cannot read dots[0]: "\\u0663" is not 1 to 8 digits'],
    [{ dots: [295017] }, "Cannot read dots[0]: 295017 is not a string of 1 to 8 digits"],
    [{ dots: ["1", null] }, "Cannot read dots[1]: null is not a string of 1 to 8 digits"],
    // Deep enough that showing it would overflow the stack of some engines.
    [{ dots: [deep] }, "Cannot read dots[0]: it is not a string of 1 to 8 digits"],
    [deep, "Cannot read the body: not an object with dots"],
  ];
  for (const [body, message] of cases) {
    assert.throws(() => readDots(body, 5), { name: "ServiceError", code: "invalid_body", message });
  }
});

Deno.test("readDots() refuses too many numbers before it looks at any", () => {
  for (const item of ["1", "x", 5]) {
    assert.throws(() => readDots({ dots: Array(101).fill(item) }, 100), {
      code: "too_many_items",
      message: "Cannot look up 101 numbers at once: at most 100; send up to 5000 as a job",
    });
  }
  assert.throws(() => readDots({ dots: Array(5001).fill("1") }, 5000), {
    code: "too_many_items",
    message: "Cannot look up 5001 numbers at once: at most 5000",
  });
  assert.equal(readDots({ dots: Array(100).fill("1") }, 100).length, 100);
});

Deno.test("readDots() takes exactly what dotList() does, whatever the JSON", () => {
  const schema = dotList(4);
  const item = fc.oneof(fc.stringMatching(/^\d{1,8}$/), fc.stringMatching(/^\d{0,9}$/), fc.json());
  const body = fc.oneof(
    fc.record({ dots: fc.array(fc.oneof(item, fc.jsonValue()), { maxLength: 6 }) }),
    fc.record({ dots: fc.array(fc.stringMatching(/^\d{1,8}$/), { maxLength: 5 }) }),
    fc.jsonValue(),
  );
  fc.assert(fc.property(body, (body) => {
    const parsed = schema.safeParse(body);
    try {
      assert.deepEqual(readDots(body, 4), parsed.data?.dots);
    } catch (error) {
      assert.ok(error instanceof ServiceError, String(error));
      assert.match(error.message, /^Cannot [\x20-\x7e]{5,200}$/);
      assert.equal(parsed.success, false);
      if (error.code === "invalid_body") {
        assert.equal(parsed.error!.issues[0]!.message, error.message);
      }
    }
  }));
});
