/**
 * Stage 3, settled: what is answered about whom where a question has no topic or no carrier, or what it lacks.
 *
 * @module
 */

import { quoted } from "../../../pipeline/text.ts";
import type { QuestionView } from "../entities/entities.ts";
import { looksLikeName } from "../entities/names.ts";
import type { NumberEntity } from "../entities/number_entity.ts";
import { FIRM_WORD } from "../tokens/vocabulary.ts";
import type { Fleet, Lack } from "./details/fees.ts";
import {
  declinedIn,
  generalIn,
  type Intent,
  type Intents,
  isOpen,
  isSpecific,
  topicsIn,
} from "./asked/intents.ts";
import { isList, listsPlace, seeks } from "./whom/lists.ts";
import { type CarrierRef, isGivenCarrier } from "./whom/references.ts";

/** What is asked, about whom; `lacks` is what must be asked back first. */
export interface Settled {
  readonly intents: Intents;
  readonly carriers: readonly CarrierRef[];
  readonly lacks?: Lack | undefined;
}

/** The fees that are asked for, or what is lacking to know them. */
interface Fees {
  readonly fleets: readonly Fleet[];
  readonly lacks?: Lack | undefined;
}

export function settle(q: QuestionView, asked: Settled & { fees: Fees }): Settled {
  const { intents, carriers, fees } = asked;
  const lacks = lackOf(q, asked);
  if (lacks !== undefined) return { intents, carriers, lacks };
  // "Show me everybody in Joliet with active authority": those in Joliet, and what can't be filtered.
  const isFiltered = intents.has("no:filters") || isSpecific(intents) && seeks(q);
  if (isFiltered && carriers.length === 0 && listsPlace(q) && !isList(q, intents)) {
    return { intents: new Set<Intent>(["no:filters", "search"]), carriers };
  }
  // "List all companies with Delgado in the name or DBA".
  const isOfName = q.has("find", "all", "every", "many") &&
    q.says(/\bin (?:the|its|their|a) (?:names?|dba|company name)\b/);
  if (isOfName && carriers.every((ref) => ref.by === "name")) {
    return { intents: new Set<Intent>(["search"]), carriers };
  }
  const done = fees.fleets.length + generalIn(intents).length > 0;
  const isOnly = carriers.length === 1 && carriers.every(isGivenCarrier);
  const named = carriers.filter((ref) => ref.by === "name");
  // "A carrier called John Williams, is there more than one", "how many carriers named Singh Express are in Florida".
  const asksMore = named.length === 1 && carriers.length === 1 &&
    (q.says(
      /\b(?:more than one|any others?|another one)\b|\bare there (?:any )?other (?:\S+ ){0,2}(?:named|called)\b/,
    ) ||
      q.says(/\bhow many \w+ (?:are )?(?:named|called)\b/) && q.sought.place !== "") &&
    topicsIn(intents).every((topic) => /^(?:location|status)$/.test(topic)) &&
    declinedIn(intents).length === 0;
  // "Any carrier named Gary Williams other than the one in Delaware".
  const asksOthers = q.says(/\bother than\b/) && q.has("named", "find", "many") && named.length > 0;
  if (asksMore || asksOthers) {
    const [{ name }] = named as [CarrierRef & { by: "name" }];
    const only: CarrierRef = { by: "name", text: name, name, place: "" };
    return { intents: new Set<Intent>(["search"]), carriers: [only] };
  }
  // "Which of those is Cedar Trans".
  if (q.says(/^which (?:ones? )?(?:of (?:those|them|these) )?is\b/) && isOnly && isOpen(intents)) {
    return { intents: new Set<Intent>(["overview"]), carriers };
  }
  // "Evans Services in Portland Oregon or Portland Maine, which one is the carrier" compares places.
  const isOne = named.length > 0 && q.says(/\bwhich one is\b/) &&
    (q.names.length > carriers.length || named.some(({ place }) => place !== ""));
  if (q.has("compare") && carriers.length === 1 && isOpen(intents) && !isOne) {
    return { ...withIntent("compare", asked), lacks: { part: "carrier" } };
  }
  if ((carriers.length === 0 || carriers[0]!.by === "name") && !done && isList(q, intents)) {
    return { intents: new Set<Intent>(["search"]), carriers };
  }
  if (topicsIn(intents).length > 0 && carriers.length === 0) {
    return withoutCarrier(q, intents, done);
  }
  return !isOpen(intents) || done || intents.has("compare") || intents.has("search")
    ? { intents, carriers }
    : withoutTopic(q, { intents, carriers });
}

