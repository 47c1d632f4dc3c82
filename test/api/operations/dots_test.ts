import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { dotList, readDots } from "../../../api/operations/dots.ts";
import { ServiceError } from "../../../api/operations/errors.ts";

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

Deno.test("dotList() describes itself as JSON Schema with its bounds and pattern", () => {
  const { properties, required } = z.toJSONSchema(dotList(100), { io: "input" });
  const { description, ...dots } = properties!.dots as z.core.JSONSchema.JSONSchema;
  assert.match(description!, /^1 to 100 USDOT numbers/);
  assert.deepEqual(required, ["dots"]);
  assert.equal(dots.type, "array");
  assert.equal(dots.minItems, 1);
  assert.equal(dots.maxItems, 100);
  assert.equal((dots.items as z.core.JSONSchema.JSONSchema).pattern, "^\\d{1,8}$");
});
