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
  value?: string;
  /** What it may be, of which one is chosen. */
  options?: readonly (readonly [value: string, text: string])[];
  rows?: number;
  input?: Readonly<Record<string, string | number | boolean>>;
}

export function Field(
  { id, name = id, label, hint, error, value, options, rows, input }: FieldProps,
) {
  const described = [
    ...error === undefined ? [] : ["error"],
    ...hint === undefined ? [] : ["hint"],
  ];
  const attributes = {
    ...input,
    ...described.length > 0 &&
      { "aria-describedby": described.map((part) => `${id}-${part}`).join(" ") },
    // The first thing to put right.
    ...error !== undefined && { "aria-invalid": "true", autofocus: true },
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {options !== undefined
        ? (
          <select id={id} name={name} {...attributes}>
            {options.map(([option, text]) => (
              <option value={option} selected={option === value}>{text}</option>
            ))}
          </select>
        )
        : rows !== undefined
        ? <textarea id={id} name={name} rows={rows} {...attributes}>{value}</textarea>
        : <input id={id} name={name} value={value} {...attributes} />}
      {error !== undefined && <p class="wrong" id={`${id}-error`}>{error}.</p>}
      {hint !== undefined && <p class="hint" id={`${id}-hint`}>{hint}</p>}
    </div>
  );
}
