/**
 * What is said beside an answer: its language, how the question was read, and what of it was not used.
 *
 * @module
 */

import { quoted } from "../../../pipeline/text.ts";
import type { Plan } from "../plan/plan.ts";
import { isOnFile } from "./fitting.ts";
import { isWhole, noticeOf, sentences } from "./rendering.ts";
import type { AskResult, CarrierItem, Elicitation, Failure } from "./schemas.ts";

/** The sentence before an answer in English to a question in Spanish. */
const IN_ENGLISH = "Respondo en inglés, el idioma de los datos de la FMCSA.";

/**
 * An item with its notes. Before the text: what was typed but not used, if it could have changed the answer.
 * After it: the rest, and whether the data is not, or not only, FMCSA's.
 */
export function withNotes(
  item: AskResult,
  plan: Said | null,
): AskResult {
  const before = plan === null ? "" : beforeAll(plan, item);
  const last = leftOutWords(plan, (one) => !one.first);
  const within = (text: string): string =>
    sentences(before, text + noticeOf(item.grounding.snapshot), last);
  return item["@type"] === "Organization"
    ? { ...item, description: within(item.description) }
    : { ...item, text: within(item.text) };
}

/** What of a plan is said beside its answer. */
type Said = Pick<
  Plan,
  "leftOut" | "spanish" | "readAs" | "unclear" | "whole" | "intents" | "carriers" | "lacks"
>;

/** What comes before an answer or a question back: the language, how it was read, and what it leaves out. */
function beforeAll(plan: Said, item?: AskResult): string {
  const carrier = item?.["@type"] === "Organization" ? item : undefined;
  const unused = plan.leftOut.filter(({ first, asked }) => first && !asked);
  const onFile = unused.filter(({ text }) =>
    carrier !== undefined && plan.carriers.length === 1 && isOnFile(filedOf(carrier), text)
  );
  // "Is produce in there".
  const within = unused.filter((one) =>
    carrier !== undefined && !onFile.includes(one) && isIn(carrier.description, one.text)
  );
  const used = [...onFile, ...within];
  return sentences(
    howRead(plan),
    leftOutWords(plan, (one) => one.first && !used.includes(one)),
    ...onFile.map(({ text }) => `${quoted(text)} is part of its name or place on file.`),
    within.length === 0
      ? ""
      : `The answer below mentions ${within.map(({ text }) => quoted(text)).join(" and ")}.`,
  );
}

function filedOf(
  { name, alternateName, address }: CarrierItem,
): Parameters<typeof isOnFile>[0] {
  return {
    name,
    dba_name: alternateName ?? null,
    city: address.addressLocality,
    state: address.addressRegion,
  };
}

/** Whether what a carrier filed, as an answer has it, has words, one of four letters at least. */
function isIn(text: string, words: string): boolean {
  const filed = text.match(/"[^"]*"|cargo filed: [^.]*/g)?.join(" ") ?? "";
  return words.length > 3 && /\p{L}/u.test(words) &&
    new RegExp(`\\b${RegExp.escape(words)}\\b`, "i").test(filed);
}

function howRead(said: Said): string {
  const { spanish, readAs, unclear } = said;
  return sentences(
    spanish ? IN_ENGLISH : "",
    unclear ? unclearWords(said) : "",
    readAs === undefined ? "" : readAsWords(readAs).replace(/(?<![?.!])"$/, '".'),
  );
}

/** The questions that are answered in place of one that is not understood, or is misspelled. */
export function readAsWords(questions: readonly string[]): string {
  return `Read as ${questions.map((one) => quoted(one)).join(" or ")}`;
}

function unclearWords({ intents, carriers }: Said): string {
  if (carriers.length > 0 && intents.has("overview")) {
    return "I don't understand all of that, so this is the whole record.";
  }
  const again = carriers.length === 0 ? "" : ", with the rest of the record";
  return `In case it is in there, this is the answer before${again}.`;
}

function leftOutWords(
  plan: Said | null,
  isMeant: (one: Plan["leftOut"][number]) => boolean,
): string {
  const isRecord = plan !== null && isWhole(plan) && plan.lacks === undefined &&
    plan.carriers.length > 0 && !plan.intents.has("search");
  const words = [true, false].map((asked) => {
    const texts = plan?.leftOut.filter((one) => one.asked === asked && isMeant(one)) ?? [];
    const said = texts.map(({ text }) => quoted(text)).join(", ");
    if (said === "") return "";
    if (asked) return `I did not answer: ${said}.`;
    return isRecord
      ? `I did not use ${said}: apart from inspections and changes, the record below is all that ` +
        "this service has on a carrier."
      : `I did not use ${said}.`;
  });
  return sentences(...words);
}

/**
 * An ending without results: in English below a Spanish sentence, if the question is in Spanish; and where it
 * asks which carrier is meant, below what it leaves out.
 */
export function endingFor<E extends { elicitation?: Elicitation; error?: Failure }>(
  ending: E,
  plan: Said,
): E {
  const { elicitation, error } = ending;
  const isChoice = elicitation?.questions[0]?.options !== undefined;
  const said = { ...plan, unclear: false, whole: false };
  const before = isChoice ? beforeAll(said) : howRead(said);
  return {
    ...ending,
    ...elicitation &&
      { elicitation: { ...elicitation, text: sentences(before, elicitation.text) } },
    ...error && { error: { ...error, message: sentences(before, error.message) } },
  };
}
