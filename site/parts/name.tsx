/**
 * A carrier's own words in HTML.
 *
 * @module
 */

import { inert } from "../../pipeline/text.ts";

/** Characters of a name that a page shows; the census has room for 120. */
const MOST = 500;

/** Text of a filing, kept apart from the direction of the text around it. */
export function Name({ text }: { text: string }) {
  const shown = inert(text, MOST);
  return shown === "" ? <i>not reported</i> : <bdi>{shown}</bdi>;
}
