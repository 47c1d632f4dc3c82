/**
 * What people type into a search for carriers, and who must stand first: over the bundled sample (the
 * regulator's real rows, and the made-up ones with their oddities).
 *
 * @module
 */

/** A query, the USDOT number that must come first (null: nothing may be found), and the habit it shows. */
export type RealLifeQuery = readonly [query: string, dot: number | null, habit: string];

/** The table. */
export const REAL_LIFE: readonly RealLifeQuery[] = [
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
  ["mc 972813", 2895176, "second docket of a carrier"],
  ["MC 143229", 146793, "docket that several carriers file"],
  ["0001", 1, "the first USDOT number"],
  ["fmcsa technology division", 1, "DBA"],
  ["transportation services inc", 198, "nothing but common words"],
  ["blue bird body", 119, "without COMPANY"],
  ["bluebird body co", 119, "joined words, other suffix"],
  ["cain bickley", 111, "a word left out"],
  ["anderson cartage", 146793, "without CO INC"],
  ["andersn cartage denver colorado", 146793, "typo, city and state"],
  ["tr andersen trucking", 1948, "initials joined"],
  ["T.R. Andersen Trucking", 1948, "initials with dots"],
  ["steinbeck trucking brandon iowa", 1821, "last name and place"],
  ["ivan stienbeck", 1821, "letters swapped"],
  ["barstow trucking saint croix falls", 1859, "city of three words"],
  ["warren transport", 1896, "without suffix"],
  ["waren transprot waterloo", 1896, "two typos and the city"],
  ["senaca foods", 227, "as it sounds"],
  ["austin trucking", 254, "DBA of a person"],
  ["world wide transport solutions", 2565220, "split word"],
  ["lb168", 2895176, "letters and number joined"],
  ["united moving & storage", 295017, "& for AND"],
  ["  united   moving  ", 295017, "blanks"],
  ["anderson coach and travel", 337, "AND for &, a DBA"],
  ["anderson's coach & travel", 337, "possessive"],
  ["ac coach operations", 337, "legal name of a firm known by its DBA"],
  ["wj beitler pittsburgh", 345, "initials joined, city"],
  ["chemaqua", 382, "joined words"],
  ["smartlink ancolink", 382, "hyphen as blank"],
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

/**
 * Asks every query of the table.
 *
 * @param search Gives USDOT numbers, best first.
 * @returns A line for each query that was answered otherwise; none when all is well.
 */
export async function askRealLife(
  search: (query: string) => Promise<readonly number[]>,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const [query, dot, habit] of REAL_LIFE) {
    const [first = null] = await search(query);
    if (first !== dot) wrong.push(`"${query}" (${habit}): ${first}, expected ${dot}`);
  }
  return wrong;
}
