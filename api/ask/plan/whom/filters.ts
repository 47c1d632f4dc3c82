/**
 * Stage 3, filters: whether carriers, or a number of them, are asked for by what can't be filtered, as
 * "carriers with hazmat in Ohio".
 *
 * @module
 */

import { legalForm } from "../../../../pipeline/name_words.ts";
import { stateCode } from "../../../../pipeline/search/query/query.ts";
import type { QuestionView } from "../../entities/entities.ts";
import { looksLikeName } from "../../entities/names.ts";
import { cargoGuessed } from "../asked/guesses.ts";
import { type Intents, topicsIn } from "../asked/intents.ts";
import { type CarrierRef, isGuess, isNumbered } from "./references.ts";

interface Listed {
  readonly q: QuestionView;
  readonly intents: Intents;
  readonly carriers: readonly CarrierRef[];
}

/** A listed question, with what more than one rule asks of it. */
interface Asking extends Listed {
  /** Whether it asks for a fact of the carriers, other than that they are in a place. */
  readonly specific: boolean;
  /** Whether it names cargo. */
  readonly hauls: boolean;
  /** Whether it holds the name of a carrier that exists. */
  readonly knowsName: boolean;
}

/** Whether it asks for carriers, or a number of them, by what can't be filtered: "carriers with hazmat in Ohio". */
export function isFiltered({ q, intents, carriers }: Listed): boolean {
  if (carriers.some(isNumbered) || namesCarrier(q) || asksOtherwise(q)) return false;
  const asking: Asking = {
    q,
    intents,
    carriers,
    // "Carriers located in Kahului" are a search for the place.
    specific: topicsIn(intents).some((topic) =>
      !/^(?:overview|names)$/.test(topic) &&
      !(/^(?:location|status)$/.test(topic) && q.sought.place !== "")
    ),
    hauls: cargoGuessed(q).length > 0,
    knowsName: q.names.some(({ exists }) => exists),
  };
  return FILTERS.some((asks) => asks(asking));
}

/**
 * "Is it a truck stop", "why are carriers …", "do I count …", "what's the DOT number for Thunder Ridge Haulers",
 * "united star movers, what is their rating".
 */
function asksOtherwise(q: QuestionView): boolean {
  const [first = ""] = q.unknownPhrases({ named: false });
  return q.has("them") && first.includes(" ") &&
      new RegExp(`^${RegExp.escape(first)} (?:movers|haulers|carriers|truckers)\\b`, "i").test(
        q.reading.text,
      ) ||
    /\btruck stops?\b|^\W*why\b|^\W*(?:do|should|can|must) (?:i|we) count\b/i.test(
      q.reading.text,
    ) ||
    q.says(/^whats? .*\b(?:dot|mc|number)\b.* (?:for|of)\b/);
}

const RANKS = /\b(?:best|better|top|worst|cheapest|safest|biggest|largest|smallest|most|fewest)\b/;

