/**
 * Links to somebody else's site.
 *
 * @module
 */

import type { Place } from "../../api/discovery/official_places.ts";

/** A link that takes nothing of the visit along. */
export function Outside({ place, text }: { place: Place; text?: string }) {
  return <a href={place.url} rel="noreferrer">{text ?? place.name}</a>;
}
