import assert from "node:assert/strict";
import { SHAPE } from "../../../pipeline/search/index/build.ts";
import type { SearchShape } from "../../../pipeline/search/index/terms.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";
import { carrier, inspected, smallIndex, SURNAMES, TINY } from "./small_index.ts";

const TRADES = ["FREIGHT", "TRUCKING", "LANDSCAPING"].flatMap((trade) =>
  ["SMITH", "BLUE RIDGE", "ORTEGA"].map((name) => `${name} ${trade} LLC`)
);

/** Records, and the USDOT numbers that a query must find first among them, in order. */
const RANKED: Record<string, {
  records: CarrierRecord[];
  found: Record<string, number[]>;
  shape?: SearchShape;
}> = {
  "a name narrowed by city and state": {
    records: [
      carrier(1, "SWIFT TRUCKING LLC", { city: "DALLAS", state: "TX", power_units: 900 }),
      carrier(2, "SWIFT TRUCKING LLC", { city: "PHOENIX", state: "AZ", power_units: 5 }),
      carrier(3, "PHOENIX TRUCKING INC", { city: "RENO", state: "NV", power_units: 2 }),
      carrier(4, "ARIZONA FREIGHT", { city: "ST LOUIS", state: "MO" }),
    ],
    found: {
      "swift trucking": [1],
      "swift phoenix": [2],
      "swift trucking az": [2],
      "swift trucking in phoenix, Arizona": [2],
      "phoenix trucking": [3],
      "arizona freight saint louis": [4],
      "nevada": [3],
    },
  },
  "the exact name, then active, then the larger fleet": {
    records: [
      carrier(1, "STAR EXPRESS INC", { status: "I", power_units: 900 }),
      carrier(2, "STAR EXPRESS LLC", { power_units: 1 }),
      carrier(3, "STAR EXPRESS LTD", { power_units: 7 }),
      carrier(4, "STAR EXPRESS FREIGHT LLC", { power_units: 9000 }),
      carrier(5, "OTHER CO", { dba_name: "STAR EXPRESS", power_units: 3 }),
    ],
    found: {
      "star express": [5, 3, 2, 1, 4],
      "star express inc": [1, 3, 5, 2, 4],
      "starexpress": [5, 3, 2, 1, 4],
      "llc": [4, 2],
    },
  },
  'a last "co" as company, then as Colorado': {
    records: [
      carrier(1, "GARCIA TRUCKING LLC", { state: "TX", power_units: 90 }),
      carrier(2, "GARCIA TRUCKING LLC", { state: "CO", city: "DENVER", power_units: 1 }),
      carrier(3, "GARCIA TRUCKING CO", { state: "TX", power_units: 5 }),
      carrier(4, "GARCIA FREIGHT LLC", { state: "CO", city: "DENVER", power_units: 99 }),
    ],
    found: { "garcia trucking co": [3, 2, 1], "garcia trucking colorado": [2, 1, 3] },
  },
  // Regression: a corrected name filled the results and hid the longer one with the words as typed.
  "longer names before a corrected one": {
    records: [
      carrier(1, "JERRI FLOORING LLC", { power_units: 50 }),
      carrier(2, "JERRY COOPER FLOORING LLC", { power_units: 1 }),
    ],
    found: { "jerry flooring": [2] },
  },
  // Regression: a completion of a common word replaced the city's list, so no carrier had both.
  "a common first word with its city": {
    records: [
      ...SURNAMES.map((name, i) =>
        carrier(10 + i, `CARLOS ${name}`, { city: "RENO", power_units: 9 })
      ),
      carrier(1, "CARLOS L HORTON", { city: "TEXARKANA" }),
      carrier(2, "CARLOSS EXPRESS", { city: "ELKO" }),
    ],
    found: { "carlos texarkana": [1] },
    shape: TINY,
  },
  "abbreviations and other endings of common words": {
    records: TRADES.map((name, i) => carrier(i + 1, name)),
    found: { "smith frt": [1], "smith trkg": [4], "blue ridge trk": [5], "ortega landscape": [9] },
    shape: TINY,
  },
  "the shorter of two words with the same abbreviation": {
    records: ["SMITH TRANSPORTATION", "SMITH TRANSPORT", "LEE TRANSPORT", "LEE TRANSPORTATION"]
      .concat("TRANSPORT", "TRANSPORTATION").map((name, i) => carrier(i + 1, name)),
    found: { "smith trnsprt": [2, 1], "smith trnsprttn": [1] },
    shape: TINY,
  },
  'a city after "of" in the name before a carrier there': {
    records: [
      carrier(1, "ALLEN TRUCKING LLC", { city: "TORONTO", power_units: 9 }),
      carrier(2, "ALLEN TRUCKING OF TORONTO INC", { city: "ROCKFORD" }),
    ],
    found: { "alen trucking of toronto": [2, 1], "alen trucking toronto": [1, 2] },
  },
  // Regression: names with completions of the state left no room for those in the state.
  "a corrected name in its state": {
    records: [
      carrier(1, "THOMAS LOGISTICS LLC", { state: "CA" }),
      ...["CAIN", "CALVIN", "CAMPBELL", "CARLSON", "CARTER", "CASE", "CASTRO"].map((name, i) =>
        carrier(10 + i, `THOMAS ${name} LOGISTICS`, { state: "TX" })
      ),
      ...SURNAMES.map((name, i) => carrier(20 + i, `${name} LOG LLC`, { state: "CA" })),
    ],
    found: { "thomas log ca": [1] },
    shape: TINY,
  },
  "initials that are left out, or stand for a legal form elsewhere": {
    records: [
      carrier(1, "MATTHEW B MONTGOMERY", { city: "BECKLEY" }),
      carrier(2, "MATTHEW CASTRO", { city: "MONTGOMERY", power_units: 9 }),
      carrier(3, "L E JENKINS HOT SHOT"),
      carrier(4, "JENKINS HOT SHOT LLC", { power_units: 9 }),
      carrier(5, "CV HAULING LLC"),
      carrier(6, "PC HAULING LLC", { power_units: 9 }),
      carrier(7, "HAULING SA DE CV", { power_units: 99 }),
      carrier(8, "AMOS S MARTINEZ", { power_units: 9 }),
      carrier(9, "AMOS S SMITH"),
    ],
    found: {
      "matthew montgomery": [1, 2],
      "l jenkins hot shot": [3, 4],
      "c.v. hauling": [5],
      "cv hauling llc": [5],
      "hauling sa de cv": [7],
      "haul ing": [7],
      "amos s": [8, 9],
    },
  },
  "each of two names filed as one": {
    records: [
      carrier(1, "YUSUF AND SONS TREE LLC DBA TORRES SONS DELIVERY"),
      ...["YUSUF SONS", "SONS TREE", "TORRES SONS", "SONS DELIVERY"].flatMap((name, i) =>
        SURNAMES.map((word, k) =>
          carrier(10 * i + k + 10, `${name} ${word} GROUP`, { power_units: 9 })
        )
      ),
    ],
    found: { "yusuf & sons tree": [1], "torres sons delivery": [1] },
    shape: TINY,
  },
  // Regression: names without all the words, and words mistaken for another, filled the results.
  "longer names where shorter ones would fill the answer": {
    records: [
      carrier(1, "MIDLAND PAVING LLC", { city: "MIDLAND" }),
      carrier(2, "WALKER PAVING OF MIDLAND LLC"),
      carrier(3, "CLARK RECYCLING LLC", { city: "JACKSONVILLE", power_units: 99 }),
      carrier(4, "JASON CLARK", { city: "JACKSONVILLE" }),
      ...SURNAMES.map((_, i) => carrier(10 + i, "PAVING CO", { power_units: 9 })),
      ...SURNAMES.map((_, i) => carrier(20 + i, "JASON CLARK", { power_units: 9 })),
      ...SURNAMES.map((_, i) => carrier(30 + i, "JACKSONVILLE FREIGHT")),
    ],
    found: { "paving midland": [1, 2], "clark jacksonville": [3, 4] },
    shape: { ...TINY, name: 9, head: 9 },
  },
  "both names before one with the same words": {
    records: [
      carrier(1, "ROGER SANCHEZ LOGISTICS LLC", { power_units: 9 }),
      carrier(2, "ROGER SANCHEZ", { dba_name: "SANCHEZ LOGISTICS INC" }),
    ],
    found: { "roger sanchez sanchez logistics": [2, 1], "roger sanchez logistics": [1, 2] },
  },
  "a plural, or a name and its initial": {
    records: [
      carrier(1, "BALWINDER S SINGH"),
      carrier(2, "BALWINDER SINGH"),
      carrier(3, "BALWINDER'S SINGH CARTAGE"),
    ],
    found: { "balwinders singh": [1, 2, 3] },
  },
  "the spelling that was typed before others of the same name": {
    records: [
      carrier(1, "K & J TRUCKING", { power_units: 90 }),
      carrier(2, "KJ TRUCKING", { power_units: 1 }),
      carrier(3, "A & R HAULING LLC", { power_units: 90 }),
      carrier(4, "A AND R HAULING LLC", { power_units: 1 }),
    ],
    found: {
      "kj trucking": [2, 1],
      "k & j trucking": [1, 2],
      "a and r hauling": [4, 3],
      "a & r hauling": [3, 4],
    },
  },
};

