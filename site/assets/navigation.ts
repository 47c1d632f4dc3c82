/**
 * The navigation links on every page. In-page tools may open only these pages and carrier pages.
 *
 * @module
 */

type Section = readonly [path: string, text: string];

export const SECTIONS: readonly Section[] = [
  ["/bulk", "Check a list"],
  ["/compare", "Compare"],
  ["/alerts", "Alerts"],
  ["/mcs150", "MCS-150"],
  ["/ucr", "UCR"],
  ["/developers", "API"],
];

export const MORE: readonly Section[] = [
  ["/", "Look up"],
  ["/about", "About"],
  ["/status", "Status"],
  ["/privacy", "Privacy"],
];
