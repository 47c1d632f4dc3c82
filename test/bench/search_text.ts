/**
 * The text normalization of the search bench, apart from that of any engine.
 *
 * @module
 */

/** Folded words that say nothing of who a carrier is. */
export const NOISE: ReadonlySet<string> = new Set(
  "llc inc corp co ltd lp llp pllc incorporated corporation company limited sa de cv the and of"
    .split(" "),
);

/** Full names by code of the states and of the District of Columbia. */
export const STATE_NAMES: ReadonlyMap<string, string> = new Map(
  `AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware
  |DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas
  |KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi
  |MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York
  |NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island
  |SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington
  |WV West Virginia|WI Wisconsin|WY Wyoming`
    .split("|").map((entry) => [entry.slice(0, 2), entry.slice(3).trim()]),
);

const LETTERS_OF_FORM = /\b(l l c|l l p|l p|p l l c|s a de c v)\b/g;

/**
 * Lower case, without accents; `&` reads "and", apostrophes vanish, other punctuation parts words, and
 * a legal form in single letters is one word.
 */
export function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
    .replaceAll("&", " and ")
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .replace(
      LETTERS_OF_FORM,
      (form) => form === "s a de c v" ? "sa de cv" : form.replaceAll(" ", ""),
    );
}

/** The words of a folded text that carry meaning; all of them when none does. */
export function significant(folded: string): string[] {
  const words = folded.split(" ").filter((word) => word !== "");
  const kept = words.filter((word) => !NOISE.has(word));
  return kept.length > 0 ? kept : words;
}

const FORM_AT_END = new RegExp(
  `[\\s,]+(?:l[ .]*l[ .]*[cp]|l[ .]*p|p[ .]*l[ .]*l[ .]*c|s[ .]*a[ .]+de[ .]+c[ .]*v|${
    [...NOISE].join("|")
  })?[\\s,.]*$`,
  "i",
);

/** A name in lower case without the legal forms at its end. */
export function withoutForm(name: string): string {
  const shorter = name.toLowerCase().replace(FORM_AT_END, "");
  return shorter === name.toLowerCase() ? shorter : withoutForm(shorter);
}

/** The lines of a stream of UTF-8. */
export async function* linesOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
}
