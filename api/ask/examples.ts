/**
 * Questions to show, each one that is understood.
 *
 * @module
 */

/** By the id of the operation that answers them; the first is the one to show alone. */
export const EXAMPLES = {
  lookupCarrier: [
    "what is the status of DOT 286764",
    "is the MCS-150 of 286764 up to date",
    "what is the safety rating of DOT 286764",
    "compare DOT 286764 with DOT 295017 and DOT 21800",
  ],
  searchCarriers: [
    "trucking companies in Akron Ohio",
    "find me a carrier called Lone Star Hauling",
  ],
  lookupMcNumber: ["what is the DOT number for MC 186800", "MCs 186800, 143229"],
  mcs150DueDate: [
    "when is the MCS-150 due for DOT 286764",
    "mcs150 due dates for 286764, 295017",
  ],
  ucrFee: ["UCR for 12 trucks in 2026", "compare UCR for 12 trucks in 2026 and 2027"],
} as const;

/** A follow-up, and the question before it. */
export const FOLLOW_UP = { prev: "is DOT 286764 active", query: "and its safety rating?" } as const;
