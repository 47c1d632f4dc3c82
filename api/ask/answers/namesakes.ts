/**
 * Stage 4, namesakes: which of several carriers of a name or docket a question means, by what else it says.
 *
 * @module
 */

import { isSameName } from "../../../pipeline/company_name.ts";
import { parseName } from "../../../pipeline/name_words.ts";
import { tokenize } from "../../../pipeline/search/shared/tokenizer.ts";
import { plural } from "../../../pipeline/text.ts";
import { MAX_RESULTS } from "../../operations/search.ts";
import type { Plan } from "../plan/plan.ts";
import type { CarrierRef } from "../plan/whom/references.ts";
import { notExactly } from "./endings.ts";
import type { Finder } from "./finder.ts";
import type { Budget, Resolution } from "./resolution.ts";
import { type Found, hasExactly, hasWords, isInPlace, isOnFile } from "./fitting.ts";

type Several = Resolution & { outcome: "several" };

/** Of several carriers, the one that the rest of the question says, if it says one. */
export async function oneMeant(
  several: Several,
  ref: CarrierRef,
  { plan, resolved, finder, budget }: {
    plan: Plan;
    resolved: readonly (readonly [CarrierRef, Resolution])[];
    finder: Finder;
    budget: Budget;
  },
): Promise<Resolution> {
  // "Maria Ramirez / Summit Creek": two names of one carrier.
  const among = several.exact || plan.intents.has("compare") || resolved.length === 2
    ? amongFound(ref, several, resolved)
    : several;
  if (among.outcome !== "several") return among;
  return ref.by === "docket"
    ? await ofGiven(among, { plan, finder, budget })
    : ref.by === "name"
    ? ofRest(ref, among, plan)
    : among;
}

/** Of the carriers that list a docket, the one whose name stands beside it: "Carlos Martinez, FF 583". */
async function ofGiven(
  several: Several,
  { plan, finder, budget }: { plan: Plan; finder: Finder; budget: Budget },
): Promise<Resolution> {
  const { label, options, holders = options.map(({ dot }) => dot) } = several;
  const text = plan.given?.text ?? "";
  if (text === "") return several;
  const name = { text, name: text.replace(/,? (?:of|in|from) .*$/i, ""), place: "" };
  const named = await finder.resolve({ by: "name", ...name }, budget);
  const dots = named.outcome === "several" && !named.exact ? [] : dotsOf(named);
  const [dot, ...more] = dots.filter((one) => holders.includes(String(one)));
  if (dot === undefined || more.length > 0) return several;
  const note = `USDOT ${dot} is one of ${plural(holders.length, "carrier")} that list ${label}.`;
  return { outcome: "found", dot, note };
}

/** The USDOT numbers that were found. */
function dotsOf(resolution: Resolution): number[] {
  return resolution.outcome === "found"
    ? [resolution.dot]
    : resolution.outcome === "several"
    ? resolution.options.map(({ dot }) => Number(dot))
    : [];
}

/**
 * Of carriers with a name, the one whose place or other name is elsewhere, and of carriers with a longer name,
 * the one in the place: "movers in Boston called Amber Sword".
 */
function ofRest(
  { name }: CarrierRef & { by: "name" },
  several: Several,
  { leftOut }: Plan,
): Resolution {
  if (several.options.length >= MAX_RESULTS) return several;
  const fits = several.exact
    ? isOnFile
    : (option: Found, text: string) => isInPlace(option, tokenize(text).join(" "));
  const [one, ...more] = several.options.filter((option) =>
    hasWords(option, name) && leftOut.some(({ text }) => fits(option, text))
  );
  return one === undefined || more.length > 0 ? several : {
    outcome: "found",
    dot: Number(one.dot),
    note: several.exact
      ? `USDOT ${one.dot} is one of ${
        plural(several.options.length, "carrier")
      } that match ${several.label}.`
      : `${notExactly(several.label)}.`,
  };
}

/** Of several carriers, the one that the question also names in another way: "MC 8526 and FF 286", "A goes by B". */
function amongFound(
  ref: CarrierRef,
  several: Several,
  resolved: readonly (readonly [CarrierRef, Resolution])[],
): Resolution {
  const { label, options, exact, holders = options.map(({ dot }) => dot) } = several;
  const isOther = (other: CarrierRef): boolean =>
    other !== ref && (ref.by !== "name" || other.by !== "name" ||
      !isSameName(parseName(ref.name), parseName(other.name)));
  const [dot, ...more] = new Set(
    resolved.flatMap(([other, one]) => isOther(other) ? dotsOf(one) : [])
      .filter((one) => holders.includes(String(one))),
  );
  if (dot === undefined || more.length > 0) return several;
  const named = options.find((option) => option.dot === String(dot));
  // "Roberts Hauling or Krishazo Heating", which is a part of its other name.
  const isPart = ref.by === "name" && named !== undefined &&
    hasExactly(named, tokenize(ref.name));
  if (!exact && ref.by === "name" && named !== undefined && !isPart && !several.exact) {
    return several;
  }
  const note = !exact && isPart
    ? `A name of USDOT ${dot} has ${label}.`
    : !exact
    ? `No carrier matches all of ${label}. USDOT ${dot} is ${
      holders.length === 1 ? "nearest" : "one of the nearest"
    }.`
    : `USDOT ${dot} is one of ${plural(holders.length, "carrier")} that match ${label}.`;
  return { outcome: "found", dot, note };
}
