/**
 * Stage 3, what is asked: the intents of a question's phrases and rules, and its guesses.
 *
 * @module
 */

import type { QuestionView } from "../../entities/entities.ts";
import {
  type About,
  type Asking,
  GENERAL_RULES,
  OUTRANKED,
  reactivates,
  type Rules,
} from "./intent_rules.ts";
import { TOPIC_RULES } from "./topic_rules.ts";
import {
  type Asked,
  declinedIn,
  generalIn,
  type Intent,
  intentOf,
  type Intents,
  isOfOtherRules,
  isSpecific,
  isTopicOrDeclined,
} from "./intents.ts";
import { cargoGuessed, countsGuessed, ratiosAsked } from "./guesses.ts";
import { namesCarrier } from "../whom/filters.ts";
import { isGivenCarrier, isNumbered } from "../whom/references.ts";
import { TOPIC_KEYS } from "./topics.ts";

/** "Is the authority still active" asks of the authority, not of the USDOT number. */
const AUTHORITY_STATUS =
  /\b(?:authority|docket|mc)\b(?: (?!and\b)\S*){0,5} (?:(?:in)?active|alive|live)\b|\bauthority status\b/;

const MEANS = /^\W*(?:(?:so|ok) )*(?:meaning|that means|which means)\b/i;

/** What a subject of other rules says more exactly. */
const VAGUER: readonly Intent[] = [
  "no:legal",
  "no:explanations",
  "no:drivers",
  "no:other_filings",
  "no:trust",
];

/** Topics for which only the present is known. */
const UNDATED: ReadonlySet<Intent> = new Set<Intent>([
  "status",
  "authority",
  "rating",
  "fleet",
  "location",
  "operation",
  "contact",
  "cargo",
]);

