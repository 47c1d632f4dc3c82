/**
 * Where the navigation of every page leads, and so where in-page tools may go.
 *
 * @module
 */

/** A link of the navigation. */
type Section = readonly [path: string, text: string];

/** In the head of the page. */
export const SECTIONS: readonly Section[] = [
  ["/", "Look up"],
  ["/bulk", "Check a list"],
  ["/mcs150", "MCS-150 dates"],
  ["/ucr", "UCR fees"],
  ["/developers", "For developers"],
];

/** At its foot. */
export const MORE: readonly Section[] = [
  ["/about", "About"],
  ["/status", "Status"],
  ["/alerts", "E-mail alerts"],
  ["/pricing", "Pricing"],
  ["/privacy", "Privacy"],
];
