import assert from "node:assert/strict";
import fc from "fast-check";
import { readCount } from "../../../api/ask/counts.ts";
import { tokenize } from "../../../api/ask/tokens.ts";

const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

Deno.test("readCount() reads every number in words up to 99,999, with hyphens and with and", () => {
  fc.assert(fc.property(fc.nat(99_999), fc.boolean(), (number, and) => {
    const words = spell(number, and ? " and " : " ");
    assert.equal(count(words), number, words);
  }));
});

Deno.test("readCount() reads dozens, couples, digits and thousands", () => {
  const cases: [text: string, value: number | null, words: number][] = [
    ["a dozen trucks", 12, 2],
    ["half a dozen trucks", 6, 3],
    ["two dozen trucks", 24, 2],
    ["3 dozen trucks", 36, 2],
    ["a couple of trucks", 2, 3],
    ["12 trucks", 12, 1],
    ["1,001 trucks", 1001, 1],
    ["15k trucks", 15_000, 1],
    ["a hundred and twenty trucks", 120, 4],
    ["twelve hundred trucks", 1200, 2],
    ["tweleve trucks", 12, 1],
    ["two five", 2, 1],
    ["twenty and trucks", 20, 1],
    ["a truck", null, 0],
    ["dozens", null, 0],
    ["and five", null, 0],
  ];
  for (const [text, value, to] of cases) {
    const found = readCount(tokenize(text), 0);
    assert.deepEqual(found, value === null ? null : { value, to }, text);
  }
});

function count(text: string): number | undefined {
  const tokens = tokenize(text);
  const found = readCount(tokens, 0);
  assert.equal(found?.to, tokens.length, text);
  return found?.value;
}

function spell(number: number, and: string): string {
  if (number < 20) return ONES[number]!;
  if (number < 100) {
    const rest = number % 10;
    return TENS[Math.floor(number / 10) - 2]! + (rest === 0 ? "" : `-${ONES[rest]}`);
  }
  const [size, word] = number < 1000 ? [100, "hundred"] : [1000, "thousand"];
  const rest = number % size;
  const head = `${spell(Math.floor(number / size), and)} ${word}`;
  if (rest === 0) return head;
  return `${head}${rest < 100 ? and : " "}${spell(rest, and)}`;
}
