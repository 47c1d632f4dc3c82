/**
 * Stage 4: answers, from a plan and what the operations return and nothing else.
 *
 * @module
 */

import { isSameName } from "../../../pipeline/company_name.ts";
import { parseName } from "../../../pipeline/name_words.ts";
import { listed, plural, quoted } from "../../../pipeline/text.ts";
import { mcs150DueDate, ucrFeeOperation } from "../../operations/calculations.ts";
import { ServiceError } from "../../operations/errors.ts";
import { health } from "../../operations/health.ts";
import { carrierHistory } from "../../operations/history.ts";
import { lookupCarrier } from "../../operations/lookup.ts";
import { MAX_RESULTS } from "../../operations/search.ts";
import { formatForPeople } from "../../../pipeline/dates.ts";
import type { Carrier } from "../../rules/schemas.ts";
import { DEFAULT_UCR_YEAR, UCR_YEARS } from "../../rules/ucr.ts";
import {
  askBack,
  elicit,
  type Ending,
  failure,
  nothingFound,
  refusal,
  type Unfound,
} from "./endings.ts";
import { type DeclinedTopic, DECLINES } from "../plan/declines.ts";
import { comparedGiven } from "./compared_names.ts";
import { Budget, type Finder, type Resolution } from "./finder.ts";
import { listing } from "./listing.ts";
import { declinedIn, generalIn, type Intent, topicsIn } from "../plan/intents.ts";
import type { Plan } from "../plan/plan.ts";
import { type CarrierRef, carrierUrl, isNumbered, refName } from "../plan/references.ts";
import * as generalItems from "./general_items.ts";
import * as items from "./rendering.ts";
import type { AskResult, Elicitation } from "./schemas.ts";

/** Results as they are found, then the ending. */
type Answers = AsyncGenerator<AskResult, Ending, void>;

export const MAX_CARRIERS = 20;

/**
 * The results for a plan, with how they end. Nothing is run for a plan that lacks something or asks only for
 * what is declined.
 *
 * @throws {ServiceError} When an operation fails for another reason than its input.
 */
export async function* answer(plan: Plan, finder: Finder): Answers {
  const { carriers, intents, lacks, fleets } = plan;
  const { baseUrl } = finder;
  if (carriers.length > MAX_CARRIERS) {
    const message =
      `Cannot answer for ${carriers.length} carriers: at most ${MAX_CARRIERS} at once`;
    const instead = [`${baseUrl}/api/v1/carriers/batch`];
    return failure("INVALID_PARAMETER", message, { given: carriers.length, instead });
  }
  const general = generalIn(intents);
  const years = plan.years.length > 0 ? plan.years : [DEFAULT_UCR_YEAR];
  const ofUcr = fleets.length > 0 || intents.has("ucr_brackets");
  const unknown = years.filter((year) => !UCR_YEARS.includes(year));
  const known = `We have UCR fees for ${UCR_YEARS.join(" and ")}, not ${
    listed(unknown.map(String))
  }.`;
  if (unknown.length === years.length && (ofUcr || lacks?.part === "vehicles")) {
    return askBack("year", known, { options: UCR_YEARS.map(String) });
  }
  if (lacks !== undefined) return elicit(lacks);
  const declined = declinedIn(intents);
  const about = intents.has("search") || intents.has("compare") || topicsIn(intents).length > 0;
  const other = fleets.length + general.length > 0;
  if (!about && !other) return refusal(plan, baseUrl);
  if (plan.beside) return yield* beside(plan, finder);
  if (about) {
    const ending = yield* intents.has("search")
      ? searched(plan, finder)
      : aboutCarriers(plan, finder);
    if (ending.elicitation !== undefined) {
      return { elicitation: besideReasons(ending.elicitation, declined) };
    }
    if (ending.error !== undefined && !other) {
      if (declined.length === 0) return ending;
      // "Going rate Akron to Dallas": no carrier is named, and what is asked is declined.
      if (!carriers.some(isNumbered)) return refusal(plan, baseUrl);
      const { message, details } = ending.error;
      const url = details?.source_urls?.[0] ?? baseUrl;
      yield items.unfoundItem({ outcome: "absent", message, url });
    }
  }
  for (const { vehicles, years } of fleets) {
    const asked = years.filter((year) => !unknown.includes(year));
    for (const year of years.length > 0 ? asked : [DEFAULT_UCR_YEAR]) {
      yield generalItems.feeItem(await finder.run(ucrFeeOperation, { vehicles, year }), baseUrl);
    }
  }
  if (ofUcr && unknown.length > 0) {
    yield items.answerItem(["year"], "Years", { text: known, urls: [baseUrl] });
  }
  for (const one of general) {
    if (one === "ucr_brackets") {
      for (const year of years.filter((year) => !unknown.includes(year))) {
        yield generalItems.bracketsItem(
          await finder.run(ucrFeeOperation, { vehicles: 0, year }),
          baseUrl,
        );
      }
    } else if (one === "count" || one === "data_date") {
      yield generalItems.dataItem(await finder.run(health, {}), one, baseUrl);
    } else {
      for (const id of one === "terms" ? plan.terms : [one]) {
        const of = { about: one, today: finder.today, year: years[0]! };
        yield generalItems.explanationItem(id, of);
      }
    }
  }
  for (const topic of declined) yield items.declineItem(topic);
  return {};
}

