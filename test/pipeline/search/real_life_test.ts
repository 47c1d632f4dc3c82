/** What people type into a search for carriers, and the carrier that must come first. */

import assert from "node:assert/strict";
import { SYSTEM_CLOCK } from "../../../pipeline/clock.ts";
import { openSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { type Snapshot, SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";
import { builtSample } from "../sample/built_sample.ts";
import { carrier, smallIndex } from "./small_index.ts";

/** Carriers searched together with those of the sample. */
const EXTRA_CARRIERS: readonly CarrierRecord[] = [
  carrier(95000001, "TRANSPORTATION EXPRESS INC", { city: "ROMULUS", state: "MI" }),
  carrier(95000002, "GREEN HERON BODY COMPANY", { city: "FT MEADE", state: "FL" }),
  carrier(95000003, "TARN AM WICKLEY LLC", { city: "MARSHALLVILLE", state: "GA" }),
  carrier(95000004, "T R HALVORSEN TRUCKING INC", { city: "AUDUBON", state: "IA" }),
  carrier(95000005, "IVAN STEINMARK TRUCKING", { city: "BRANDON", state: "IA" }),
  carrier(95000006, "DAVID BARLOW TRUCKING", { city: "SAINT CROIX FALLS", state: "WI" }),
  carrier(95000007, "CALANDA FOODS LLC", { city: "PAYETTE", state: "ID" }),
  carrier(95000008, "HARVEY P AUSTIN", { dba_name: "AUSTIN TRUCKING", city: "SALMON" }),
  carrier(95000009, "SEAWAY TRANSPORT SOLUTIONS LLC", { city: "LAREDO", state: "TX" }),
  carrier(95000010, "QV 417 INC", { city: "YORBA LINDA", state: "CA" }),
  carrier(95000011, "RD COACH OPERATIONS INC", { dba_name: "HOLLAND COACH & TRAVEL" }),
  carrier(95000012, "W J HOLLER CO", { city: "PITTSBURGH", state: "PA" }),
  carrier(95000013, "CHEM VISTA INC", {
    dba_name: "NORDLINK-TRANSLINK AS NORD A DIVISION OF CHEM VISTA INC",
  }),
];

/** A query, the USDOT number that must come first (null: no result allowed), and the habit it shows. */
type RealLifeQuery = readonly [query: string, dot: number | null, habit: string];

const REAL_LIFE: readonly RealLifeQuery[] = [
  ["GENERAL TRANSPORT INC", 286764, "the name as filed"],
  ["general transport", 286764, "without suffix, lower case"],
  ["General Transport, Inc.", 286764, "as a letterhead has it"],
  ["general transport akron", 286764, "city behind the name"],
  ["general transport oh", 286764, "state code"],
  ["akron ohio general transport", 286764, "place first, state written out"],
  ["286764", 286764, "USDOT number"],
  ["00286764", 286764, "leading zeros"],
  ["usdot 286764", 286764, "with what it is"],
  ["USDOT# 286764", 286764, "as on the door of the truck"],
  ["dot 286764", 286764, "short for USDOT"],
  ["mc 186800", 286764, "docket number"],
  ["mc-186800", 286764, "hyphen"],
  ["MC186800", 286764, "no blank"],
  ["mc 00186800", 286764, "docket with leading zeros"],
  ["186800", 286764, "a number that is no USDOT number but a docket"],
  ["mc 9800002", 90010014, "second docket of a carrier"],
  ["MC 143229", 146793, "docket that several carriers file"],
  ["transportation express inc", 95000001, "nothing but common words"],
  ["green heron body", 95000002, "without COMPANY"],
  ["greenheron body co", 95000002, "joined words, other suffix"],
  ["tarn wickley", 95000003, "a word left out"],
  ["anderson cartage", 146793, "without CO INC"],
  ["andersn cartage denver colorado", 146793, "typo, city and state"],
  ["tr halvorsen trucking", 95000004, "initials joined"],
  ["T.R. Halvorsen Trucking", 95000004, "initials with dots"],
  ["steinmark trucking brandon iowa", 95000005, "last name and place"],
  ["ivan stienmark", 95000005, "letters swapped"],
  ["barlow trucking saint croix falls", 95000006, "city of three words"],
  ["warren transport", 1896, "without suffix"],
  ["waren transprot waterloo", 1896, "two typos and the city"],
  ["calenda foods", 95000007, "as it sounds"],
  ["austin trucking", 95000008, "DBA of a person"],
  ["sea way transport solutions", 95000009, "split word"],
  ["qv417", 95000010, "letters and number joined"],
  ["united moving & storage", 295017, "& for AND"],
  ["  united   moving  ", 295017, "blanks"],
  ["holland coach and travel", 95000011, "AND for &, a DBA"],
  ["holland's coach & travel", 95000011, "possessive"],
  ["rd coach operations", 95000011, "legal name of a firm known by its DBA"],
  ["wj holler pittsburgh", 95000012, "initials joined, city"],
  ["chemvista", 95000013, "joined words"],
  ["nordlink translink", 95000013, "hyphen as blank"],
  ["american shippers", 381802, "several of equal match: the largest"],
  ["american shippers detroit", 329380, "a word of the name that is a city"],
  ["mulder prins", 588583, "city half typed"],
  ["camiones pena y munoz", 90010068, "accents left out"],
  ["transport belanger et freres montreal", 90010069, "accents left out, city"],
  ["smith jones obrien", 90010073, "comma and apostrophe left out"],
  ["l.l.c. spelled trucking llc", 90010074, "L L C in other ways"],
  ["only a trade name", 90010061, "carrier without a legal name"],
  ["'; drop table carriers", 90010066, "a name that is an attack"],
  ["usdot 77777777", null, "no such carrier"],
  ["mc 7777777", null, "no such docket"],
  ["123456789012", null, "longer than any number"],
  ["kraftwerk autobahn", null, "no word is near"],
  ["qxzwvkj", null, "letters at random"],
  ["!!! ???", null, "no letter and no digit"],
];

Deno.test("CarrierSearch finds in the sample what people mean by what they type", async () => {
  const reader = new SnapshotReader(openSource(await builtSample()), { clock: SYSTEM_CLOCK });
  await reader.use(async (snapshot) => {
    await using index = await smallIndex(carriers(snapshot), { numbers: snapshot });
    const wrong: string[] = [];
    for (const [query, dot, habit] of REAL_LIFE) {
      const [first] = await index.search.search(query, { limit: 10 });
      const found = first?.dot ?? null;
      if (found !== dot) wrong.push(`"${query}" (${habit}): ${found}, expected ${dot}`);
    }
    assert.deepEqual(wrong, []);
  });
});

async function* carriers(snapshot: Snapshot): AsyncGenerator<CarrierRecord> {
  const { runs, width } = snapshot.manifest.families.carriers;
  for (const [first, last] of runs) {
    for (let dot = first * width; dot < (last + 1) * width; dot++) {
      const record = await snapshot.carrier(dot);
      if (record !== null) yield record;
    }
  }
  yield* EXTRA_CARRIERS;
}
