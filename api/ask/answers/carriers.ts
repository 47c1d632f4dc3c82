/**
 * Stage 4, carriers: the answers about the carriers of a plan, each with how it was found.
 *
 * @module
 */

import { isSameName } from "../../../pipeline/company_name.ts";
import { formatForPeople } from "../../../pipeline/dates.ts";
import { legalForm, parseName } from "../../../pipeline/name_words.ts";
import { listed, quoted } from "../../../pipeline/text.ts";
import { mcs150DueDate, ucrFeeOperation } from "../../operations/calculations.ts";
import { ServiceError } from "../../operations/errors.ts";
import { carrierHistory } from "../../operations/history.ts";
import { lookupCarrier } from "../../operations/lookup.ts";
import { DEFAULT_UCR_YEAR } from "../../rules/ucr.ts";
import { MAX_RESULTS } from "../../operations/search.ts";
import type { Carrier } from "../../rules/schemas.ts";
import { DECLINES, orOverview, topicsIn } from "../plan/asked/intents.ts";
import type { Plan } from "../plan/plan.ts";
import { withOffers } from "../plan/fallback.ts";
import {
  type CarrierRef,
  carrierUrl,
  isGivenCarrier,
  isGuess,
  isNumbered,
  refName,
} from "../plan/whom/references.ts";
import { comparedGiven } from "./compared_names.ts";
import {
  askBack,
  elicit,
  type Ending,
  failure,
  notExactly,
  nothingFound,
  type Unfound,
} from "./endings.ts";
import type { Finder } from "./finder.ts";
import { Budget, type Resolution } from "./resolution.ts";
import { filedNames, hasWords, isPartOfName } from "./fitting.ts";
import { feeItem } from "./general_items.ts";
import { oneMeant } from "./namesakes.ts";
import * as items from "./rendering.ts";
import type { AskResult } from "./schemas.ts";

/** Results as they are found, then the ending. */
export type CarrierAnswers = AsyncGenerator<AskResult, Ending, void>;

/**
 * Answers about carriers; all are resolved first, so that nothing is asked back later.
 *
 * @param said What is said before.
 */
export async function* aboutCarriers(plan: Plan, finder: Finder, said = ""): CarrierAnswers {
  const budget = new Budget();
  const found = await subjectsOf(plan, finder, { budget, said });
  if (!("subjects" in found)) return found;
  const { subjects, unfound } = found;
  const carriers: Carrier[] = [];
  let answered = 0;
  for (const [number, subject] of subjects) {
    const { ref } = subject;
    const dot = String(number);
    try {
      const carrier = await finder.run(lookupCarrier, { dot, as_of: plan.asOf });
      carriers.push(carrier);
      const others = await holdersOf(carrier, { plan, finder, budget });
      const ofDay = plan.mentioned === undefined
        ? ""
        : await ofDayMentioned(dot, plan.mentioned, finder);
      const note = items.sentences(subject.note, ofDay, ...others);
      yield await itemOf(carrier, { ...subject, note }, { plan, finder });
      const vehicles = carrier.power_units + plan.more;
      if (plan.more !== 0 && vehicles > 0) {
        const year = plan.years[0] ?? DEFAULT_UCR_YEAR;
        yield feeItem(await finder.run(ucrFeeOperation, { vehicles, year }), finder.baseUrl);
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.firstDay !== undefined) {
        const { where } = DECLINES.history;
        return failure("OUT_OF_SCOPE", error.message, { declined: ["history"], where: [...where] });
      }
      if (plan.intents.has("mcs150") && plan.guesses.size === 0) {
        const schedule = await finder.run(mcs150DueDate, { dot });
        yield items.scheduleItem(schedule, { ...subject, error, baseUrl: finder.baseUrl });
      } else if (error.code === "not_found") {
        const isNumber = ref.by === "dot" && error.lastSeen === undefined;
        const hint = isNumber ? `. If it is an MC number, ask for MC ${dot}` : "";
        const url = carrierUrl(dot, finder.baseUrl);
        unfound.push({ outcome: "absent", message: error.message + hint, url });
        continue;
      } else throw error;
    }
    answered++;
  }
  if (answered === 0) {
    const [first] = plan.carriers;
    const unmarked = plan.carriers.every(isGuess);
    if (first === undefined || !unmarked && !isAWord(plan)) return nothingFound(unfound);
    // "Bring up trucks", after a carrier: its record, and which words say nothing.
    if (isOfEarlier(plan)) {
      const said = unmarked ? `I did not use ${listed(plan.carriers.map(refName))}.` : "";
      const ending = yield* aboutCarriers(recordOf(plan), finder, said);
      if (!unmarked) { for (const one of unfound) yield items.unfoundItem(one); }
      return ending;
    }
    // "Hollowbrook transit systems dot lookup": several words may be a name.
    const isName = first.by === "name" && first.text.includes(" ");
    const problem = isName
      ? `I don't find a carrier named ${refName(first)}, and don't know what else it means`
      : `I don't know what ${refName(first)} means`;
    return elicit(withOffers(problem, plan.close));
  }
  for (const one of unfound) yield items.unfoundItem(one);
  if (plan.intents.has("compare") && carriers.length > 1) {
    yield items.comparisonItem(carriers, topicsIn(plan.intents));
  }
  return {};
}

