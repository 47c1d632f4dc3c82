/**
 * Questions to show, each one that is understood.
 *
 * @module
 */

/** By the id of the operation that answers them; the first is the one to show alone. */
export const EXAMPLES = {
  lookupCarrier: [
    "what is the safety rating of DOT 286764",
    "is the MCS-150 of 286764 current",
    "is 286764 active and insured",
    "compare 286764 and 295017",
  ],
  searchCarriers: [
    "carriers in Akron Ohio",
    "find me a carrier called Lone Star Hauling",
  ],
  lookupMcNumber: ["what DOT is MC 186800"],
  mcs150DueDate: [
    "when is the MCS-150 due for DOT 286764",
    "mcs150 due dates for 286764, 295017",
  ],
  ucrFee: ["UCR for 12 trucks in 2026", "compare UCR for 12 trucks in 2026 and 2027"],
  matchCarrier: ["is DOT 286764 General Transport in Akron?"],
} as const;

/** A follow-up, and the question before it. */
export const FOLLOW_UP = { prev: "is DOT 286764 active", query: "and its safety rating?" } as const;