/** The ways to ask for such carriers, in no order. */
const FILTERS: readonly ((asking: Asking) => boolean)[] = [
  // "How many trucks in Ohio".
  ({ q, carriers }) =>
    q.has("count") && (!q.has("named") || q.hasState) || countsOfPlace(q, carriers),
  // "All carriers with a safety rating", "which carriers got shut down in Florida this month".
  ({ q, specific }) =>
    q.has("all") && !q.has("named") &&
    (specific || q.sought.place === "" || ofMany(q) ||
      q.says(/\b(?:today|yesterday|(?:this|last|past) (?:week|month|year))\b/) ||
      q.all("vehicles", "other").length > 0 || q.says(RANKS)),
  // "Every carrier over 50 trucks".
  ({ q, specific }) =>
    q.has("every") && (specific || q.all("vehicles").length > 0) &&
    q.says(/\b(?:carrier|compan|mcs?\b|fleet|trucker|every(?:one|body|thing)\b)/),
  // "Carriers hauling grain in Iowa"; "does the update apply to intrastate carriers" asks for none.
  ({ q, specific, hauls }) =>
    q.has("many") && !q.has("ucr", "fee") && (specific || q.sought.place !== "" && hauls) &&
    !/^\W*(?:does|is|can|should|must|will)\b|\b(?:are|is|do|does|can|have|has) (?:they|he|she|it)\b/i
      .test(q.reading.text) &&
    q.names.filter(({ exists }) => exists).length < 2,
  // "List carriers with unsatisfactory rating in Texas", "show carriers in Kentucky hauling motor vehicles".
  ({ q, specific, hauls, knowsName }) =>
    q.has("find") && (specific || hauls) && !knowsName &&
    q.says(
      /\b(?:carriers|companies|truckers|movers|haulers|companias|empresas|transportistas)\b/,
    ),
  // "Carriers with more than 20 trucks".
  ({ q, knowsName }) =>
    q.has("many", "find") && q.all("vehicles", "other").length > 0 && !q.has("ucr", "fee") &&
    !knowsName,
  // "Best reefer carrier out of Fresno".
  ({ q, carriers }) => carriers.every(isGuess) && ofMany(q),
  // "Every bus company in New Mexico": no name has the word.
  ({ q }) => q.has("all", "every") && q.has("fleet?") && q.sought.name === "",
  ({ q }) => q.has("all", "every", "many") && q.says(/\bwith (?:an? |active )*(?:mc|docket)\b/),
  // "Has any carrier changed its name".
  ({ q }) => q.says(/\b(?:has|have|did|are|is) any (?:carriers?|compan)/),
  // "Which carriers in Georgia have an out-of-service order".
  ({ q, intents }) => q.has("many", "all", "every") && intents.has("no:oos_order"),
  // "New carriers in Miami registered in the last 90 days".
  ({ q }) => NEW_ONES.test(q.reading.text) && (q.hasPlace || q.hasState || q.has("registered")),
  // "Household goods movers in Miami", "need an intermodal drayage carrier near North Las Vegas".
  ({ q, specific, hauls, knowsName }) =>
    !knowsName && (specific || hauls || q.has("cargo") || q.says(/\bmovers\b/)) &&
    q.sought.place !== "" && OF_PLACE.test(q.reading.text),
  // "Who hauls cattle in Kissimmee", "do you have anyone hazmat certified near Hattiesburg".
  ({ q, carriers }) =>
    carriers.length === 0 && q.has("cargo") && q.hasPlace &&
    q.says(/\b(?:who|any|anyone|anybody|someone|somebody|haulers?)\b/),
  ({ q }) => BEST_ONE.some((asked) => asked.test(q.reading.text)),
];

const NEW_ONES =
  /^\W*(?:(?:list|show|find|give|all|any)(?: me| of)*(?: all| the)? )?(?:newly|new|recent\w*) (?:\S+ )?(?:carriers|companies|authorities|dots?(?: numbers)?|mcs?(?: numbers)?)\b/i;

/** "Which carrier in Ohio has the most trucks", "what's the best trucking company in Kansas": not Best Trucking. */
const BEST_ONE: readonly RegExp[] = [
  /^\W*(?:what|which) (?:\S+ ){0,2}(?:carrier|company|firm|broker|fleet)s? (?:in (?:\S+ ){1,2})?(?:has|have|is|are) (?:the )?(?:best|worst|most|fewest|highest|lowest|safest|biggest|largest)\b/i,
  /^\W*(?:what|who|which)\S*(?: is| are)? (?:the )?(?:best|worst|cheapest|safest|top|biggest|largest) (?:\S+ ){0,3}(?:carriers?|compan|firms?)/i,
];

/** "Movers in Miami", "a flatbed carrier near Akron". */
const OF_PLACE =
  /^\W*(?:(?!(?:is|are|does|do|can|what|how|why)\b)\S+ ){0,5}(?:movers|haulers|carriers|companies|truckers) (?:\S+ )?(?:in|near|around|out of) |\b(?:need|want|looking for|find(?: me)?|know) an? (?:\S+ ){0,4}(?:carrier|hauler|mover|company|broker|trucker) (?:in|near|around|out of) |\bof the (?:movers|haulers)\b|\bwho (?:hauls|moves|carries|runs|does) (?:\S+ ){0,3}(?:in|near|around|out of) /i;

/** "How many trucks in Ohio": a count that is not about a carrier. */
function countsOfPlace(q: QuestionView, carriers: readonly CarrierRef[]): boolean {
  return q.says(/\b(?:how many|number of|count of)\b/) && !q.has("them", "ucr", "fee") &&
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
