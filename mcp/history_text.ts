/**
 * The text beside the structured content of `carrier_history`.
 *
 * @module
 */

import type { CarrierHistory } from "../api/operations/history.ts";
import { changesHead, periodLine, removedLine } from "../api/rules/changes.ts";
import { dataLine } from "../api/rules/words.ts";

export function sayHistory(history: CarrierHistory): string {
  const { dot, changes, removed, snapshot } = history;
  return [
    `USDOT ${dot}: ${changesHead(history)}`,
    ...removed === undefined ? [] : [`- ${removedLine(removed)}`],
    ...changes.map((change) => `- ${periodLine(change)}`),
    `${dataLine(snapshot)} A change by itself is ordinary. Inspections are not in this list.${
      snapshot.notice === undefined ? "" : ` ${snapshot.notice}`
    }`,
  ].join("\n");
}
