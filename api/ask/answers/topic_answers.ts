/**
 * The answer to a topic about a carrier: yes or no to what the question guesses, then what is on file; or
 * all of the rest that is on file.
 *
 * @module
 */

import { capitalized, counted, inert, plural, quoted } from "../../../pipeline/text.ts";
import { isOfOrders } from "../../rules/orders.ts";
import type { Carrier, CheckId, CheckState } from "../../rules/schemas.ts";
import { isCargo } from "../plan/asked/guesses.ts";
import {
  checkOf,
  detailOf,
  IN_OVERVIEW,
  inCensus,
  type Topic,
  TOPIC_KEYS,
  TOPICS,
} from "../plan/asked/topics.ts";

/** What a question takes for true, and the states of its check in which it is; only `ok` and `bad` decide. */
const GUESSES: Readonly<Record<string, readonly [said: string, yes: string]>> = {
  "status=active": ["USDOT number active", "ok"],
  "status=inactive": ["USDOT number inactive", "bad"],
  "mcs150=filed": ["MCS-150 filed on time", "ok"],
  "mcs150=overdue": ["MCS-150 overdue", "bad"],
  "authority=active": ["Operating authority active", "ok"],
  "oos=above": ["Above the national average", "bad"],
};

/** What is known about a topic, after yes or no to what the question guesses. */
export function topicText(carrier: Carrier, topic: Topic, guesses: ReadonlySet<string>): string {
  const { check, text, brief } = TOPICS[topic];
  const state = check === undefined ? "info" : stateOf(carrier, check);
  const guessed = [...guesses].filter((guess) => guess.startsWith(`${topic}=`));
  const verdicts = guessed.flatMap((guess) => {
    if (topic === "rating") return ratingGuess(carrier, guess);
    if (topic === "cargo") return cargoGuess(carrier, guess);
    if (guess.endsWith("=each")) return eachText(carrier, topic);
    const [said, yes] = GUESSES[guess] ?? [];
    if (topic === "fleet") return countGuess(carrier, guess);
    if (topic === "dockets") return docketGuess(carrier, guess);
    if (said === undefined) return [];
    return state === "ok" || state === "bad"
      ? `${said}? ${yes!.includes(state) ? "Yes" : "No"}.`
      : [];
  });
  const fact = text?.(carrier) ??
    (check === undefined ? inCensus(carrier, brief!(carrier)) : detailOf(carrier, check));
  return [...verdicts, fact].join(" ");
}

/** The state of a check, of a number under an order that of the number itself: guesses are about that. */
function stateOf(carrier: Carrier, id: CheckId): CheckState {
  const check = checkOf(carrier, id);
  if (!isOfOrders(check)) return check.state;
  return carrier.status === "active" ? "ok" : "info";
}

/** Whether a carrier has the rating of `rating=satisfactory`, or any of `rating=rated`. */
function ratingGuess({ safety_rating: rating }: Carrier, guess: string): string {
  const name = capitalized(guess.replace("rating=", ""));
  const isSo = name === "Rated" ? rating !== "Not rated" : rating === name;
  return `${name === "Rated" ? name : `Rated ${name}`}? ${isSo ? "Yes" : "No"}.`;
}

/** Whether a carrier filed the count of `fleet=power_units:12`. */
function countGuess(carrier: Carrier, guess: string): string {
  const [, member, count] = /=(power_units|drivers):(\d+)$/.exec(guess)!;
  const of = member as "power_units" | "drivers";
  const said = `${counted(Number(count))} ${of.replace("_", " ")} filed?`;
  if (carrier.not_reported.includes(of)) return `${said} Not reported.`;
  return `${said} ${carrier[of] === Number(count) ? "Yes" : `No, ${counted(carrier[of])}`}.`;
}

/** Whether a carrier filed the cargo of `cargo=Fresh produce`. */
function cargoGuess({ cargo, other_cargo: other }: Carrier, guess: string): string {
  const kind = guess.replace("cargo=", "");
  const filed = cargo.length === 0 ? "Not reported" : cargo.includes(kind)
    ? "Yes"
    // Some write "HOUSEHOLD GOODS" there.
    : other === null || !isCargo(other, kind)
    ? "No"
    : `Not as such, but as other cargo ${quoted(other)}`;
  return `${kind} filed? ${filed}.`;
}

/** The drivers or miles per power unit; empty where they aren't known. */
function eachText(carrier: Carrier, topic: Topic): string[] {
  const { power_units: units, not_reported: unknown } = carrier;
  const ofMiles = topic === "mileage";
  const count = ofMiles ? carrier.mileage?.miles : carrier.drivers;
  const isKnown = !unknown.includes("power_units") && (ofMiles || !unknown.includes("drivers"));
  if (count === undefined || units === 0 || !isKnown) return [];
  const each = ofMiles ? Math.round(count / units) : Math.round(count / units * 100) / 100;
  return [`${plural(each, ofMiles ? "mile" : "driver")} per power unit.`];
}

/** Whether a carrier lists the docket of `dockets=MC 186800`. */
function docketGuess({ dockets }: Carrier, guess: string): string {
  const docket = guess.replace("dockets=", "");
  const isListed = dockets.some(({ prefix, number }) => `${prefix} ${number}` === docket);
  return `${docket} listed by this USDOT number? ${isListed ? "Yes" : "No"}.`;
}

/** What else is on file, in a few words for each topic that is not among `told`. */
export function restText(carrier: Carrier, told: readonly Topic[]): string {
  const known = new Set<Topic>([
    ...told,
    ...(told.includes("overview") ? IN_OVERVIEW : []),
    "overview",
    "match",
    "changes",
    "usdot",
    "orders",
  ]);
  const rest = TOPIC_KEYS.filter((topic) => !known.has(topic));
  const lines = rest.map((topic) => {
    const [label, text] = [TOPICS[topic].name, briefText(carrier, topic)];
    // Not "Cargo: cargo filed: General freight".
    const [first] = label.toLowerCase().split(" ");
    return text.toLowerCase().startsWith(`${first} `) ? text : `${label}: ${text}`;
  });
  return `Also on file: ${lines.join("; ")}.`;
}

/** The same in a few words, to set beside those of another carrier. */
export function briefText(carrier: Carrier, topic: Topic): string {
  const { check, text, brief } = TOPICS[topic];
  if (brief !== undefined) return brief(carrier);
  return check === undefined ? text!(carrier) : inert(checkOf(carrier, check).summary);
}
