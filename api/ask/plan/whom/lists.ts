/**
 * Stage 3, lists: whether carriers of a name or place are listed, or asked for by what can't be filtered.
 *
 * @module
 */

import { legalForm } from "../../../../pipeline/name_words.ts";
import { namesState, stateCode } from "../../../../pipeline/search/query/query.ts";
import { type QuestionView, type Sought, soughtText } from "../../entities/entities.ts";
import { looksLikeName } from "../../entities/names.ts";
import { type Asked, declinedIn, type Intents, topicsIn } from "../asked/intents.ts";
import { type CarrierRef, isGuess, isNumbered, type SearchList } from "./references.ts";

/** Whether it asks for carriers, or a number of them, by what can't be filtered: "carriers with hazmat in Ohio". */
export function isFiltered(
  { q, intents, carriers }: {
    q: QuestionView;
    intents: Intents;
    carriers: readonly CarrierRef[];
  },
): boolean {
  // "Carriers located in Kahului" are a search for the place.
  const specific = topicsIn(intents).some((topic) =>
    !/^(?:overview|names)$/.test(topic) &&
    !(/^(?:location|status)$/.test(topic) && q.sought.place !== "")
  );
  return !carriers.some(isNumbered) && !namesCarrier(q) &&
    !/\btruck stops?\b|^\W*why\b/i.test(q.reading.text) &&
    (q.has("count") && !q.has("named") || counts(q, carriers) || q.has("count") && q.hasState ||
      q.has("all") && !q.has("named") &&
        (specific || q.sought.place === "" || ofMany(q) ||
          // "Which carriers got shut down in Florida this month".
          q.says(/\b(?:today|yesterday|(?:this|last|past) (?:week|month|year))\b/) ||
          q.all("vehicles", "other").length > 0 ||
          q.says(
            /\b(?:best|better|top|worst|cheapest|safest|biggest|largest|smallest|most|fewest)\b/,
          )) ||
      q.has("every") && (specific || q.all("vehicles").length > 0) &&
        q.says(/\b(?:carrier|compan|mcs?\b|fleet|trucker|every(?:one|body|thing)\b)/) ||
      // "Does the update apply to intrastate carriers" asks for none.
      q.has("many") && specific && !q.has("ucr", "fee") &&
        !/^\W*(?:does|is|can|should|must|will)\b|\b(?:are|is|do|does|can|have|has) (?:they|he|she|it)\b/i
          .test(q.reading.text) &&
        q.names.filter(({ exists }) => exists).length < 2 ||
      // "List carriers with unsatisfactory rating in Texas".
      q.has("find") && specific && q.says(/\b(?:carriers|companies|truckers)\b/) &&
        !q.names.some(({ exists }) => exists) ||
      q.has("many", "find") && q.all("vehicles", "other").length > 0 && !q.has("ucr", "fee") &&
        !q.names.some(({ exists }) => exists) ||
      carriers.every(isGuess) && ofMany(q) ||
      // "Every bus company in New Mexico": no name has the word.
      q.has("all", "every") && q.has("fleet?") && q.sought.name === "" ||
      q.has("all", "every", "many") && q.says(/\bwith (?:an? |active )*(?:mc|docket)\b/) ||
      // "Has any carrier changed its name".
      q.says(/\b(?:has|have|did|are|is) any (?:carriers?|compan)/) ||
      // "Which carriers in Georgia have an out-of-service order".
      q.has("many", "all", "every") && intents.has("no:oos_order") ||
      // "Who hauls cattle in Kissimmee", "do you have anyone hazmat certified near Hattiesburg".
      carriers.length === 0 && q.has("cargo") && q.hasPlace &&
        q.says(/\b(?:who|any|anyone|anybody|someone|somebody|haulers?)\b/) ||
      /^\W*(?:what|which) (?:\S+ ){0,2}(?:carrier|company|firm|broker|fleet)s? (?:in (?:\S+ ){1,2})?(?:has|have|is|are) (?:the )?(?:best|worst|most|fewest|highest|lowest|safest|biggest|largest)\b/i
        .test(q.reading.text) ||
      // "What's the best trucking company in Kansas": not the company Best Trucking.
      /^\W*(?:what|who|which)\S*(?: is| are)? (?:the )?(?:best|worst|cheapest|safest|top|biggest|largest) (?:\S+ ){0,3}(?:carriers?|compan|firms?)/i
        .test(q.reading.text));
}

/** "How many trucks in Ohio": a count that is not about a carrier. */
function counts(q: QuestionView, carriers: readonly CarrierRef[]): boolean {
  return q.says(/\b(?:how many|number of|count of|cuant[oa]s)\b/) && !q.has("them", "ucr", "fee") &&
    !q.says(/\b(?:my|i|we)\b/) &&
    (carriers.length === 0
      ? q.hasPlace
      : carriers.every((ref) =>
        ref.by === "name" && ref.exists !== true && stateCode(ref.text.toLowerCase()) !== undefined
      ));
}

