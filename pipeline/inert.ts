/**
 * Text of a filing made harmless where nothing escapes or isolates it: titles, subjects, file names,
 * plain text, and every sentence that a model reads. Web APIs only.
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

/** {@link inert} without double quotes: what stands inside a quotation or alone in a JSON string. */
export function unquoted(text: string, most = 120): string {
  return inert(text, most).replace(QUOTES, "'");
}

/** {@link inert} in straight double quotes, which nothing in it can close. */
export function quoted(text: string, most = 120): string {
  return `"${unquoted(text, most)}"`;
}
