/**
 * Text of the code's own, in which backticks mark what is code.
 *
 * @module
 */

/** The text, with `code` set as such. */
export function Prose({ text }: { text: string }) {
  return <>{text.split("`").map((part, i) => i % 2 === 0 ? part : <code>{part}</code>)}</>;
}
