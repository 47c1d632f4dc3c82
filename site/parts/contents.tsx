/**
 * What a long page holds, as links into it.
 *
 * @module
 */

/** A part of a page: the id of its heading, and the words of the link to it. */
export type Part = readonly [id: string, text: string];

/** The list of parts, in their order. */
export function Contents({ parts }: { parts: readonly Part[] }) {
  return (
    <nav class="contents" aria-label="On this page">
      <ul>
        {parts.map(([id, text]) => (
          <li>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
