/**
 * Stage 3, lists: whether carriers of a name or place are listed, and which.
 *
 * @module
 */

import { namesState, stateCode } from "../../../../pipeline/search/query/query.ts";
import type { QuestionView } from "../../entities/entities.ts";
import { IN_NAME, type Sought, soughtText } from "../../entities/sought.ts";
import { looksLikeName } from "../../entities/names.ts";
import { FIRM_WORD } from "../../tokens/vocabulary.ts";
import { type Asked, declinedIn, type Intents, topicsIn } from "../asked/intents.ts";
import type { CarrierRef, SearchList } from "./references.ts";

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
  return (q.has("many", "find", "every", "all") ||
    q.has("named") && q.says(/\b(?:who|any|anyone|anybody|someone|somebody)\b/) ||
    IN_NAME.test(q.reading.text) || isOfKind(q) ||
    // "Who's in Las Cruces".
    /^\W*who(?:['’]?s| is| are| all)* (?:in|near|around) /i.test(q.reading.text) ||
    // "Is there a Cruz in New Jersey", "any Singh in West Virginia".
    /^\W*(?:(?:is|are) there (?:an?|some)|(?:(?:is|are) there )?any) /i.test(q.reading.text) &&
      q.sought.name !== "") &&
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

/** "Freight lines in GA": words that many names have. */
function isOfKind({ sought, reading, names }: QuestionView): boolean {
  return sought.name !== "" &&
    sought.name.toLowerCase().split(" ").every((word) => FIRM_WORD.test(word)) &&
    new RegExp(`^\\W*${RegExp.escape(sought.name)} (?:in|near|around) `, "i").test(reading.text) &&
    names.every(({ exists }) => !exists);
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
  if (intents.has("no:filters") && q.sought.inNames !== true) {
    // "Now do Houston", after "hazmat carriers in Beaumont".
    const place = intents.has("search") && before !== undefined
      ? soughtText(q.sought)
      : q.sought.place;
    return { by: "list", sought: { name: "", place, left: [] }, status: undefined };
  }
  // "Any carrier named Gary Williams other than the one in Delaware".
  const isElsewhere = q.says(/\bother than\b/);
  const sought = isElsewhere
    ? { ...q.sought, place: "" }
    : before === undefined
    ? withPlace(q)
    : q.sought;
  const said = soughtText(sought);
  const isNext = before !== undefined && said !== "" && carriers.length === 0 &&
    !q.has("many", "find", "every", "all", "named");
  const whose = isNext
    ? { name: before.sought.name, place: narrowed(before.sought.place, said), left: [] }
    : said !== ""
    ? sought
    : before?.sought ??
      (first?.by === "name" ? { name: first.text, place: "", left: [] } : sought);
  // "And in Minnesota", after "Green Bay WI", which is no town of Minnesota.
  const wider = isNext && namesState(said.toLowerCase()) && whose.place !== said ? said : undefined;
  return {
    by: "list",
    ...wider !== undefined && { wider },
    sought: whose,
    status: both.length > 0 ? undefined : status,
  };
}

/** The place of a list that is narrowed to another: "Pennsylvania" after "Erie", "Houston" after "Texas". */
export function narrowed(before: string, said: string): string {
  const isState = (place: string): boolean => namesState(place.toLowerCase());
  if (before === "" || isState(said) === isState(before)) return said;
  if (!isState(said)) return `${said} ${before}`;
  // "And in Minnesota", after "Fair Creek Idaho".
  const words = before.split(" ");
  const end = [-2, -1].find((from) =>
    words.length + from > 0 && isState(words.slice(from).join(" "))
  );
  return `${words.slice(0, end).join(" ")} ${said}`;
}
