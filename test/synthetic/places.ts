/**
 * Cities of the synthetic carriers. A line of words.txt is a state with its weight (roughly its share of
 * carriers in per mille), then cities with the first three digits of their ZIP code, biggest first.
 *
 * @module
 */

import { Choice, type Random, zipf } from "./random.ts";
import { linesBelow, wordsBelow } from "./words.ts";

/** A carrier's location. */
export interface Place {
  city: string;
  state: string;
  /** `US`, `CA` or `MX`. */
  country: string;
  zip: string;
  /** Three digits; synthetic, odd like real county codes. */
  county: string;
}

const TOWN_FIRST = wordsBelow("town beginnings");
const TOWN_LAST = wordsBelow("town endings");

const STATES = new Choice([
  ...states("United States", "US", 0.965),
  ...states("Canada", "CA", 0.023),
  ...states("Mexico", "MX", 0.012),
]);

/** Draws a place by weight; a quarter of the US carriers are in small towns with generated names. */
export function drawPlace(random: Random): Place {
  const { state, country, cities, zips } = STATES.pick(random);
  const r = random.next();
  const last = String(r % 100).padStart(2, "0");
  const county = country === "US" ? String(1 + 2 * ((r >>> 8) % 80)).padStart(3, "0") : "";
  if (country === "US" && r >>> 16 < 0x4000) {
    const city = random.one(TOWN_FIRST) + random.one(TOWN_LAST);
    return { city, state, country, zip: random.one(zips) + last, county };
  }
  const [city, zip] = cities.pick(random);
  const end = country === "CA" ? ` ${r % 10}A${(r >>> 4) % 10}` : last;
  return { city, state, country, zip: zip + end, county };
}

function states(heading: string, country: string, share: number) {
  const parsed = linesBelow(heading).map((line) => {
    const [, state, weight, list] = /^(\w\w) (\d+) (.+)$/.exec(line)!;
    const cities = list!.split(",").map((item) => {
      const at = item.lastIndexOf(" ");
      return [item.slice(0, at), item.slice(at + 1)] as const;
    });
    const zips = cities.map(([, zip]) => zip);
    return { state: state!, country, cities: zipf(cities, 1), zips, weight: Number(weight) };
  });
  const total = parsed.reduce((sum, { weight }) => sum + weight, 0);
  return parsed.map((state) => [state, (state.weight / total) * share] as const);
}