/** "Best reefer carrier out of Fresno", "give me 5 carriers with hazmat". */
function ofMany(q: QuestionView): boolean {
  return q.says(
    /\b(?:best|cheapest|safest|top|worst|biggest|largest) (?:\S+ ){0,3}(?:carriers?|compan|truck|fleet|hauler|broker)/,
  ) ||
    q.all("other").some(({ text }) => /(?:carriers|companies)$/i.test(text));
}

/** Whether a carrier is clearly named, so that nothing is filtered: "Rank Dawson Transportation and Mitchell Farms". */
export function namesCarrier(q: QuestionView): boolean {
  const { reading } = q;
  return q.names.some((name) =>
    (name.exists || legalForm(name.text.split(" ").at(-1)!) !== "") &&
    (looksLikeName(reading, name) ||
      // "Does clay junction adventures qualify".
      /^(?:does|is|has|did|was)$/.test(reading.tokens[name.from - 1]?.text ?? "")) &&
    (!/^(?:in|near|around|from)$/.test(reading.tokens[name.from - 1]?.text ?? "") ||
      // "Is anything in Richard Griffin Transportation's file blank".
      name.exists === true && name.to - name.from > 2)
  );
}

/** Whether it looks for carriers: "who hauls produce out of Bakersfield", "need a flatbed carrier in Ohio". */
export function seeks(q: QuestionView): boolean {
  return q.has("find", "many", "all", "every") ||
    q.says(/\b(?:who|anyone|anybody|somebody|someone|need an?|looking for)\b/);
}

/** Whether it asks for carriers of a place that can be listed, without ranking them, or counting all of a place. */
export function listsPlace(q: QuestionView): boolean {
  const counted = q.says(/\b(?:how many|number of|count|total)\b/);
  return q.sought.place !== "" && q.sought.place.split(" ").length <= 4 &&
    !(counted && !q.unknownWords.some((word) => q.sought.name.includes(word))) && !q.says(
      /\b(?:best|better|top|worst|cheap\w*|safest|biggest|largest|smallest|most|fewest|recommend|should)\b/,
    );
}

/** "List every Singh that is active in South Carolina", "haulers based in Spartanburg". */
export function isList(q: QuestionView, intents: Intents): boolean {
  return (q.has("many", "find", "every", "all") || q.has("named") && q.says(/\bany\b/) ||
    // "Who's in Las Cruces".
    /^\W*who(?:['’]?s| is| are| all)* (?:in|near|around) /i.test(q.reading.text) ||
    // "Is there a Cruz in New Jersey".
    /^\W*(?:is|are) there (?:an?|any|some) /i.test(q.reading.text) && q.sought.name !== "") &&
    q.sought.place !== "" && !/^\W*(?:do|does|can|should|must)\b.*\bneed\b/i.test(q.reading.text) &&
    !intents.has("compare") &&
    topicsIn(intents).every((topic) =>
      /^(?:status|location|overview)$/.test(topic) ||
      // "Bus companies in Fresno": the word is one of their names.
      q.has(`${topic}?`) && !q.has(topic)
    ) &&
    declinedIn(intents).length === 0 &&
    q.names.every((name) => !name.exists || !looksLikeName(q.reading, name));
}

/** What is sought, where the state ends the name: "logistics Florida", or "Rock City Ohio carriers" all of it. */
function withPlace({ sought, reading }: QuestionView): Sought {
  const words = sought.name.split(" ");
  const last = words.at(-1)!.toLowerCase();
  if (sought.place !== "" || words.length < 2 || last.length < 4 || stateCode(last) === undefined) {
    return sought;
  }
  const isTown = /\b(?:carriers|companies|truckers)\W*$/i.test(reading.text);
  if (isTown) return { ...sought, name: "", place: sought.name };
  return words.length > 2
    ? sought
    : { ...sought, name: words.slice(0, -1).join(" "), place: words.at(-1)! };
}

/** "Only active": one of the two statuses, not "which are active or inactive". */
export function listOf(
  q: QuestionView,
  { intents, guesses, carriers }: Asked & { readonly carriers: readonly CarrierRef[] },
  before: SearchList | undefined,
): SearchList {
  const [first] = carriers;
  const [status, ...both] = (["active", "inactive"] as const)
    .filter((one) => guesses.has(`status=${one}`));
  if (intents.has("no:filters")) {
    return { by: "list", sought: { name: "", place: q.sought.place, left: [] }, status: undefined };
  }
  const sought = before === undefined ? withPlace(q) : q.sought;
  const said = soughtText(sought);
  const isNext = before !== undefined && said !== "" && carriers.length === 0 &&
    !q.has("many", "find", "every", "all", "named");
  const whose = isNext
    ? { name: before.sought.name, place: narrowed(before.sought.place, said), left: [] }
    : said !== ""
    ? sought
    : before?.sought ??
      (first?.by === "name" ? { name: first.text, place: "", left: [] } : sought);
  return { by: "list", sought: whose, status: both.length > 0 ? undefined : status };
}

/** The place of a list that is narrowed to another: "Pennsylvania" after "Erie", "Houston" after "Texas". */
export function narrowed(before: string, said: string): string {
  const isState = (place: string): boolean => namesState(place.toLowerCase());
  if (before === "" || isState(said) === isState(before)) return said;
  return isState(said) ? `${before} ${said}` : `${said} ${before}`;
}