/** That the record is not of a day which the question mentions, and whether the record of that day is kept. */
async function ofDayMentioned(dot: string, day: string, finder: Finder): Promise<string> {
  try {
    await finder.run(lookupCarrier, { dot, as_of: day });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return `${error.message}. This is the record of now.`;
  }
  const said = formatForPeople(day);
  return `This is the record of now; ask "as of ${said}" for that of ${said}.`;
}

/** "What about meat": one word in lower case, which may be no name, after a carrier. */
function isAWord(plan: Plan): boolean {
  return isOfEarlier(plan) &&
    plan.carriers.every((ref) => ref.by === "name" && /^\p{Ll}+$/u.test(ref.text));
}

/** Whether the question before was about one carrier, which this one may be about. */
function isOfEarlier({ earlier }: Plan): boolean {
  return earlier.length === 1 && earlier.every(isGivenCarrier);
}

/** A plan for the record of the carriers before. */
function recordOf(plan: Plan): Plan {
  const { earlier: carriers, intents } = plan;
  return { ...plan, carriers, earlier: [], intents: orOverview(intents), whole: true };
}

/** The carriers of a plan, each once, and those that are not found; or the question back that one of them needs. */
async function subjectsOf(
  plan: Plan,
  finder: Finder,
  { budget, said }: { budget: Budget; said: string },
): Promise<{ subjects: Map<number, Subject>; unfound: Unfound[] } | Ending> {
  const subjects = new Map<number, Subject>();
  const unfound: Unfound[] = [];
  const resolved: [CarrierRef, Resolution][] = [];
  for (const ref of plan.carriers) {
    // A name is compared with each carrier that lists a docket; else it tells which one is meant.
    const compared = plan.given !== undefined &&
      topicsIn(plan.intents).every((topic) => topic === "match" || topic === "overview");
    resolved.push([ref, await finder.resolve(ref, budget, { compared })]);
  }
  const past = plan.asOf === undefined ? said : `As of ${formatForPeople(plan.asOf)}:`;
  for (const [ref, one] of resolved) {
    const resolution = one.outcome === "several"
      ? await oneMeant(one, ref, { plan, resolved, finder, budget })
      : one;
    if (resolution.outcome === "several" && !resolution.exact && isOfEarlier(plan)) {
      const [earlier] = plan.earlier;
      const dot = await earlierOf(resolution, ref, { earlier: earlier!, finder, budget });
      if (dot !== undefined) {
        const note = `A name of USDOT ${dot} has ${refName(ref)}.`;
        subjects.set(dot, { ref: earlier!, before: past, note, dockets: [] });
        continue;
      }
      // "So who is hauling", after a carrier, names none.
      if (isGuess(ref)) {
        unfound.push({ outcome: "absent", message: notExactly(refName(ref)), url: finder.baseUrl });
        continue;
      }
    }
    if (resolution.outcome === "several") {
      const others = plan.carriers.filter((other) => other !== ref).map(refName);
      return whichOne(resolution, others, finder);
    }
    if (resolution.outcome !== "found") {
      unfound.push(resolution);
      continue;
    }
    const known = subjects.get(resolution.dot);
    const read = ref.by === "dot" && ref.bare ? `Read ${ref.number} as a USDOT number.` : "";
    const isNear = (other: CarrierRef): boolean =>
      resolved.some(([ref, one]) => ref === other && one.outcome === "several" && !one.exact);
    const both = known === undefined || isNear(known.ref)
      ? ""
      : one.outcome !== "several"
      ? differsInForm(known.ref, ref)
        ? `The only carrier found for ${refName(ref)} is ${
          refName(known.ref)
        }, of another legal form.`
        : `${refName(known.ref)} and ${refName(ref)} are one carrier.`
      : one.exact
      ? `USDOT ${resolution.dot} has both ${refName(known.ref)} and ${refName(ref)} as its own.`
      : "";
    subjects.set(resolution.dot, {
      ref: known?.ref ?? ref,
      before: items.sentences(read, known?.before ?? past),
      note: items.sentences(known?.note ?? "", resolution.note, both),
      dockets: [
        ...known?.dockets ?? [],
        ...ref.by === "docket" ? [`${ref.prefix} ${ref.number}`] : [],
      ],
    });
  }
  return { subjects, unfound };
}

