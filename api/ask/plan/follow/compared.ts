/**
 * Stage 3, compared: a carrier that a question compares with those before, or several of before.
 *
 * @module
 */

import { distinct, isGivenCarrier, isGuess } from "../whom/references.ts";
import { type Intent, topicsIn } from "../asked/intents.ts";
import { type Carried, type FollowRule, type FollowUp, withIntents } from "./follow.ts";

/** "Compare them", "put them side by side". */
const BOTH =
  /^\W*(?:(?:ok|and|now|so|then|please|can you|just) )*compare (?:them|those|these|both|the two)\b|\b(?:side by side|next to each other)\b|\b(?:connections?|link|related|relation|difference)\b.*\b(?:them|two|both)\b/i;

const WHICH =
  /^\W*(?:and |so |ok )*(?:which|who)(?: one| of (?:them|those|these|the two))?(?: is|'?s| has| have| had)? (?:the )?(?:\S+ )?(?:more|fewer|less|most|best|worse|worst|\w+er|\w+est)\b|\bwhich (?:one )?of (?:those|these|them|the)(?: two)?\b(?! (?:three|four|3|4)\b)|^\W*(?:and |so )?which (?:one|of them)['’]?s?\b|\b(?:are|is|does|do|has|have) (?:either|both|neither)\b/i;

/** "And the fewest drivers", after a comparison. */
export const OF_SEVERAL: FollowRule = ({ q, memory, intents, carriers }) =>
  memory.carriers.length > 1 && memory.carriers.every(isGivenCarrier) &&
    carriers.every(isGuess) &&
    (topicsIn(intents).some((topic) => topic !== "overview") || q.has("vehicle", "fleet?"))
    ? {
      intents: withIntents(
        intents.difference(new Set<Intent>(["overview"])),
        "compare",
        ...q.has("vehicle", "fleet?") ? ["fleet"] as const : [],
      ),
      carriers: memory.carriers,
    }
    : undefined;

const IN_PLACE = /\b(?:in|from|near|out of) \p{Lu}/u;

/** "OK rank all three by trucks", after a comparison. */
export const RANKED: FollowRule = ({ memory, intents, carriers, text }) =>
  memory.carriers.length > 1 && memory.carriers.length < 4 &&
    !memory.carriers.some(isGuess) && carriers.every(isGuess) &&
    /\b(?:rank|sort|order)\b.*\b(?:all (?:three|of them)|them|these|those|both|the (?:two|three))\b/i
      .test(text)
    ? {
      intents: withIntents(intents.difference(new Set<Intent>(["no:filters"])), "compare"),
      carriers: memory.carriers,
    }
    : undefined;

/** "35455", "and 36937", "which is bigger". */
export const OF_TWO: FollowRule = ({ memory, intents, carriers, text }) => {
  const two = distinct([...memory.earlier, ...memory.carriers]);
  return carriers.every(isGuess) && two.length === 2 && !two.some(isGuess) &&
      (WHICH.test(text) || BOTH.test(text))
    // "Which one is in Miami".
    ? {
      intents: withIntents(intents, "compare", ...IN_PLACE.test(text) ? ["location"] as const : []),
      carriers: two,
    }
    : undefined;
};

/** "Are they bigger than General Transport", "compare with 286764". */
function compares({ q, memory, intents, open, own, text }: FollowUp): boolean {
  const isMore = q.says(
    /\b(?:its|their|his|her) (?:\S+ ){1,3}compare (?:with|to|against)\b|\b(?:it|they|them|this|that)\b.*\b(?:than|same (?:\S+ )?as)\b|\bcompare (?:it|them|that|this|those) (?:with|to)\b|\b(?:beside|next to|alongside) (?:it|that|this|them)\b|\b(?:it|they) compare (?:with|to|against)\b/,
  );
  return isMore || /^\W*(?:and )?compare (?:with|to|against)\b/i.test(text) ||
    q.has("compare") && topicsIn(intents).length === 0 && memory.carriers.length > 0 ||
    /^\W*(?:and )?(?:vs|versus)\b/i.test(text) ||
    // "Is Swift bigger", after a question about another.
    own && memory.carriers.length > 0 &&
      /\b(?:bigger|smaller|larger|better|worse|newer|older|safer|higher|lower|more|fewer)\W*$/i
        .test(text) ||
    memory.lacksCarrier && memory.intents.has("compare") && open;
}

export const BY_COMPARISON: FollowRule = (follow) => {
  const [only, ...more] = follow.carriers;
  if (only === undefined || more.length > 0) return undefined;
  // "Is it trending better": no name.
  const isWord = only.by === "name" && !only.exists && /^\p{Ll}+$/u.test(only.text) &&
    !/\b(?:than|vs\.?|versus|with|to|against)\b/i.test(follow.text);
  return !isWord && compares(follow) ? comparison(follow) : undefined;
};

/** The carriers before and the new one: compared if they are few. */
function comparison({ memory, intents, carriers }: FollowUp): Partial<Carried> {
  const all = distinct([...memory.carriers, ...carriers]);
  // "Compare that with 286764", after a question about inspections.
  const topics = topicsIn(intents).length === 0
    ? topicsIn(memory.intents).filter((topic) => !/^(?:match|overview)$/.test(topic))
    : [];
  const both = withIntents(intents, ...topics);
  const compare = new Set<Intent>(["compare"]);
  return {
    intents: all.length <= 3 ? both.union(compare) : both.difference(compare),
    carriers: all,
  };
}
