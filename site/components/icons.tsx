/**
 * The mark of the service and small pictures beside words.
 *
 * @module
 */

import { raw } from "hono/html";
import { ICON } from "../assets/assets.ts";

/** The mark, inline so that it is there with the text. */
export function Mark() {
  return <>{raw(ICON.replace("<svg", '<svg class="mark" aria-hidden="true"'))}</>;
}

const PATHS = {
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9m3.3 7.8 3.2 3.2",
  copy: "M6 6h7.5v7.5H6zM3.5 10H2.5V2.5H10v1",
  link:
    "M6.5 9.5l3-3M7 4.5l1.5-1.5a3.2 3.2 0 0 1 4.5 4.5L11.5 9M9 11.5l-1.5 1.5a3.2 3.2 0 0 1-4.5-4.5L4.5 7",
  outside: "M6 3H3v10h10v-3M9 3h4v4m0-4-6 6",
} as const;

/** A picture that repeats what the words beside it, or the label of its button, say. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