/** "PTK Transport Inc" and "PTK Transport LLC". */
function differsInForm(one: CarrierRef, other: CarrierRef): boolean {
  const [a, b] = [one, other].map((ref) => ref.by === "name" ? legalForm(ref.name) : "");
  return a !== "" && b !== "" && a !== b;
}

/** The carrier of the question before if it is among those found, "truck says Fox & Sons" after Fox & Sons Carrier. */
async function earlierOf(
  { options }: Resolution & { outcome: "several" },
  ref: CarrierRef,
  { earlier, finder, budget }: { earlier: CarrierRef; finder: Finder; budget: Budget },
): Promise<number | undefined> {
  const before = await finder.resolve(earlier, budget, { compared: true });
  if (before.outcome !== "found" || ref.by !== "name" || ref.place !== "") return undefined;
  const own = options.find(({ dot }) => dot === String(before.dot));
  return own !== undefined && hasWords(own, ref.name) ? before.dot : undefined;
}

/** Who lists the docket that the question attributes to a carrier, if that carrier doesn't. */
async function holdersOf(
  { dockets }: Carrier,
  { plan, finder, budget }: { plan: Plan; finder: Finder; budget: Budget },
): Promise<string[]> {
  const guessed = [...plan.guesses].flatMap((guess) =>
    /^dockets=(MC|MX|FF) (\d+)$/.exec(guess)?.slice(1) ?? []
  );
  const [prefix, digits] = guessed;
  if (
    prefix === undefined ||
    dockets.some((one) => one.prefix === prefix && String(one.number) === digits)
  ) {
    return [];
  }
  const ref: CarrierRef = {
    by: "docket",
    prefix: prefix as "MC" | "MX" | "FF",
    number: Number(digits),
  };
  const one = await finder.resolve(ref, budget, { compared: true });
  return [one.outcome === "found" ? one.note : one.outcome === "several" ? "" : `${one.message}.`];
}

