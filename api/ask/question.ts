/**
 * What a question asks, as a plan that the rules of `intents.ts` fill in and `answers.ts` carries out.
 *
 * @module
 */

import { listed, plural, quoted } from "../../pipeline/text.ts";
import { DECLINE_KEYS, type DeclinedTopic, DECLINES } from "./declines.ts";
import type { Name, NameSpan } from "./names.ts";
import type { NumberEntity, Token } from "./numbers.ts";
import type { Reading } from "./reading.ts";
import { type Topic, TOPIC_KEYS, TOPICS } from "./topics.ts";

/** A carrier as the question names it. */
export type CarrierRef =
  | { by: "dot"; number: number }
  | { by: "docket"; prefix: "MC" | "MX" | "FF"; number: number }
  | { by: "name" } & Name
  /** One of the options for `of`, counted from 0; -1 is the last. */
  | { by: "choice"; of: CarrierRef | null; index: number };

/** What a question lacks, with a sentence on why where there is more to say; without final period. */
export interface Lack {
  part: "carrier" | "dot" | "mc" | "vehicles" | "number" | "question";
  problem?: string;
}

/** What is asked about no single carrier. */
const GENERAL = ["data_date", "count", "missed"] as const;
type General = typeof GENERAL[number];

/** One thing that is asked; `search` takes several results for an answer. */
export type Intent = Topic | General | `no:${DeclinedTopic}` | "compare" | "search";

export interface Plan {
  spanish: boolean;
  intents: Set<Intent>;
  /** Guesses to answer yes or no: `status=active`. */
  guesses: Set<string>;
  carriers: CarrierRef[];
  /** The name that a numbered carrier is matched with; when not `sure`, only if it fits. */
  given?: { text: string; sure: boolean } | undefined;
  /** Fleets whose UCR fee is asked for, in each of `years`. */
  fleets: number[];
  years: number[];
  /** Numbers and names of the question that the answer does not use, as typed. */
  unused: string[];
  lacks?: Lack;
}

export function topicsOf({ intents }: Plan): Topic[] {
  return TOPIC_KEYS.filter((topic) => intents.has(topic));
}

export function generalOf({ intents }: Plan): General[] {
  return GENERAL.filter((one) => intents.has(one));
}

export function declinedOf({ intents }: Plan): DeclinedTopic[] {
  return DECLINE_KEYS.filter((topic) => intents.has(`no:${topic}`));
}

/** A question with the words and numbers outside its names, and what of its plan is known so far. */
export class Draft {
  readonly text: string;
  readonly numbers: readonly NumberEntity[];
  readonly marks: ReadonlySet<string>;
  readonly plan: Plan;

  constructor(readonly reading: Reading, readonly names: readonly NameSpan[]) {
    const free = (at: number) => this.#free(at);
    const { tokens, spans, spanish } = reading;
    this.text = tokens.filter((_, at) => free(at)).map(({ text }) => text).join(" ");
    this.numbers = tokens.flatMap(({ number }, at) => number && free(at) ? [number] : []);
    this.marks = new Set(spans.flatMap((span, at) => span !== null && free(at) ? span.mark : []));
    const sure = [...this.marks].filter((mark) => !mark.endsWith("?") || this.#lists(mark))
      .map((mark) => mark.replace("?", ""));
    this.plan = {
      spanish,
      intents: new Set(sure.map(intentOf).filter((one) => one in TOPICS || one.startsWith("no:"))),
      guesses: new Set(sure.filter((mark) => mark.includes("="))),
      carriers: [],
      fleets: [],
      years: [],
      unused: [],
    };
  }

  /** Takes the topics of words that may mean them, as "carry" and "current" do, where every other word is known. */
  takeLikely(): void {
    const { tokens, spans } = this.reading;
    const isUnknown = ({ kind }: Token, at: number): boolean =>
      kind === "word" && spans[at] === null && (this.numbered || this.#free(at));
    if (tokens.some(isUnknown)) return;
    for (const mark of this.marks) {
      if (!mark.endsWith("?")) continue;
      const likely = mark.slice(0, -1);
      this.plan.intents.add(intentOf(likely));
      if (likely.includes("=")) this.plan.guesses.add(likely);
    }
  }

  /** Whether a phrase of this mark stands by itself in a list: "auth, trucks and oos". */
  #lists(mark: string): boolean {
    const { tokens, spans } = this.reading;
    const parts = (at: number): boolean => {
      const token = tokens[at];
      return token === undefined ||
        token.kind === "number" && (at === 0 || at === tokens.length - 1) ||
        /^(?:and|or|plus|vs)$/.test(token.text);
    };
    return spans.some((span, at) =>
      span?.mark === mark && span.from === at &&
      (parts(at - 1) || /[,;:/+]/.test(tokens[at]!.gap)) &&
      (parts(span.to) || /[,;/+?!.]/.test(tokens[span.to]!.gap)) && tokens.length > span.to - at + 2
    );
  }

  #free(at: number): boolean {
    return !this.names.some(({ from, to }) => at >= from && at < to);
  }

