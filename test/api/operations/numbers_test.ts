import assert from "node:assert/strict";
import fc from "fast-check";
import { ServiceError } from "../../../api/operations/errors.ts";
import {
  anyDocketInput,
  docketInput,
  docketText,
  dotInput,
  mcInput,
  parseDot,
  readDots,
} from "../../../api/operations/numbers.ts";
import { ANY_UNIT } from "../../any_unit.ts";

Deno.test("a USDOT number is 1 to 8 digits and not 0; otherwise the message says what is wrong", () => {
  const texts = fc.oneof(
    fc.string(),
    fc.string({ unit: ANY_UNIT }),
    fc.stringMatching(/^\d{0,10}$/),
  );
  fc.assert(fc.property(texts, (text) => {
    const parsed = dotInput.safeParse(text);
    if (/^\d{1,8}$/.test(text) && Number(text) > 0) {
      assert.deepEqual([parseDot(text), parsed.data], [Number(text), Number(text)]);
    } else {
      const { message } = parsed.error!.issues[0]!;
      assert.match(message, /^Cannot parse USDOT number [\x20-\x7e]{1,220}$/);
      const name = /^0+$/.test(text) ? "RangeError" : "SyntaxError";
      assert.throws(() => parseDot(text), { name, message });
    }
  }));
  // JSON clients may send other types.
  for (const value of [undefined, null, 5, [], {}, ["5"], true]) {
    const { message } = dotInput.safeParse(value).error!.issues[0]!;
    assert.match(message, /^Cannot (read|parse) USDOT number/);
  }
});

Deno.test("a docket number is read with any prefix, case, sign and zeros; otherwise the message says what is wrong", () => {
  const prefixes = fc.constantFrom("", "MC", "mc", "Mx", "fF", "DOT");
  const signs = fc.constantFrom("", "-", " ", "#", ": ", "\u00a0", "/");
  const digits = fc.oneof(fc.stringMatching(/^\d{0,10}$/), fc.string({ maxLength: 4 }));
  fc.assert(fc.property(prefixes, signs, digits, (prefix, sign, rest) => {
    const text = prefix + sign + rest;
    const isNumber = /^\d{1,8}$/.test(rest) && Number(rest) > 0;
    const isPrefixed = /^(?:mc|mx|ff)$/i.test(prefix) && sign !== "/";
    const docket = { prefix: prefix.toUpperCase(), number: Number(rest) };
    const isBare = prefix === "" && sign === "";
    const wanted: [schema: typeof docketInput | typeof mcInput, output: unknown][] = [
      [docketInput, isPrefixed && isNumber ? docket : null],
      [
        anyDocketInput,
        !isNumber ? null : isPrefixed ? docket : isBare ? { ...docket, prefix: "MC" } : null,
      ],
      [
        mcInput,
        isNumber && (isBare || isPrefixed && docket.prefix === "MC") ? docket.number : null,
      ],
    ];
    for (const [schema, output] of wanted) {
      const parsed = schema.safeParse(text);
      assert.deepEqual(parsed.data ?? null, output, JSON.stringify(text));
      if (!parsed.success) {
        assert.match(parsed.error.issues[0]!.message, /^Cannot [\x20-\x7e]{1,220}$/);
      }
    }
  }));
  assert.equal(docketText(docketInput.parse("mx 0012")), "MX-12");
  for (const value of [undefined, null, 5, [], {}, ["FF-5"], true]) {
    const { message } = docketInput.safeParse(value).error!.issues[0]!;
    assert.match(message, /^Cannot (read|parse) MC number/);
  }
});

Deno.test("readDots() reads numbers in order, with 0 and repeats, or says which is wrong, whatever the JSON", () => {
  const item = fc.oneof(
    { weight: 8, arbitrary: fc.stringMatching(/^\d{1,8}$/) },
    { weight: 1, arbitrary: fc.oneof(fc.stringMatching(/^\d{0,9}$/), fc.jsonValue()) },
  );
  const body = fc.oneof(fc.record({ dots: fc.array(item, { maxLength: 5 }) }), fc.jsonValue());
  fc.assert(fc.property(body, (body) => {
    const { dots } = Object(body);
    const wrong = !Array.isArray(dots) || dots.length === 0 ||
      dots.some((one) => typeof one !== "string" || !/^\d{1,8}$/.test(one));
    try {
      assert.deepEqual(readDots(body, 4).dots, dots.map(Number));
      assert.ok(!wrong && dots.length <= 4);
    } catch (error) {
      assert.ok(error instanceof ServiceError, String(error));
      assert.match(error.message, /^Cannot [\x20-\x7e]{5,200}$/);
      // Checked first, because validating a list that is far too long takes time.
      const tooMany = Array.isArray(dots) && dots.length > 4;
      assert.equal(error.code, tooMany ? "too_many_items" : "invalid_body");
      assert.ok(tooMany || wrong);
    }
  }));
  // Deep enough that showing it would overflow the stack of some engines.
  const deep = JSON.parse("[".repeat(60_000) + "]".repeat(60_000));
  for (const body of [deep, { dots: [deep] }]) {
    assert.throws(() => readDots(body, 5), { code: "invalid_body" });
  }
});
