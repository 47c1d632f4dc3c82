/**
 * A carrier in the words of schema.org.
 *
 * @module
 */

import type { Carrier } from "../../../api/rules/schemas.ts";
import { calledName } from "./words.ts";

/** The Organization, with what the census has and nothing made up. */
export function organization(carrier: Carrier): Record<string, unknown> {
  const { dot, legal_name, dba_name, city, state, dockets, page_url } = carrier;
  const identifiers: [string, string][] = [
    ["USDOT", dot],
    ...dockets.map(({ prefix, number }): [string, string] => [prefix, number]),
  ];
  const address = {
    ...(city === "" ? {} : { addressLocality: city }),
    ...(state === "" ? {} : { addressRegion: state }),
  };
  return {
    "@type": "Organization",
    "@id": page_url,
    url: page_url,
    name: calledName(carrier),
    ...(legal_name === "" ? {} : { legalName: legal_name }),
    ...(dba_name === null ? {} : { alternateName: dba_name }),
    ...(Object.keys(address).length === 0
      ? {}
      : { address: { "@type": "PostalAddress", ...address } }),
    identifier: identifiers.map(([propertyID, value]) => ({
      "@type": "PropertyValue",
      propertyID,
      value,
    })),
  };
}
