/**
 * Stage 3, repeated: a question that asks the one before again, or more about its answer.
 *
 * @module
 */

import type { Intent } from "../asked/intents.ts";
import type { FollowUp } from "./follow.ts";

/** "Is that bad": of what the previous question was answered with. */
const ASSESSES =
  /^\W*(?:so |and |ok |hmm )*(?:is|are) (?:that|it|this|those|these|they) (?:\S+ )?(?:bad|good|normal|ok|okay|high|low|late|a lot|usual|typical|common)\W*$/i;

/** "Is that over the average", after a question about rates. */
const COMPARES =
  /^\W*(?:so |and |ok )*(?:compared (?:to|with|against)|how (?:does|do) (?:that|it|this|those|they) (?:compare|sit|stack up|look|rank|hold up) (?:to|with|against|next to|versus|vs)|(?:is|are) (?:that|it|this|those|they) (?:above|over|under|below|better than|worse than|higher than|lower than)) (?:the )?(?:national )?(?:average|avg|country|nation|rest|others|everybody else|everyone else|everyone|most|us|industry|national (?:average|avg|one|number|rate|figure)s?|numbers?|rates?)\W*$/i;

/** "Is it still in effect", after a question about orders. */
const STILL =
  /^\W*(?:so |and |ok )*(?:is|are) (?:it|that|this|they|those|these|the orders?|both) (?:still )?(?:in effect|in force|open|active|standing|valid|lifted|rescinded|on)\W*$/i;

/** "When was that", "since when": of what the previous question asked. */
const ASKS_WHEN =
  /^\W*(?:and |ok |so )?(?:since )?(?:when|what date|what day|how long ago)\b(?: (?:was|is|were|did|are|do|does|they|it|he|that|this|get|got|given|the|issued|date|start|started|begin|happen|happened))*\W*$/i;

/** "Date of it", after a question about a rating or a filing. */
const ASKS_DATE =
  /^\W*(?:and |ok )?(?:the )?dates?(?: (?:of|for) (?:it|that|this|them))?\W*$|^\W*(?:and |ok )?(?:(?:from|of|for) )?(?:what|which) (?:year|date|day) (?:is|was) (?:that|it|this)(?: (?:from|of|for))?\W*$/i;

/** "And driver", after a question about out-of-service rates. */
export const OF_RATES =
  /^\W*(?:driver|truck|vehicle|hazmat)s?(?: (?:or|and) (?:driver|truck|vehicle|hazmat)s?)?(?: to+| also| as well| side)?(?: ok(?:ay)?| good| bad)?\W*$|^\W*(?:and|what about|how about|just|only) (?:for )?(?:the |its |their )?(?:driver|vehicle|truck|hazmat)s?(?: ones?| rates?)?\W*$/i;

/** "OK then where can I look that up", "retry". */
const AGAIN =
  /^\W*(?:(?:and|ok|so|then|but)\W+)*(?:where (?:can|do|could|should|would) (?:i|we) (?:look|find|check|see|get) (?:that|it|this)(?: up| out)?|(?:(?:show|tell) me )?where (?:did |do )?you (?:got|get|found|find|saw|see) (?:that|this|it)|(?:what(?:['’]?s| is) )?(?:the|your) source(?: (?:for|of) (?:that|this|it))?|retry|try again|again|repeat(?: that)?|once more|(?:are )?(?:you|u) (?:sure|certain|serious|positive)(?: (?:about|of) (?:that|it|this))?|really|seriously|for real|(?:please )?double[- ]?check(?: (?:it|that|this|please|pls))*|i (?:don['’]?t|do not) (?:believe|buy) (?:that|it|this)|(?:that|this|it) (?:can['’]?t|cannot|can not|does not|doesn['’]?t) (?:be|look|seem|sound) (?:right|correct|true)|(?:that|this|it)(?:['’]?s| is| was) (?:not right|wrong|not true|incorrect)|(?:is|was) (?:that|this|it) (?:right|correct|true|accurate)|why (?:not|isn['’]?t (?:there|it|that)(?: one| any)?|is (?:that|it|this)|so (?:high|low|many|few))|(?:y )?por qu[eé](?: no)?(?: la)?(?: tienen?)?(?: una| calificaci[oó]n)?)\W*$/i;

/** "Where does that come from": answers name their sources. */
const SOURCE =
  /^\W*(?:(?:and|ok|so)\W+)*where (?:(?:does|did|do) (?:that|this|it|those|these) come from|(?:did |do )?you (?:got|get|found|find) (?:that|this|it))\W*$/i;

/** Whether it asks the question before again, or more about its answer. */
export function repeats({ memory, open, inspected, text }: FollowUp): boolean {
  const asked = (...intents: Intent[]) => intents.some((intent) => memory.intents.has(intent));
  const isWhen = ASKS_WHEN.test(text) || ASKS_DATE.test(text) ||
    /^\W*when was (?:that|it|this) (?:given|issued|assigned|done)\b/i.test(text);
  const isAgain = isWhen ||
    // "Why", "and now?", "reason?"
    /^\W*(?:and |but |so |ok )*(?:for )?(?:what(?:s|'s| is| was)? )?(?:the )?(?:why|why so|how come|reasons?|what for|now|today|currently)\W*$/i
      .test(text) ||
    /^\W*was (?:that|it|this) (?:before|after|in)\b/i.test(text) || AGAIN.test(text) ||
    inspected && asked("inspections", "oos");
  return ASSESSES.test(text) || SOURCE.test(text) || open && isAgain ||
    isWhen && asked("no:oos_order", "rating", "mileage", "review") ||
    asked("oos", "no:oos_order", "inspections") && (OF_RATES.test(text) || COMPARES.test(text)) ||
    asked("no:oos_order") && STILL.test(text);
}