/** Out-of-service orders are answered, those of the past too, where the data includes them. */
export async function withOrders(plan: Plan, finder: Finder): Promise<Plan> {
  if (plan.lacks !== undefined || !plan.intents.has("no:oos_order")) return plan;
  const { snapshot } = await finder.run(health, {});
  if (snapshot.orders_date === undefined) return plan;
  if (plan.carriers.length === 0) {
    // "Is it a crime to run under an order".
    const others = declinedIn(plan.intents).length > 1;
    return others
      ? { ...plan, intents: plan.intents.difference(new Set<Intent>(["no:oos_order"])) }
      : { ...plan, lacks: { part: "carrier" } };
  }
  const answered = new Set<Intent>(["no:oos_order", "no:history"]);
  // The overview stood beside what is declined.
  if (plan.beside) answered.add("overview");
  const intents = plan.intents.difference(answered).union(new Set<Intent>(["orders"]));
  const isOnly = topicsIn(intents).length === 1;
  return {
    ...plan,
    beside: false,
    intents,
    ...isOnly && { asOf: undefined },
  };
}

/** Says what is declined, then gives the overview of the carriers. */
async function* beside(plan: Plan, finder: Finder): Answers {
  const overviews: AskResult[] = [];
  const all = aboutCarriers(plan, finder);
  let next = await all.next();
  for (; !next.done; next = await all.next()) overviews.push(next.value);
  const { elicitation, error } = next.value;
  if (elicitation !== undefined) {
    return { elicitation: besideReasons(elicitation, declinedIn(plan.intents)) };
  }
  if (error !== undefined && !plan.carriers.some(isNumbered)) return refusal(plan, finder.baseUrl);
  if (error !== undefined) return { error };
  for (const topic of declinedIn(plan.intents)) yield items.declineItem(topic);
  yield* overviews;
  return {};
}

/** A question back, after why topics are declined. */
function besideReasons(
  elicitation: Elicitation,
  declined: readonly DeclinedTopic[],
): Elicitation {
  const reasons = declined.map((topic) => `${DECLINES[topic].text}.`);
  return { ...elicitation, text: items.sentences(...reasons, elicitation.text) };
}

/** Answers about carriers; all are resolved first, so that nothing is asked back later. */
async function* aboutCarriers(plan: Plan, finder: Finder): Answers {
  const subjects = new Map<number, Subject>();
  const unfound: Unfound[] = [];
  const budget = new Budget();
  const resolved: [CarrierRef, Resolution][] = [];
  for (const ref of plan.carriers) {
    resolved.push([ref, await finder.resolve(ref, budget, { compared: plan.given !== undefined })]);
  }
  const past = plan.asOf === undefined ? "" : `As of ${formatForPeople(plan.asOf)}:`;
  for (const [ref, one] of resolved) {
    const resolution = one.outcome === "several" &&
        (ref.by === "docket" || plan.intents.has("compare"))
      ? amongFound(ref, one, resolved)
      : one;
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
    const both = known === undefined || one.outcome === "several"
      ? ""
      : `${refName(known.ref)} and ${refName(ref)} are one carrier.`;
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
  const carriers: Carrier[] = [];
  let answered = 0;
  for (const [number, subject] of subjects) {
    const { ref } = subject;
    const dot = String(number);
    try {
      const carrier = await finder.run(lookupCarrier, { dot, as_of: plan.asOf });
      carriers.push(carrier);
      const others = await holdersOf(carrier, { plan, finder, budget });
      const note = items.sentences(subject.note, ...others);
      yield await itemOf(carrier, { ...subject, note }, { plan, finder });
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
    const unmarked = plan.carriers.every((ref) => ref.by === "name" && ref.marked === false);
    if (first === undefined || !unmarked) return nothingFound(unfound);
    return elicit({ part: "question", problem: `I don't know what ${refName(first)} means` });
  }
  for (const one of unfound) yield items.unfoundItem(one);
  if (plan.intents.has("compare") && carriers.length > 1) {
    yield items.comparisonItem(carriers, topicsIn(plan.intents));
  }
  return {};
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

/** Of several carriers, the one that the question also names in another way: "MC 8526 and FF 286", "A goes by B". */
function amongFound(
  ref: CarrierRef,
  several: Resolution & { outcome: "several" },
  resolved: readonly (readonly [CarrierRef, Resolution])[],
): Resolution {
  const { label, options, holders = options.map(({ dot }) => dot) } = several;
  const isOther = (other: CarrierRef): boolean =>
    other !== ref && (ref.by !== "name" || other.by !== "name" ||
      !isSameName(parseName(ref.name), parseName(other.name)));
  const [dot, ...more] = new Set(
    resolved.flatMap(([other, one]) =>
      !isOther(other)
        ? []
        : one.outcome === "found"
        ? one.dot
        : one.outcome === "several"
        ? one.options.map(({ dot }) => Number(dot))
        : []
    ).filter((one) => holders.includes(String(one))),
  );
  if (dot === undefined || more.length > 0) return several;
  const note = holders.length === 1
    ? `USDOT ${dot} is nearest to ${label}.`
    : `USDOT ${dot} is one of ${plural(holders.length, "carrier")} that match ${label}.`;
  return { outcome: "found", dot, note };
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
    : `No carrier is named exactly ${label}. Did you mean one of these?`;
  const then = others.length === 0 ? "" : ` Then ask about ${listed(others)}.`;
  return askBack("name", text + then + items.noticeOf(snapshot), {
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
  const best = own?.result === carriers[0]!.result ? own : carriers[0]!;
  const matched = best === own ? carrier : await finder.run(lookupCarrier, { dot: best.dot });
  const found = best === own ? history : undefined;
  return items.carrierItem(matched, { ...remarks, plan, match: best, history: found, baseUrl });
}

async function* searched(plan: Plan, finder: Finder): Answers {
  const absent = yield* listing(plan.list!, finder);
  return absent === null ? {} : nothingFound([{ outcome: "absent", ...absent }]);
}
