/**
 * Numbers in words and in digits: "twenty four seven" is `24/7`, "4 star" is `FOUR STAR`. Web APIs only.
 *
 * @module
 */

const ONES =
  ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen " +
    "fifteen sixteen seventeen eighteen nineteen").split(" ");
const TENS = ["", "", ..."twenty thirty forty fifty sixty seventy eighty ninety".split(" ")];
const MOST = 99;

/** Some words, and the number below 100 that they spell. */
interface Numeral {
  words: string[];
  digits: string;
}

/** The longest number that begins at a position; undefined for none. */
export function numeralAt(words: readonly string[], at: number): Numeral | undefined {
  const [first = "", second = ""] = words.slice(at, at + 2);
  const tens = TENS.indexOf(first);
  const ones = ONES.indexOf(tens > 0 ? second : first);
  if (first === "" || tens < 1 && ones < 0) return undefined;
  if (tens < 1) return { words: [first], digits: String(ones) };
  return ones > 0 && ones < 10
    ? { words: [first, second], digits: String(10 * tens + ones) }
    : { words: [first], digits: String(10 * tens) };
}

/** The words that spell a number below 100; undefined for any other word. */
export function spelledOut(word: string): string[] | undefined {
  const number = /^\d{1,2}$/.test(word) ? Number(word) : NaN;
  if (!(number <= MOST)) return undefined;
  if (number < ONES.length) return [ONES[number]!];
  const rest = number % 10;
  return rest === 0 ? [TENS[number / 10]!] : [TENS[(number - rest) / 10]!, ONES[rest]!];
}