  /** Whether it has a phrase of one of these marks. */
  has(...marks: string[]): boolean {
    return marks.some((mark) => this.marks.has(mark));
  }

  says(pattern: RegExp): boolean {
    return pattern.test(this.text);
  }

  all(...roles: NumberEntity["role"][]): NumberEntity[] {
    return this.numbers.filter(({ role }) => roles.includes(role));
  }

  asks(...intents: Intent[]): boolean {
    return intents.some((intent) => this.plan.intents.has(intent));
  }

  /** Whether it asks no topic and for nothing that is declined. */
  get open(): boolean {
    return topicsOf(this.plan).length + declinedOf(this.plan).length === 0;
  }

  /** Whether it asks for a topic by its own words. */
  get specific(): boolean {
    return topicsOf(this.plan).some((topic) => topic !== "overview");
  }

  /** Whether a carrier is named by number. */
  get numbered(): boolean {
    return this.plan.carriers.some(isNumbered);
  }
}

function intentOf(mark: string): Intent {
  return mark.replace(/=.*/, "") as Intent;
}

/** Whether a carrier is named by number. */
export function isNumbered(ref: CarrierRef): ref is CarrierRef & { by: "dot" | "docket" } {
  return ref.by === "dot" || ref.by === "docket";
}

export function distinct(refs: readonly CarrierRef[]): CarrierRef[] {
  return [...new Map(refs.map((ref) => [JSON.stringify(ref), ref])).values()];
}

/** What can be missed, as `missed` has it. */
export const MISSED = "an MCS-150 update is missed";

export function understoodOf(plan: Plan): string {
  const { intents, carriers, fleets, years, unused, lacks } = plan;
  if (lacks?.part === "question") return "Nothing that can be answered here";
  const whom = listed(carriers.map(refName)) || "a carrier";
  const about = listed(topicsOf(plan).map((topic) => TOPICS[topic].name));
  const fleet = listed(fleets.map((one) => plural(one, "vehicle"))) || "a fleet";
  const parts = [
    intents.has("compare") && `Compare ${whom}${about && `: ${about}`}`,
    intents.has("search") && `Search for ${whom}`,
    !intents.has("compare") && about && `${about} of ${whom}`,
    (fleets.length > 0 || lacks?.part === "vehicles") &&
    `UCR fee of ${fleet}${years.length > 0 ? ` for ${listed(years.map(String))}` : ""}`,
    intents.has("data_date") && "The date of the data",
    intents.has("count") && "The number of carriers",
    intents.has("missed") && `What happens when ${MISSED}`,
    declinedOf(plan).length > 0 &&
    `Not answered here: ${listed(declinedOf(plan).map((topic) => DECLINES[topic].name))}`,
    unused.length > 0 && `Not used: ${unused.map((text) => quoted(text)).join(", ")}`,
  ];
  return parts.filter(Boolean).join(". ") || `A question about ${whom}`;
}

function refName(ref: CarrierRef): string {
  if (ref.by === "dot") return `USDOT ${ref.number}`;
  if (ref.by === "docket") return `${ref.prefix} ${ref.number}`;
  return ref.by === "name" ? quoted(ref.text, 200) : "one of the carriers listed before";
}
