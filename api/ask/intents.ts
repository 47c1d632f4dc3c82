/**
 * What a question asks: rules for what no single phrase says, and what outranks what.
 *
 * @module
 */

import { looksLikeName } from "./names.ts";
import { isCarrierNumber } from "./numbers.ts";
import {
  type CarrierRef,
  declinedOf,
  type Draft,
  generalOf,
  type Intent,
  type Plan,
  topicsOf,
} from "./question.ts";
import { type Topic, TOPIC_KEYS } from "./topics.ts";

const PHONE = /\(?\d{3}\)?[-. ]?\d{3}[-. ]\d{4}\b|\b1?[2-9]\d{9}\b/;
const STREET =
  /\b(?:(?:at|on|of|from) |address\W{1,3})\d{1,5} (?:[\w.]+ ){1,3}(?:st|street|ave|avenue|rd|road|blvd|dr|drive|ln|lane|hwy|highway|pkwy)\b/i;

/** "Is the authority still active" asks of the authority, not of the USDOT number. */
const AUTHORITY_STATUS =
  /\b(?:authority|docket|mc)\b(?: (?!and\b)\S*){0,5} (?:(?:in)?active|alive|live)\b|\bauthority status\b/;

type Test = (question: Draft) => boolean;

// "What 9 trucks pay" is the fee.
const paying: Test = (q) =>
  q.has("pay", "registered") && whose(q) &&
    !/\d (?:trucks|vehicles|units) pay\b/i.test(q.reading.text) ||
  q.says(/\bucr (?:registration )?status\b/);
const whose: Test = (q) => q.plan.carriers.length > 0 || q.has("them") || q.says(/\bmy\b/);
/** Whether it asks about fees in general, not for one. */
export const feeless: Test = (q) => q.asks("no:filters", "no:explanations", "no:filing");
/** "Does MC 186800 belong to USDOT 286764": the dockets of the second answer it. */
const linked: Test = (q) => {
  const [dot, ...others] = q.plan.carriers.toSorted((a) => a.by === "dot" ? -1 : 1);
  return q.has("holds") && dot?.by === "dot" && others.length === 1 && others[0]!.by === "docket";
};
const names = (q: Draft, by: CarrierRef["by"]): boolean =>
  q.plan.carriers.length > 0 && q.plan.carriers.every((ref) => ref.by !== by);

/** What is asked without a phrase of its own, in this order: each sees what the ones before it found. */
const RULES: Readonly<Partial<Record<Intent, Test>>> = {
  missed: (q) => q.has("consequence") && q.has("mcs150", "mcs150=overdue", "file", "dot"),
  data_date: (q) => q.has("data") && q.has("fresh", "when", "mcs150=filed"),
  count: (q) => q.has("count") && !q.numbered && !q.specific && !q.says(/\bin\b(?! (?:your|it)\b)/),
  "no:filters": (q) =>
    !q.numbered && !q.asks("count") &&
    (q.has("count", "all") ||
      q.has("every") && q.specific && q.says(/\b(?:carrier|compan|mcs?\b|fleet|trucker)/) ||
      q.has("many") && (q.specific || q.all("vehicles", "other").length > 0)),
  "no:reverse": (q) =>
    q.plan.carriers.length === 0 && PHONE.test(q.reading.text) ||
    !q.numbered && STREET.test(q.reading.text),
  // A number with the word for another one: "what is the DOT of MC 186800".
  usdot: (q) => topicsOf(q.plan).length === 0 && q.has("dot") && names(q, "dot"),
  dockets: (q) => linked(q) || topicsOf(q.plan).length === 0 && q.has("mc") && names(q, "docket"),
  match: (q) => declinedOf(q.plan).length === 0 && givenName(q) !== undefined,
  mcs150: (q) => q.has("due") && declinedOf(q.plan).length === 0,
  authority: (q) => q.open && whose(q) && q.has("broker"),
  // How many are placed out of service, not whether an order is in force.
  oos: (q) =>
    q.asks("no:oos_order") && q.says(/\b(?:percent|rate|share|often|average|compare|times)/),
  location: (q) =>
    q.open && /^(?:is|are)\b/i.test(q.reading.text) && / in /i.test(q.names[0]?.text ?? ""),
  "no:filing": (q) =>
    q.has("how_to") &&
    (q.has("file", "pay", "registered", "dot", "mc") || topicsOf(q.plan).length > 0 ||
      q.says(/\b(?:apply|reactivate|renew|alerts?)\b/)),
  fleet: (q) => q.open && q.numbered && !q.has("fee", "pay") && q.all("vehicles").length > 0,
  "no:ucr_payment": (q) => q.has("ucr") && !feeless(q) && paying(q),
};

/** What is known of now only. */
const UNDATED: readonly Topic[] = [
  "status",
  "authority",
  "rating",
  "fleet",
  "location",
  "operation",
  "contact",
  "cargo",
];

/** What is not asked where these are. */
const OUTRANKED: Readonly<Partial<Record<Intent, readonly Intent[]>>> = {
  count: TOPIC_KEYS,
  "no:filters": TOPIC_KEYS,
  "no:reverse": [...TOPIC_KEYS, "no:filters"],
  oos: ["no:oos_order"],
  "no:filing": TOPIC_KEYS,
  "no:legal": [...TOPIC_KEYS, "no:filing", "no:drivers"],
  "no:ucr_payment": ["ucr"],
};

/** Completes the intents of a question whose carriers are known. @param today `YYYY-MM-DD`. */
export function readIntents(question: Draft, today: string): void {
  const { plan } = question;
  const { intents, guesses } = plan;
  for (const [intent, test] of Object.entries(RULES)) {
    if (test(question)) intents.add(intent as Intent);
  }
  if (linked(question)) {
    const { prefix = "MC", value } = question.all("docket")[0]!;
    guesses.add(`dockets=${prefix} ${value}`);
    plan.carriers = plan.carriers.filter(({ by }) => by === "dot");
  }
  if (!question.specific && declinedOf(plan).length + generalOf(plan).length === 0) {
    question.takeLikely();
  }
  // "When was it filed" takes nothing for true.
  if (question.asks("mcs150") && question.has("mcs150=filed?") && !question.has("when")) {
    guesses.add("mcs150=filed");
  }
  const dates = question.all("date").flatMap(({ text }) =>
    /(?:19|20)\d\d/.exec(text)?.map(Number) ?? []
  );
  if ([...plan.years, ...dates].some((year) => year < Number(today.slice(0, 4)))) {
    for (const topic of UNDATED) if (intents.delete(topic)) intents.add("no:history");
  }
  if (question.says(AUTHORITY_STATUS)) intents.delete("status");
  for (const intent of [...intents]) for (const one of OUTRANKED[intent] ?? []) intents.delete(one);
}

/** A name or a place beside a number, to be compared with what its carrier filed. */
export function givenName(question: Draft): Plan["given"] {
  const { reading, names: [name] } = question;
  const { text, tokens } = reading;
  const isOption = /\(USDOT \d+[^)]*\)$/.test(text);
  if (!question.numbered || name === undefined || isOption) return undefined;
  const at = tokens.findIndex(isCarrierNumber);
  const behind = /^(?:is|are)$/.test(tokens[at - 1]?.text ?? "")
    ? tokens[at + 1]?.text ?? ""
    : null;
  if (behind !== null && name.from === at + 2 && /^(?:in|from|of|near)$/.test(behind)) {
    return { text: `in ${name.text}`, sure: true };
  }
  const sure = looksLikeName(reading, name);
  return sure || question.has("holds", "named") ? { text: name.text, sure } : undefined;
}
