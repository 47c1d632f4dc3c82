/**
 * Links to somebody else's site.
 *
 * @module
 */

import type { OfficialSource } from "../../api/rules/official_sources.ts";

/** A link that takes nothing of the visit along. */
export function Outside({ place, text }: { place: OfficialSource; text?: string }) {
  return <a href={place.url} rel="noreferrer">{text ?? place.name}</a>;
}
