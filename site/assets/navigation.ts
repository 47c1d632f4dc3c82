/**
 * The links of the navigation on every page, and so the pages that in-page tools may open.
 *
 * @module
 */

type Section = readonly [path: string, text: string];

export const SECTIONS: readonly Section[] = [
  ["/", "Look up"],
  ["/bulk", "Check a list"],
  ["/mcs150", "MCS-150 dates"],
  ["/ucr", "UCR fees"],
  ["/developers", "For developers"],
];

export const MORE: readonly Section[] = [
  ["/about", "About"],
  ["/status", "Status"],
  ["/alerts", "Email alerts"],
  ["/pricing", "Pricing"],
  ["/privacy", "Privacy"],
];