function withIntent(intent: Intent, { intents, carriers }: Settled): Settled {
  return { intents: intents.union(new Set([intent])), carriers };
}

/** A number that is no carrier's, of either kind, or of an option that was never listed. */
function lackOf(
  q: QuestionView,
  { carriers, fees }: { carriers: readonly CarrierRef[]; fees: Fees },
): Lack | undefined {
  const [first] = carriers;
  const wrong = q.all("usdot", "docket").find(({ problem }) => problem !== undefined);
  if (wrong !== undefined && !carriers.some(isGivenCarrier)) {
    return { part: wrong.role === "docket" ? "mc" : "dot", problem: wrong.problem! };
  }
  const long = q.all("unresolved").find(({ text }) => /^\d{9,10}$/.test(text));
  if (long !== undefined && carriers.length === 0 && q.says(OF_CARRIERS)) {
    return { part: "dot", problem: `${long.text} is no USDOT number: it has too many digits` };
  }
  const doubtful = q.numbers.find(({ doubtful }) => doubtful);
  if (doubtful !== undefined) return doubt(doubtful);
  if (fees.lacks !== undefined) return fees.lacks;
  const problem = "I can't tell which carrier that is: no earlier question listed several";
  return first?.by === "choice" && first.of === null ? { part: "carrier", problem } : undefined;
}

/** A number that may be of either kind. */
function doubt({ text, value }: NumberEntity): Lack {
  const digits = String(value || text.replace(/\D/g, ""));
  return {
    part: "number",
    problem: `${text} could be a USDOT number or an MC number, which are different carriers`,
    options: [`DOT ${digits}`, `MC ${digits}`],
  };
}

/** Asks for a part, or what a number is that may be it. */
function lacking(q: QuestionView, part: Lack["part"]): Lack {
  // "A rating from like 2009" has no carrier's number.
  const isOfYear = q.says(/\b(?:from|in|since|until)(?: like| about)?(?: the)?$/) ||
    /\b(?:from|in|since|until)(?: like| about)? (?:19|20)\d\d\b/i.test(q.reading.text);
  const unclear = (isOfYear ? undefined : q.all("unresolved")[0]) ??
    // "437 inspections pls".
    q.all("other", "vehicles").find(({ text }) =>
      /^\d{3,8} (?:inspections?|violations?|trucks?|drivers?|vehicles?|(?:power )?units?)$/i.test(
        text,
      )
    );
  return unclear === undefined
    ? { part }
    : { part: "number", problem: `I can't tell what ${unclear.text} is` };
}

/** Topics of no carrier: dropped beside what is answered or declined, else asked for. */
function withoutCarrier(q: QuestionView, intents: Intents, done: boolean): Settled {
  if (declinedIn(intents).length > 0 || done) {
    return { intents: intents.difference(new Set(topicsIn(intents))), carriers: [] };
  }
  const onlyOverview = intents.size === 1 && intents.has("overview");
  const nothing = onlyOverview && !q.has("lookup", "dot", "mc") &&
    !q.says(/\ban? (?:carrier|company|broker)\b/);
  return { intents, carriers: [], lacks: lacking(q, nothing ? "question" : "carrier") };
}

/** Words beside a bare number that show it to be a carrier's. */
const OF_CARRIERS = /\b(?:carriers?|haul\w*|mc|door|record|company)\b/;

