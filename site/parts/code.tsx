/**
 * A block of code that scrolls inside itself.
 *
 * @module
 */

/** The block; `copy` lets a script put a button beside it. */
export function Code({ text, copy = false }: { text: string; copy?: boolean }) {
  return (
    <div class="code">
      {/* Keyboards reach a box that scrolls only when it can have the focus. */}
      <pre tabindex={0} {...copy ? { "data-copy": "" } : {}}><code>{text}</code></pre>
    </div>
  );
}

/** A JSON value, indented. */
export function Json({ value, copy = false }: { value: unknown; copy?: boolean }) {
  return <Code text={JSON.stringify(value, null, 2)} copy={copy} />;
}
