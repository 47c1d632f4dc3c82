/**
 * The facts a question gives, before it is decided what is asked.
 *
 * @module
 */

import { type Numbered, readCarriers } from "./carriers.ts";
import { type Fleet, readFleet } from "./fleet.ts";
import { nameAlone, readNames } from "./names.ts";
import type { Reading } from "./reading.ts";
import {
  type CarrierRef,
  DECLINED_TOPICS,
  type DeclinedTopic,
  type Expectation,
  type Topic,
  TOPICS,
} from "./understanding.ts";

/** What a question says by itself. */
export interface Facts {
  reading: Reading;
  topics: Topic[];
  expects: Expectation[];
  declined: DeclinedTopic[];
  fleet: Fleet;
  numbered: Numbered;
  /** Names apart, where carriers are compared; else one at most. */
  names: string[];
  /** The question when it is nothing but a name, else null. */
  whole: string | null;
  /** The MCS-150 is asked for as a date to come. */
  due: boolean;
}

// Whom these are about is no carrier of the census.
const NAMELESS: readonly DeclinedTopic[] = [
  "load_rates",
  "legal",
  "filing",
  "drivers",
  "explanations",
];

/** Gathers the facts. `aboutUcr`: mere numbers go on with a conversation about UCR fees. */
export function factsOf(
  text: string,
  reading: Reading,
  { aboutUcr }: { aboutUcr: boolean },
): Facts {
  const expects = reading.all<Expectation>("expect");
  const topics = new Set(reading.all<Topic>("topic"));
  const said = new Set(reading.all<DeclinedTopic>("no"));
  const ucr = topics.has("ucr") || hasWord(reading, /^ucrs?$/) ||
    aboutUcr && topics.size + said.size === 0;
  const fleet = readFleet(reading, ucr);
  const numbered = readCarriers(reading, fleet.used);
  const used = new Set([...fleet.used, ...numbered.used]);
  const names = readNames(text, reading, { used, several: reading.has("compare") });

  const filed = /^(?:filed|file)$/;
  const past = hasWord(reading, /^(?:did|last|was|has|have)$/);
  if (topics.has("mcs150") && past && hasWord(reading, filed) && !reading.has("when", "due")) {
    expects.push("mcs150=filed");
  }
  // "Does it hold an active MC" is about the docket, not about the USDOT number.
  if (numbered.bare.has("mc") && expects.some((expect) => expect.startsWith("status"))) {
    topics.add("authority");
  }
  const sure = expects.filter((expect) => {
    const topic = expect.split("=")[0] as Topic;
    if (topic === "mcs150") return topics.has(topic) || topics.size + said.size === 0;
    return !(topic === "status" && topics.has("authority"));
  });
  for (const expect of sure) topics.add(expect.split("=")[0] as Topic);

  const refs = numbered.carriers.length > 0 || names.length > 0;
  addDeclined(said, { reading, topics, fleet, numbered, refs });
  const due = (topics.has("mcs150") || topics.size + said.size === 0) &&
    !sure.some((expect) => expect.startsWith("mcs150")) && (reading.has("due") ||
      reading.has("when") && !past && (topics.has("mcs150") || reading.has("file")));
  const whole = fleet.vehicles === undefined && !speaksOfMany(reading)
    ? nameAlone(text, reading)
    : null;
  return {
    reading,
    topics: TOPICS.filter((topic) => topics.has(topic)),
    expects: sure.filter((expect) => topics.has(expect.split("=")[0] as Topic)),
    declined: whole === null ? DECLINED_TOPICS.filter((topic) => said.has(topic)) : [],
    fleet,
    numbered,
    names: NAMELESS.some((topic) => said.has(topic)) ? [] : names,
    whole,
    due,
  };
}

/** The carriers a question names itself. */
export function ownCarriers({ numbered: { carriers }, names, reading }: Facts): CarrierRef[] {
  const named = names.map((name): CarrierRef => ({ by: "name", name }));
  if (carriers.length === 1 && reading.has("compare")) return [...carriers, ...named];
  return carriers.length > 0 ? carriers : named;
}

/** Whether a word of the question fits. */
export function hasWord(reading: Reading, pattern: RegExp): boolean {
  return reading.tokens.some(({ text }) => pattern.test(text));
}

/** Topics that several words decline together, and what a declined topic takes with it. */
function addDeclined(
  said: Set<DeclinedTopic>,
  { reading, topics, fleet, numbered, refs }:
    & Pick<Facts, "reading" | "fleet" | "numbered">
    & { topics: Set<Topic>; refs: boolean },
): void {
  const them = refs || reading.has("them");
  if (reading.has("how_to") && !reading.has("lookup", "find") && isErrand(reading, numbered)) {
    said.add("filing");
  } else if (
    topics.has("ucr") && reading.has("pay", "registered") && fleet.vehicles === undefined
  ) {
    if (them) said.add("ucr_payment");
    else if (!reading.has("fee", "broker")) said.add("filing");
  } else if (reading.has("registered") && reading.has("when")) {
    said.add("history");
  } else if (reading.has("pay") && reading.has("broker") && !topics.has("ucr") && refs) {
    said.add("credit");
  }
  if (reading.has("broker") && /^(?:is|are)$/.test(reading.word(0)) && refs) {
    if (topics.size + said.size === 0) said.add("licensing");
  }
  if (
    speaksOfMany(reading) && numbered.carriers.length === 0 && !topics.has("ucr") &&
    !reading.has("them")
  ) {
    if (topics.size > 0 || fleet.unsure || fleet.vehicles !== undefined) said.add("filters");
  }
  if (said.has("cargo") && numbered.carriers.length > 0) said.delete("load_rates");
  if (said.has("explanations") && (fleet.vehicles !== undefined || fleet.unsure)) {
    said.delete("explanations");
    if (hasWord(reading, /^ucr$/)) topics.add("ucr");
  }
  for (const [topic, { topics: taken = [], declined = [] }] of TAKES) {
    if (!said.has(topic)) continue;
    for (const other of taken) topics.delete(other);
    for (const other of declined) said.delete(other);
  }
}

/** "carriers in Akron", but not "Smith Carriers". */
function speaksOfMany(reading: Reading): boolean {
  return reading.tokens.some(({ text }, at) =>
    reading.is(at, "firms") && text.endsWith("s") && text !== "business" &&
    (at === 0 || reading.spans[reading.spans[at]!.from - 1] !== null)
  );
}

function isErrand(reading: Reading, { bare }: Numbered): boolean {
  return reading.has("file", "pay", "registered", "topic:mcs150", "topic:ucr") || bare.size > 0 ||
    hasWord(reading, /^(?:apply|reactivate|renew)$/);
}

const TAKES: readonly [DeclinedTopic, { topics?: readonly Topic[]; declined?: DeclinedTopic[] }][] =
  [
    ["filters", { topics: TOPICS }],
    ["explanations", { topics: TOPICS }],
    ["filing", { topics: ["mcs150", "ucr", "status"] }],
    ["legal", { topics: ["ucr", "mcs150"], declined: ["cargo", "filing"] }],
    ["ucr_payment", { topics: ["ucr"] }],
    ["licensing", { topics: ["authority"] }],
    ["trust", { declined: ["load_rates"] }],
    ["load_rates", { declined: ["cargo"] }],
    ["other_filings", { declined: ["ucr_payment"] }],
    ["scores", { topics: ["rating"] }],
    ["oos_order", { topics: ["oos"] }],
  ];
