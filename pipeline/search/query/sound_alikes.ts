/**
 * Spellings that sound the same in the names of carriers: `snider` is SCHNEIDER, `kwik` is QUICK. Web APIs only.
 *
 * @module
 */

/** What is written for one sound. */
const SOUNDS: readonly (readonly string[])[] = [
  ["s", "ss", "sch", "sh", "c", "z"],
  ["i", "y", "ei", "ie", "ey", "ee", "ea"],
  ["k", "c", "ck", "ch", "q"],
  ["kw", "qu"],
  ["kn", "n"],
  ["f", "ff", "ph"],
  ["v", "w", "wh"],
  ["x", "cks", "ks", "cs", "ex"],
  ["t", "tt", "th"],
  ["j", "g", "dg"],
  ["u", "oo", "ou", "ew"],
  ["o", "ow", "oa", "au", "aw"],
  ["a", "ai", "ay", "ei", "e"],
  ["er", "or", "ar", "re"],
  ["l", "ll"],
  ["m", "mm", "mn"],
  ["n", "nn"],
  ["r", "rr", "wr", "rh"],
];

/** For each spelling, the other spellings of the sounds it stands for. */
export const SOUND_SPELLINGS: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set(SOUNDS.flat())].map((spelling) => [
    spelling,
    [...new Set(SOUNDS.filter((sound) => sound.includes(spelling)).flat())]
      .filter((other) => other !== spelling),
  ]),
);

/** Letters of the longest spelling of a sound. */
export const LONGEST_SPELLING = 3;
