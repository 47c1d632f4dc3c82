/**
 * Example searches that find a carrier in the current snapshot.
 *
 * @module
 */

import { exampleMc, exampleRecord } from "../../pipeline/snapshot/example.ts";
import type { Snapshot } from "../../pipeline/snapshot/reader.ts";

export type ExampleSearches = readonly (readonly [what: string, query: string])[];

/** Maximum length of a name and a city, in characters. */
const LONGEST = 60;

/**
 * Returns searches that find a carrier in this snapshot, each with a description. Empty if the snapshot
 * cannot be read.
 */
export async function exampleSearches(snapshot: Snapshot | undefined): Promise<ExampleSearches> {
  const example = snapshot && await exampleRecord(snapshot).catch(() => null);
  if (!example) return [];
  const { dot, legal_name = "", city = "" } = example;
  const mc = exampleMc(example);
  const name = `${legal_name} ${city}`.trim().toLowerCase();
  return [
    ["a USDOT number", String(dot)],
    ...mc === undefined ? [] : [["an MC number", `MC ${mc}`] as const],
    ...legal_name === "" || name.length > LONGEST ? [] : [["a name and a city", name] as const],
  ];
}

export function Examples({ examples }: { examples: ExampleSearches }) {
  if (examples.length === 0) return null;
  return (
    <p class="hint">
      For example: {examples.map(([what, query], at) => (
        <>
          {at === 0 ? "" : at === examples.length - 1 ? " or " : ", "}
          <a href={`/search?q=${encodeURIComponent(query)}`}>
            <bdi>{query}</bdi>
          </a>{" "}
          ({what})
        </>
      ))}.
    </p>
  );
}