for (const [what, { records, found, shape = SHAPE }] of Object.entries(RANKED)) {
  Deno.test(`CarrierSearch finds ${what}`, async () => {
    await using index = await smallIndex(records, { shape });
    for (const [query, dots] of Object.entries(found)) {
      const first = await index.search.search(query, { limit: dots.length });
      assert.deepEqual(first.map(({ dot }) => dot), dots, query);
    }
  });
}

Deno.test("CarrierSearch ranks a known carrier above namesakes that are inspected far less", async () => {
  const vector = Array.from({ length: 10 }, (_, i) => carrier(10 + i, "VECTOR TRANSPORT LLC"));
  await using index = await smallIndex([
    carrier(1, "VECTOR TRUCKING INC", inspected(47)),
    ...vector,
    carrier(2, "METEOR TRUCKING INC", inspected(48)),
    ...vector.map(({ dot }) => carrier(dot + 10, "METEOR TRANSPORT LLC")),
    carrier(3, "JADE TRUCKING INC", inspected(12)),
    carrier(30, "JADE TRANSPORT LLC"),
    carrier(4, "GARY HANCOCK CARRIERS LLC", inspected(40)),
    carrier(40, "GARY H HANCOCK", { power_units: 900 }),
    carrier(5, "E & R TRUCKING LLC", inspected(100)),
    carrier(50, "RIKA HAULING LLC", { dba_name: "ER TRUCKING" }),
    carrier(6, "HESS BROTHERS GROUP", inspected(3)),
    carrier(60, "HESS BROTHERS TRUCKING LP", { power_units: 900 }),
    carrier(7, "OLD FIELD FARMS LLC", { dba_name: "RAMIREZ FREIGHT LINES", ...inspected(300) }),
    carrier(70, "RAMIREZ FREIGHT LLC", { status: "I" }),
  ]);
  const first: Record<string, number> = {
    // The query has another trade word. That needs 9 more steps of inspections, plus 9 against ten carriers with
    // the typed name, or plus 1 against one.
    "vector transport": 10,
    "meteor transport": 2,
    "jade transport": 3,
    // With an initial that was not typed.
    "gary hancock": 4,
    // Of two names that match equally well, that of the more inspected carrier.
    "hess brothers": 6,
    // A DBA name with more words doesn't count.
    "ramirez freight": 70,
  };
  for (const [query, dot] of Object.entries(first)) {
    for (const limit of [1, 3, 25]) {
      const [hit] = await index.search.search(query, { limit });
      assert.equal(hit?.dot, dot, `${query}, ${limit} results`);
    }
  }
  // The same letters, split into other words.
  assert.equal((await index.search.search("ertrucking", { limit: 10 }))[0]?.dot, 5);
});
