/**
 * A plan in words.
 *
 * @module
 */

import { formatForPeople } from "../../pipeline/dates.ts";
import { listed, plural, quoted } from "../../pipeline/text.ts";
import { readAsWords } from "./answers/notes.ts";
import { soughtText } from "./entities/sought.ts";
import { declinedIn, DECLINES, generalIn, topicsIn } from "./plan/asked/intents.ts";
import type { Plan } from "./plan/plan.ts";
import { refName } from "./plan/whom/references.ts";
import { TOPICS } from "./plan/asked/topics.ts";
import { EXPLANATIONS } from "./tokens/vocabulary.ts";

const GENERAL_NAMES: Readonly<Record<string, string>> = {
  data_date: "The date of the data",
  count: "The number of carriers",
  ucr_brackets: "UCR brackets",
};

/** A plan in words. */
export function understoodOf(
  plan: Plan,
): string {
  const { intents, carriers, list, fleets, terms, years, leftOut, lacks, asOf, ordersIn } = plan;
  const { readAs, unclear } = plan;
  if (lacks?.part === "question") return "Nothing that can be answered here";
  const whom = listed(carriers.map(refName)) || "a carrier";
  const about = listed(topicsIn(intents).map((topic) => TOPICS[topic].name));
  const fleet = listed(fleets.map(({ vehicles }) => plural(vehicles, "vehicle"))) || "a fleet";
  const declined = declinedIn(intents).map((topic) => DECLINES[topic].name);
  const parts = [
    readAs !== undefined && readAsWords(readAs),
    intents.has("compare") && `Compare ${whom}${about && `: ${about}`}`,
    list !== undefined && `Search for ${quoted(soughtText(list.sought))}`,
    unclear
      ? `Not understood, so the record of ${whom}`
      : !intents.has("compare") && about && `${about} of ${whom}`,
    asOf !== undefined && `As of ${formatForPeople(asOf)}`,
    ordersIn !== undefined &&
    `From ${formatForPeople(ordersIn.from)} to ${formatForPeople(ordersIn.to)}`,
    (fleets.length > 0 || lacks?.part === "vehicles") &&
    `UCR fee of ${fleet}${years.length > 0 ? ` for ${listed(years.map(String))}` : ""}`,
    ...generalIn(intents).flatMap((one) => one === "terms" ? terms : [one])
      .map((one) => GENERAL_NAMES[one] ?? EXPLANATIONS[one]!.name),
    declined.length > 0 && `Not answered here: ${listed(declined)}`,
    ...[true, false].map((asked) => {
      const texts = leftOut.filter((one) => one.asked === asked).map(({ text }) => quoted(text));
      return texts.length > 0 && `Not ${asked ? "answered" : "used"}: ${texts.join(", ")}`;
    }),
  ];
  return parts.filter(Boolean).join(". ") || `A question about ${whom}`;
}