function whichOne(
  { label, options, exact, holders = [] }: Resolution & { outcome: "several" },
  others: readonly string[],
  { snapshot }: Finder,
): Ending {
  const total = Math.max(options.length, holders.length);
  const more = options.length < MAX_RESULTS ? "" : " There may be more: add the city and state.";
  const first = options.length < total ? ` These are the first ${options.length}.` : more;
  const text = exact
    ? `${total} carriers match ${label}. Which one do you mean?${first}`
    : `${notExactly(label)}. Did you mean one of these?`;
  const kind = /^FF \d/.test(label) ? " FF is the docket of a freight forwarder." : "";
  const then = others.length === 0 ? "" : ` Then ask about ${listed(others)}.`;
  return askBack("name", text + kind + then + items.noticeOf(snapshot), {
    options: options.map(items.optionOf),
  });
}

/** A carrier found. */
interface Subject extends items.Remarks {
  ref: CarrierRef;
}

/** The result for a carrier; a docket of several carriers is answered for the one of that name. */
async function itemOf(
  carrier: Carrier,
  { ref, ...remarks }: Subject,
  { plan, finder }: { plan: Plan; finder: Finder },
): Promise<AskResult> {
  const { baseUrl } = finder;
  const history = plan.intents.has("changes")
    ? await finder.run(carrierHistory, { dot: carrier.dot })
    : undefined;
  // A name is compared with the carrier of the number given with it, not with a carrier found by that name.
  if (plan.given === undefined || !isNumbered(ref) && plan.given.text !== "") {
    return items.carrierItem(carrier, { ...remarks, plan, history, baseUrl });
  }
  const { text, sure } = plan.given;
  const number = ref.by === "docket" ? { mc: `${ref.prefix} ${ref.number}` } : { dot: carrier.dot };
  const { result, carriers } = await comparedGiven(plan.given, number, { carrier, finder });
  if (!sure && result !== "match" && result !== "close") {
    const before = items.sentences(`I did not use ${quoted(text)}.`, remarks.before);
    return items.carrierItem(carrier, { ...remarks, before, plan, history, baseUrl });
  }
  const own = carriers.find(({ dot }) => dot === carrier.dot);
  const isOnlyName = own?.fields.every(({ field, result }) =>
    field === "name" || result !== "different"
  );
  if (plan.given.aside && result === "different" && isOnlyName && isPartOfName(text, carrier)) {
    return items.carrierItem(carrier, { ...remarks, plan, history, baseUrl });
  }
  // "Anthony Fleming Transport LLC (13411)": the MC number of the carrier that has the name.
  const holder = ref.by === "dot" && ref.bare && result === "different"
    ? await holderNamed(ref.number, text, finder)
    : undefined;
  if (holder !== undefined) {
    const note = `Read ${refName(ref)} as an MC number: USDOT ${holder.dot}, which lists it, has ` +
      `the name, and USDOT ${carrier.dot} is ${quoted(carrier.name)}.`;
    return items.carrierItem(holder, { note, before: "", dockets: [], plan, baseUrl });
  }
  const best = own?.result === carriers[0]!.result ? own : carriers[0]!;
  const matched = best === own ? carrier : await finder.run(lookupCarrier, { dot: best.dot });
  const found = best === own ? history : undefined;
  return items.carrierItem(matched, {
    ...remarks,
    plan,
    match: best,
    history: found,
    baseUrl,
  });
}

/** The carrier that lists a number as its MC number, if it has a name: "verify 10993 / Lone Line Truck Lines". */
async function holderNamed(
  number: number,
  text: string,
  finder: Finder,
): Promise<Carrier | undefined> {
  const docket: CarrierRef = { by: "docket", prefix: "MC", number };
  const found = await finder.resolve(docket, new Budget(), { compared: true });
  if (found.outcome !== "found") return undefined;
  const holder = await finder.run(lookupCarrier, { dot: String(found.dot) });
  return filedNames(holder).some((one) => isSameName(parseName(text), one)) ? holder : undefined;
}
