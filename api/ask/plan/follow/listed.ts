/**
 * Stage 3, listed: what a question asks of the list of the one before.
 *
 * @module
 */

import { soughtText } from "../../entities/sought.ts";
import { topicsIn } from "../asked/intents.ts";
import { type FollowRule, withIntents } from "./follow.ts";

/** "Only the active ones", after a list. */
const ONLY_STATUS =
  /^\W*(?:\S+ ){0,5}(?:in)?active(?: (?:ones?|carriers|companies|please|pls|only))*\W*$/i;

const OF_THOSE =
  /\b(?:which|what|how many|any|one|all|some|who) (?:ones? )?of (?:those|them|these)\b|^(?:and |ok )?(?:any (?:ones? )?(?:with|that|who|over|under)|with)\b|^(?:and |ok |so )?(?:(?:which|who|what) (?:one )?(?:is|has) |whos |show me |just )?(?:the )?(?:most|fewest|best|worst|big+est|largest|smallest|newest|oldest|safest)\b|\b(?:ones?|any) with (?:more|less|fewer|at least|over|under)\b|\b(?:just|only) (?:the )?(?:ones|those|them) (?:with|that|which|who|over|under)\b/;

const NARROWS =
  /^\W*(?:(?:and|ok|now|then|can you|please) )*(?:narrow|filter|sort|rank|order)\b|\btop \d+\b/i;

const HOW_MANY =
  /^\W*(?:(?:and|ok|so)\W+)*how many (?:(?:is|are|were) (?:that|those|they|there|it)|in total|in all|altogether|total|results?|of them)(?: in total| altogether)?\W*$|^\W*(?:next|more|show (?:me )?more|next page|the (?:rest|others)|go on)\W*$/i;

const ONLY_PLACE =
  /^\W*(?:(?:and|ok|just|only|no|now|then|do|try|same for|sorry|what about|how about|i meant?|ones?|in|near)\W+)*(?:(?:el|la|de|st|ft|mt)\.? )?\p{L}[\p{L}'-]{2,}(?:,? \p{L}{2,}){0,2}\W*$/iu;

/** What a question that names no carrier means after a list. */
export const LISTED: readonly FollowRule[] = [
  ({ memory, intents, carriers, text }) =>
    memory.list !== undefined && carriers.length === 0 && ONLY_STATUS.test(text) &&
      topicsIn(intents).every((topic) => topic === "status")
      ? { intents: withIntents([], "search"), carriers: memory.carriers }
      : undefined,
  // "Pennsylvania", "ok just Houston", after a list.
  ({ q, memory, carriers, open, own, text }) =>
    memory.list !== undefined && open && !own && ONLY_PLACE.test(text) &&
      !q.says(/\b(?:thats?|is|it|they)\b/) &&
      carriers.every((ref) => ref.by === "name" && !ref.exists) &&
      soughtText(q.sought) !== ""
      // "Hazmat carriers in Beaumont", "now do Houston": hazmat can't be filtered there either.
      ? {
        intents: withIntents(
          [],
          "search",
          ...memory.intents.has("no:filters") ? ["no:filters"] as const : [],
        ),
        carriers: [],
      }
      : undefined,
  // "How many is that", after a list, which says how many were found.
  ({ memory, text }) =>
    memory.list !== undefined && HOW_MANY.test(text)
      ? { intents: withIntents([], "search"), carriers: [] }
      : undefined,
  // "Which of those have an MC", "just the ones with hazmat", after a list.
  ({ q, memory }) =>
    (memory.list !== undefined || memory.intents.has("no:filters")) && q.says(OF_THOSE)
      ? { intents: withIntents([], "no:filters"), carriers: [] }
      : undefined,
  // "Hazmat?", after a list of one.
  ({ memory, intents, carriers }) =>
    memory.list !== undefined && carriers.length + memory.carriers.length === 0 &&
      topicsIn(intents).some((topic) => !/^(?:status|overview)$/.test(topic))
      ? { carriers: [{ by: "choice", of: memory.list, index: 0, only: true }] }
      : undefined,
  // "Narrow to 50+ power units", "sort them by rate", "just the top 5"; "and Kansas", after a count.
  ({ q, memory, carriers, text }) =>
    carriers.every((ref) => ref.by === "name" && !ref.exists) &&
      ((memory.list !== undefined || memory.intents.has("no:filters")) &&
          (NARROWS.test(text) ||
            memory.list !== undefined && q.all("vehicles").length > 0 && !q.has("ucr", "fee")) ||
        memory.list === undefined && memory.intents.has("no:filters") && ONLY_PLACE.test(text) &&
          q.sought.name !== "")
      ? { intents: withIntents([], "no:filters"), carriers: [] }
      : undefined,
];