/** A search, a comparison or an overview, or else what isn't understood. */
function withoutTopic(q: QuestionView, plan: Settled): Settled {
  const { intents, carriers } = plan;
  const [first] = carriers;
  if (first?.by === "name" && isSearch(q)) return withIntent("search", plan);
  const { unknown } = q;
  // A number that no word beside it says the kind of, and something unknown: "flight 286764".
  const isUnsure = q.carrierNumbers.some(({ bare, mentioned }) => bare || mentioned) &&
    !q.says(OF_CARRIERS);
  if (unknown !== undefined && isUnsure && !q.has("compare")) {
    const problem = `I don't know what ${quoted(unknown)} means`;
    return { ...plan, lacks: { part: "question", problem } };
  }
  if (
    q.names.filter(({ exists }) => exists).length > 1 && carriers.length <= 3 &&
    !q.says(/\bdba\b/)
  ) {
    return withIntent("compare", plan);
  }
  if (first !== undefined && isAbout(q, carriers)) return withIntent("overview", plan);
  // "Blue Ridge haulers Knoxville TN", of which no carrier has the name.
  const words = q.sought.name.split(" ").length > 2 && q.has("many") && !q.has("all", "every");
  // "All the Smith trucking companies in California".
  const lists = q.has("many", "all", "every") && q.sought.place !== "" &&
    (q.sought.name === "" || q.has("all", "every", "find") || q.names.length > 0 ||
      q.says(/\b(?:carriers|compan|firms|outfits)/));
  // "Trucking in Minot ND, what's on file".
  const [kind, link] = q.reading.tokens;
  const ofKind = kind !== undefined && FIRM_WORD.test(kind.text) && link?.text === "in" &&
    q.sought.place !== "";
  if (ofKind || first === undefined && (lists || words)) return withIntent("search", plan);
  const part = q.has("lookup") && first === undefined ? "carrier" : "question";
  return { intents, carriers: [], lacks: lacking(q, part) };
}

/** Whether carriers of a name are searched for, not the one of that name. */
function isSearch(q: QuestionView): boolean {
  const ofPlace = q.has("many") && (q.hasPlace || !q.has("hard"));
  const ofAll = q.has("many") && (q.has("every") || q.says(/\ball (?:of )?(?:the|your)\b/));
  // "The certificate names Ruiz Hauling LLC": the carrier of that name.
  const isOne = q.has("named") && !q.has("find", "many", "all", "every") && q.names.length === 1 &&
    q.names[0]!.exists === true && looksLikeName(q.reading, q.names[0]!);
  // "What did FMCSA show for Cruz Express on March 3, 2025", "does Perez Medical Transport show any trucks".
  const asks = q.names.some(({ exists }) => exists) &&
    // "Carrier packet lists 11 trucks for Roger Petrov".
    (q.says(/^(?:does|do|did|has|have|why)\b/) || q.all("vehicles").length > 0);
  return !isOne && !asks && q.all("date").length === 0 &&
    (q.has("find", "named") || ofPlace || ofAll);
}

/** Whether the words around a carrier ask for its overview, or for nothing. */
function isAbout(q: QuestionView, carriers: readonly CarrierRef[]): boolean {
  const [first] = carriers;
  const opened = q.has("hard", "them", "how_to", "when", "file", "pay");
  if (first?.by !== "name" || !opened || q.has("follow")) return true;
  const exists = q.names.some((name) => name.exists);
  const onlyNamed = q.unknownWords.length === 0 && q.names.length === 1 && exists &&
    carriers.length === 1 &&
    [...q.marks].every((mark) =>
      /^(?:hard|soft|join|them|lookup|follow|named|dot|data)$/.test(mark)
    );
  // What is unknown is said before the overview of a carrier that is clearly given.
  const isClear = q.unknown !== undefined && exists;
  return onlyNamed || isClear || !q.has("pay", "file", "how_to") &&
      (exists || q.names.some((name) => looksLikeName(q.reading, name)));
}
