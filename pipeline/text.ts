/**
 * Prepares text for people, terminals and models: sanitizes filed text, formats numbers, wraps lines. Web APIs only.
 *
 * @module
 */

// Removed rather than replaced by a space, because invisible characters do not separate words.
const UNSEEN = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]+/gu;
const BLANK = /[\p{Cc}\p{Z}]+/gu;
const QUOTES = /["“”„‟«»″‶＂〝〞〟]/gu;

/**
 * Sanitizes text to one line, without control characters, writing-direction marks and zero-width characters. Longer
 * text is cut to `most` characters, the last of which is an ellipsis.
 */
export function inert(text: string, most = 120): string {
  const line = text.replace(UNSEEN, "").replace(BLANK, " ").trim();
  const characters = Array.from(line);
  if (characters.length <= most) return line;
  return characters.slice(0, most - 1).join("").trimEnd() + "…";
}

/** {@link inert} with double quotes replaced by `'`, so that the text can be put in quotes or in a JSON string. */
export function unquoted(text: string, most = 120): string {
  return inert(text, most).replace(QUOTES, "'");
}

/** {@link inert} in straight double quotes. The text itself cannot close them. */
export function quoted(text: string, most = 120): string {
  return `"${unquoted(text, most)}"`;
}

// Control characters, line separators, and format characters such as those that reverse the writing direction.
const ESCAPED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff00-\uff60]/u;
const NO_WIDTH = /\p{M}/u;

/** Escapes invisible characters as `\uXXXX`, which is also valid inside JSON strings. */
export function escapeInvisible(text: string): string {
  return text.replace(ESCAPED, (found) => {
    let escaped = "";
    for (let i = 0; i < found.length; i++) {
      escaped += "\\u" + found.charCodeAt(i).toString(16).padStart(4, "0");
    }
    return escaped;
  });
}

/** Width of text in terminal cells. The text must have gone through {@link escapeInvisible}. */
export function cellsOf(text: string): number {
  let cells = 0;
  for (const character of text) {
    cells += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  }
  return cells;
}

/** Cuts longer text to `most` terminal cells, including a final `...`. */
export function cut(text: string, most: number): string {
  return cellsOf(text) <= most ? text : headOf(text, most - 3) + "...";
}

function headOf(text: string, most: number): string {
  let head = "";
  let cells = 0;
  for (const character of text) {
    cells += cellsOf(character);
    if (cells > most) break;
    head += character;
  }
  return head;
}

/** Wraps text at spaces into lines of at most `most` terminal cells. Breaks words that are longer than a line. */
export function wrap(text: string, most: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    let rest = word;
    if (line !== "" && cellsOf(line) + 1 + cellsOf(rest) <= most) {
      line += " " + rest;
      continue;
    }
    if (line !== "") lines.push(line);
    while (cellsOf(rest) > most) {
      const head = headOf(rest, most);
      lines.push(head);
      rest = rest.slice(head.length);
    }
    line = rest;
  }
  return [...lines, line];
}

// Created once, because toLocaleString() creates one per call, which takes 22 us.
const GROUPED = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** Formats a number with thousands separators and at most two decimals: `4,512,353`. */
export function counted(value: number): string {
  // Fast path for most counts: the formatter takes ten times as long.
  if (Number.isInteger(value) && value >= 0 && value < 1e6) {
    const rest = String(value % 1000);
    return value < 1000 ? rest : `${Math.floor(value / 1000)},${rest.padStart(3, "0")}`;
  }
  return GROUPED.format(value);
}

/** A count with its noun: `1 row`, `2,000 rows`. */
export function plural(count: number, noun: string): string {
  return `${counted(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Joins words with commas and `last`: `a, b and c`. */
export function listed(words: readonly string[], last: "and" | "or" = "and"): string {
  return words.length < 2
    ? words.join("")
    : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A share in percent: `12.3%`; `< 0.1%` when it is smaller but not zero. */
export function share(part: number, whole: number): string {
  if (whole === 0 || part === 0) return "0%";
  const percent = part / whole * 100;
  return percent < 0.1 ? "< 0.1%" : `${percent.toFixed(1)}%`;
}

/** A change in percent with its sign: `+2.50%`; `new` if `percent` is null because the earlier value was zero. */
export function changed(now: number, percent: number | null): string {
  if (percent === null) return now === 0 ? "0.00%" : "new";
  return `${percent > 0 ? "+" : ""}${percent.toFixed(2)}%`;
}

/** The message of an error; any other thrown value as a string. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

const SPECIAL: Readonly<Record<string, string>> = {
  "ß": "ss",
  "ø": "o",
  "đ": "d",
  "ł": "l",
  "æ": "ae",
  "œ": "oe",
  "ı": "i",
};

/** Lower case without accents: `José` becomes `jose`. */
export function withoutAccents(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/[ßøđłæœı]/g, (letter) => SPECIAL[letter]!);
}
