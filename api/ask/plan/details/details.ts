/**
 * Stage 3, details: which name, changes, days, inspections, list and digits a plan is about, beside what it
 * answers and about whom.
 *
 * @module
 */

import type { QuestionView } from "../../entities/entities.ts";
import { looksLikeName } from "../../entities/names.ts";
import { type Asked, declinedIn, DECLINES, topicsIn } from "../asked/intents.ts";
import { ofVehicles } from "../asked/intent_rules.ts";
import type { Topic } from "../asked/topics.ts";
import type { Settled } from "../settled.ts";
import type { Period } from "../../../rules/orders.ts";
import { leftOutOf, type PartLeftOut } from "../unanswered.ts";
import { listOf } from "../whom/lists.ts";
import { type CarrierRef, isGivenCarrier, type SearchList } from "../whom/references.ts";
import type { Given } from "../whom/given.ts";
import { isOfFirm } from "../whom/subjects.ts";
import { type Fleet, moreVehicles } from "./fees.ts";
import { type AskedChanges, changesAsked } from "./history.ts";
import type { AskedInspections } from "./inspected.ts";
import { dayMentioned, type TimesSaid } from "./times.ts";

/** The one or two digits in which a number ends: "my DOT ends in 45". */
function endingOf(q: QuestionView): string | undefined {
  // Not "truck 12 broke down, when is the MCS-150 due".
  if (!OF_DIGITS.test(q.reading.text)) return undefined;
  // "Ends in 7 and the second to last digit is 4".
  const tens = /\b(?:second|next)[ -]to[ -](?:the )?last (?:digit )?(?:is |= ?)?(\d)\b/i
    .exec(q.reading.text)?.[1];
  const [digits, ...more] = q.all("other", "unresolved").flatMap(({ text }) =>
    /(?<!\d)\d{1,2}$/.exec(text)?.[0] ?? []
  );
  const [second, ...others] = more;
  if (tens !== undefined && others.length === 0 && digits !== undefined) {
    return second === undefined ? undefined : tens + (digits === tens ? second : digits);
  }
  return more.length === 0 ? digits : undefined;
}

const OF_DIGITS = /\b(?:ends?|ended|ending|digits?)\b|^\W*(?:\p{L}+ ){0,3}\d{1,2}\W*$/iu;

/** Topics whose answer is of the day of the files. */
const OF_RECORD: ReadonlySet<Topic> = new Set<Topic>(
  ("overview verdict status authority dockets rating fleet names location operation contact cargo")
    .split(" ") as Topic[],
);

/** What a question says about days, and about inspections. */
export type Times = TimesSaid & { readonly inspections: AskedInspections | undefined };

export interface Details {
  /** The name to compare with the carrier of a number. If not `sure`, it is used only if it matches. */
  readonly given?: Given | undefined;
  /** Which changes are asked for, if any. */
  readonly changed?: AskedChanges | undefined;
  /** The past day to answer for, `YYYY-MM-DD`. */
  readonly asOf?: string | undefined;
  /** A past day that it mentions, `YYYY-MM-DD`, where the record of now is given. */
  readonly mentioned?: string | undefined;
  /** The past days for which out-of-service orders are asked for; their dates answer for any day. */
  readonly ordersIn?: Period | undefined;
  /** The inspections that are asked for, apart from all of them. */
  readonly inspected?: AskedInspections | undefined;
  /** What is listed, of a search. */
  readonly list?: SearchList | undefined;
  readonly leftOut: readonly PartLeftOut[];
  /** How many vehicles it adds to the fleets on file for the UCR fee. */
  readonly more: number;
  /** The last digits of a USDOT number for which it asks a due date, one or two. */
  readonly ending?: string | undefined;
}

/** What is answered about whom. */
interface Decided extends Settled, Asked {
  readonly fleets: readonly Fleet[];
  readonly terms?: readonly string[];
}

/** Which name, changes, days, inspections and list of what was decided, and what is left out. */
export function detailsOf(
  q: QuestionView,
  decided: Decided,
  { times, asked, given, told, listed, today }: {
    times: Times;
    /** What its own words ask. */
    asked: Asked;
    given: Given | undefined;
    /** The carriers of the conversation. */
    told: readonly CarrierRef[];
    /** What the question before listed. */
    listed: SearchList | undefined;
    today: string;
  },
): Details {
  const { intents } = decided;
  const more = intents.has("ucr") ? moreVehicles(q) : 0;
  const compared = asked.intents.has("match") ? given : undefined;
  // "Is DOT 286764 general transport brokerage" asks nothing else that the last word may be.
  const alone = topicsIn(intents).length === 1 && q.names[0] !== undefined &&
    looksLikeName(q.reading, q.names[0]);
  const inspected = intents.has("inspections") || intents.has("oos")
    ? times.inspections
    : undefined;
  const ordersIn = intents.has("no:oos_order") ? times.period : undefined;
  // "Was my truck put out of service on Nov 2": the inspections of that day, as known today.
  const ofDay = inspected?.period !== undefined && !/\bas of\b/i.test(q.reading.text) &&
    (intents.has("inspections") || ofVehicles(q)) &&
    topicsIn(intents).every((topic) => topic === "inspections" || topic === "oos");
  const asOf = ofDay ? undefined : times.day;
  // "Carrier 24129, loss was 6/14/2026".
  const isOfRecord = isBeside(decided) || topicsIn(intents).length > 0 &&
      topicsIn(intents).every((topic) => OF_RECORD.has(topic));
  const mentioned = asOf === undefined && isOfRecord && decided.carriers.some(isGivenCarrier)
    ? dayMentioned(q, today)
    : undefined;
  return {
    more,
    given: compared && { ...compared, sure: compared.sure || alone },
    ...intents.has("changes") && {
      changed: changesAsked(q, { topics: topicsIn(intents), today }),
    },
    ...intents.has("mcs150_digits") && { ending: endingOf(q) },
    ...asOf !== undefined && { asOf },
    ...mentioned !== undefined && { mentioned },
    ...ordersIn !== undefined && { ordersIn },
    ...inspected !== undefined && { inspected },
    ...intents.has("search") && { list: listOf(q, decided, listed) },
    leftOut: decided.terms === undefined || !intents.has("terms")
      ? leftOutOf(q, {
        ...decided,
        told,
        given: compared,
        asOf: asOf ?? mentioned,
        ordersIn,
        inspected,
        more,
      })
      : [],
  };
}

/** Whether what is asked is declined, and carriers are there whose overview or list is given beside. */
export function isBeside(
  { intents, carriers, lacks }: Settled,
): boolean {
  // "Is it ok to reactivate them in our system".
  const declined = declinedIn(intents).filter((topic) =>
    DECLINES[topic].ofCarrier || topic === "filing" && intents.has("no:trust")
  );
  if (lacks !== undefined || declined.length === 0) return false;
  return intents.has("search") ||
    carriers.length > 0 && carriers.length <= 3 && declined.length === intents.size &&
      carriers.every((ref) => isGivenCarrier(ref) || isOfFirm(ref));
}
