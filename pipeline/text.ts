/**
 * Text for people, terminals and models: filed text made inert, numbers formatted, errors in words. Web
 * APIs only.
 *
 * @module
 */

// Removed without a space: what cannot be seen parts no words.
const UNSEEN = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]+/gu;
const BLANK = /[\p{Cc}\p{Z}]+/gu;
const QUOTES = /["“”„‟«»″‶＂〝〞〟]/gu;

/**
 * One line without controls, writing-direction marks and zero-width characters, cut to so many
 * characters with an ellipsis as the last of them.
 */
export function inert(text: string, most = 120): string {
  const line = text.replace(UNSEEN, "").replace(BLANK, " ").trim();
  const characters = Array.from(line);
  if (characters.length <= most) return line;
  return characters.slice(0, most - 1).join("").trimEnd() + "…";
}

/** {@link inert} without double quotes: for inside a quotation or alone in a JSON string. */
export function unquoted(text: string, most = 120): string {
  return inert(text, most).replace(QUOTES, "'");
}

/** {@link inert} in straight double quotes, which nothing in it can close. */
export function quoted(text: string, most = 120): string {
  return `"${unquoted(text, most)}"`;
}

// Controls, line ends, and format characters such as the ones that reverse the writing direction.
const ESCAPED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff00-\uff60]/u;
const NO_WIDTH = /\p{M}/u;

/** Text with everything that cannot be seen shown as `\uXXXX`. Valid inside JSON strings too. */
export function escapeInvisible(text: string): string {
  return text.replace(ESCAPED, (found) => {
    let escaped = "";
    for (let i = 0; i < found.length; i++) {
      escaped += "\\u" + found.charCodeAt(i).toString(16).padStart(4, "0");
    }
    return escaped;
  });
}

/** Terminal cells that text takes; for text that went through {@link escapeInvisible}. */
export function cellsOf(text: string): number {
  let cells = 0;
  for (const character of text) {
    cells += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  }
  return cells;
}

/** Cuts text to so many cells, with `...` where something is gone. */
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

/** Breaks text at blanks into lines of so many cells; a longer word is broken where it must be. */
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

// Built once: toLocaleString() builds one at each call, which costs 22 us.
const GROUPED = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** A count with thousands separators: `4,512,353`; at most two decimals. */
export function counted(value: number): string {
  // Most counts are small, and a formatter takes ten times as long.
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

/** Words with commas and "and": `a, b and c`. */
export function listed(words: readonly string[], last: "and" | "or" = "and"): string {
  return words.length < 2
    ? words.join("")
    : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A part of a whole in percent: `12.3%`; `< 0.1%` when there is something but little. */
export function share(part: number, whole: number): string {
  if (whole === 0 || part === 0) return "0%";
  const percent = part / whole * 100;
  return percent < 0.1 ? "< 0.1%" : `${percent.toFixed(1)}%`;
}

/** A change in percent with its sign: `+2.50%`; `new` when there was nothing before. */
export function changed(now: number, percent: number | null): string {
  if (percent === null) return now === 0 ? "0.00%" : "new";
  return `${percent > 0 ? "+" : ""}${percent.toFixed(2)}%`;
}

/** The message of an error; of anything else its text. */
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

/** Lower case without accents: `José` is `jose`. */
export function withoutAccents(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/[ßøđłæœı]/g, (letter) => SPECIAL[letter]!);
}
