/**
 * A field of a form with its label, its hint and what is wrong with it.
 *
 * @module
 */

import type { Child } from "hono/jsx";

interface FieldProps {
  id: string;
  /** The name it is sent under. @default {its id} */
  name?: string;
  label: string;
  hint?: Child;
  /** What is wrong with the value, without a final period. */
  error?: string | undefined;
  value: string;
  /** What it may be, of which one is chosen. */
  options?: readonly (readonly [value: string, text: string])[];
  /** Lines of a longer text. */
  rows?: number;
  /** More attributes of the input. */
  input?: Readonly<Record<string, string | number | boolean>>;
}

export function Field(
  { id, name = id, label, hint, error, value, options, rows, input }: FieldProps,
) {
  const attributes = { ...input, ...describedBy({ id, hint, error }) };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows !== undefined
        ? <textarea id={id} name={name} rows={rows} {...attributes}>{value}</textarea>
        : options === undefined
        ? <input id={id} name={name} value={value} {...attributes} />
        : (
          <select id={id} name={name} {...attributes}>
            {options.map(([option, text]) => (
              <option value={option} selected={option === value}>{text}</option>
            ))}
          </select>
        )}
      {hint && <Hint id={id}>{hint}</Hint>}
      {error !== undefined && <FieldError id={id} error={error} />}
    </div>
  );
}

export function Hint({ id, children }: { id: string; children?: Child }) {
  return <p class="hint" id={`${id}-hint`}>{children}</p>;
}

export function FieldError({ id, error }: { id: string; error: string }) {
  return <p class="wrong" id={`${id}-error`}>{error}.</p>;
}

/** Attributes that tie a field to its hint and its error. */
export function describedBy(
  { id, hint, error }: { id: string; hint?: unknown; error?: string | undefined },
): Record<string, string | boolean> {
  const ids = [
    ...error === undefined ? [] : [`${id}-error`],
    ...hint === undefined ? [] : [`${id}-hint`],
  ];
  return {
    ...ids.length === 0 ? {} : { "aria-describedby": ids.join(" ") },
    // The first thing to put right.
    ...error === undefined ? {} : { "aria-invalid": "true", autofocus: true },
  };
}
