/**
 * Text of a filing made harmless where nothing escapes or isolates it: titles, subjects, file names,
 * plain text. Web APIs only.
 *
 * @module
 */

// Written without a space around them: what cannot be seen parts no words.
const UNSEEN = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]+/gu;
const BLANK = /[\p{Cc}\p{Z}]+/gu;

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