/** What a question asks for. */
export function intentsOf(q: QuestionView, about: About): Asked {
  const { carriers, linked, past } = about;
  const sure = [...q.marks].filter((mark) => !mark.endsWith("?") || q.lists(mark));
  // "Is this MC number active: 186800" asks for no docket.
  const isGiven = q.numbers.some(({ mentioned }) => mentioned);
  const marked = new Set(
    sure.map(intentOf).filter((one) =>
      isTopicOrDeclined(one) && !(isGiven && one === "dockets") &&
      // "Difference between MC 12136 and MC 22511".
      !(one === "no:explanations" && carriers.some(isGivenCarrier)) &&
      // "Meaning they can't come to Kansas", of the carrier before.
      !(one === "no:explanations" && about.follows && MEANS.test(q.reading.text)) &&
      // "Do I have to file my MCS-150 this year, my DOT is 37363".
      !(one === "no:legal" && q.has("mcs150", "mc") && carriers.some(isNumbered)) &&
      // "Need someone who hauls produce. Does Pamebel Produce".
      !(one === "no:filters" && (namesCarrier(q) || carriers.filter(isNumbered).length > 1)) &&
      // "How many drivers with a CDL does USDOT 31851 report".
      !(one === "no:drivers" && carriers.some(isGivenCarrier) &&
        q.says(/\bhow many\b.*\bcdls?\b/)) &&
      // "Amrit Ortiz, doing business as Gamma Star Trucking".
      !(one === "names" && carriers.length > 1 && q.says(/\bdoing business as\b/) &&
        !q.says(/\bnames?\b/)) &&
      // "My plate guy says my DOT 27378 has no cargo".
      !(one === "no:reverse" && carriers.some(isGivenCarrier))
    ),
  );
  if (isStopped(q)) marked.add("no:oos_order");
  const general = withRules(GENERAL_RULES, { ...about, q, intents: marked });
  const asked = withRules(TOPIC_RULES, { ...about, q, intents: general });
  const vague = isSpecific(asked.difference(new Set(["match"]))) ||
      declinedIn(asked).length + generalIn(asked).length > 0 ||
      // "Carry liquids": the cargo on file answers, whatever the unknown word means.
      !q.isKnown({
          names: carriers.some(isNumbered) && !q.names.every(({ exists }) => exists),
        }) &&
        !(q.has("cargo?") &&
          (q.has("them") || carriers.some(isGivenCarrier)))
    ? []
    : [...q.marks].filter((mark) =>
      mark.endsWith("?") &&
      // "Raul Gonzalez dba Gonzalez Trucking Baton Rouge".
      !(mark === "names?" && carriers.length > 0 &&
        [...q.marks].every((one) => /^(?:names\?|join|soft)$/.test(one)))
    );
  const all = asked.union(new Set(vague.map(intentOf)));
  const undated = past ? all.intersection(UNDATED) : new Set<Intent>();
  const isOpenPast = past && (carriers.length > 0 || about.follows && all.size > 0) &&
    [...all].every((one) => one === "overview");
  const dated: Intents = undated.size > 0 || isOpenPast
    ? all.difference(undated).union(new Set<Intent>(["no:history"]))
    : all;
  // "Is 9824 conditional, and what does that mean": of a carrier, and explained.
  // "UCR deadline, and is 9824 active": of a carrier, and in general.
  const isBeside = carriers.some(isGivenCarrier);
  const outranked = [...dated].flatMap((intent): readonly Intent[] => {
    if (isBeside && intent === "terms") return ["no:explanations"];
    if (isBeside && intent === "ucr_dates") return [];
    // "Is it exempt from hours of service, and what is its out of service rate".
    if (isBeside && intent === "no:legal") return ["no:filing", "no:drivers"];
    if (isOfOtherRules(intent)) return VAGUER;
    // "What does it have to do to reactivate its USDOT number".
    if (isBeside && intent === "no:filing" && reactivates(q) && q.says(/\b(?:what|how)\b/)) {
      return TOPIC_KEYS.filter((topic) => topic !== "status");
    }
    // "Wants to change bank details. What phone is on file?"
    if (intent === "no:filing" && dated.has("contact") && q.says(/\b(?:call|what|which)\b/)) {
      return TOPIC_KEYS.filter((topic) => topic !== "contact");
    }
    // "Keeps bidding on my dry van loads. What cargo is Roberts Bus registered for?"
    if (intent === "no:load_rates") return isBeside ? [] : ["cargo", "mileage", "fleet"];
    // "How do I get my authority reinstated after my insurance lapsed".
    if (intent === "terms" && reactivates(q)) {
      return [...OUTRANKED.terms!, "no:licensing", "no:insurance"];
    }
    // "How many times was it placed out of service": its vehicles and drivers, or the carrier itself.
    if (
      intent === "oos" &&
      (q.says(/\b(?:oos|out of service) orders?\b/) || q.says(
        /\b(?:often|times|(?:my|his|her|this|the|their|a) (?:truck|vehicle|driver|tractor))\b/,
      ) ||
        isStopped(q))
    ) return [];
    return OUTRANKED[intent] ?? [];
  });
  const ranked = dated.difference(new Set(outranked));
  const intents = ranked.has("status") && !isGiven && !q.lists("status") && q.says(AUTHORITY_STATUS)
    ? ranked.difference(new Set(["status"])).union(new Set<Intent>(["authority"]))
    : ranked;
  const guessed = [...sure, ...vague, ...countsGuessed(q), ...cargoGuessed(q), ...ratiosAsked(q)];
  const guesses = guessesOf(guessed, q, intents);
  return { intents, guesses: linked === null ? guesses : guesses.add(linked) };
}

/** "Is he OOS": the carrier, or its vehicles. */
function isStopped(q: QuestionView): boolean {
  return q.says(
    /\b(?:is|are|was|were) (?:\S+ ){0,3}oos$|\b(?:placed|put|ordered) (?:oos|out of service) (?:for (?:fail|not|refus|imminent|unpaid|having|being)\w*|because\b|due\b)/,
  );
}

/** The intents, plus those whose rules apply. */
function withRules(rules: Rules, asking: Asking): Intents {
  const held = Object.entries(rules).filter(([, rule]) => rule(asking));
  return asking.intents.union(new Set(held.map(([intent]) => intent as Intent)));
}

function guessesOf(marks: readonly string[], q: QuestionView, intents: Intents): Set<string> {
  const guesses = marks.filter((mark) => mark.includes("=")).map((mark) => mark.replace("?", ""));
  // "When was it filed" doesn't assume an answer.
  const filed = intents.has("mcs150") && q.has("mcs150=filed?") && !q.has("when");
  // "He filed last month, does it show": whether it was filed then, not in time.
  const isThen = q.says(/\b(?:last|this) (?:month|week|year)\b|\b(?:yesterday|today|ago)\b/);
  const all = new Set([...guesses, ...filed ? ["mcs150=filed"] : []]);
  return isThen ? all.difference(new Set(["mcs150=filed"])) : all;
}
