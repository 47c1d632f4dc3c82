/**
 * From a question and those before it to a plan, in three stages: tokens, entities, plan. Each returns a new
 * value; answers.ts is the fourth.
 *
 * @module
 */

import { findEntities } from "./entities/entities.ts";
import type { NameBook, Understanding } from "./entities/names.ts";
import { contextOf, type Plan, planOf } from "./plan/plan.ts";
import { isGivenCarrier, isGuess } from "./plan/whom/references.ts";
import { respelled, unknownWords } from "./tokens/respelled.ts";
import { MAX_QUESTION, type Reading, readTokens } from "./tokens/tokens.ts";

/** Earlier questions that are read, and their characters; the caller chooses how many it sends. */
const MAX_EARLIER = 8;
const MAX_EARLIER_CHARACTERS = 2 * MAX_QUESTION;

/**
 * The plan of a question. The same question on the same day always means the same.
 *
 * @param prev Earlier questions of the conversation, the oldest first.
 */
export async function understand(
  query: string,
  prev: readonly string[],
  names: Understanding,
): Promise<Plan> {
  const earlier = latest(prev);
  let memory: Plan | null = null;
  for (const question of earlier) {
    const plan: Plan = await understandOne(question, memory, names.books(earlier.length));
    if (plan.lacks?.part !== "question") memory = withCarriers(plan, memory);
  }
  return await understandOne(query, memory, names.books(1));

  async function understandOne(text: string, memory: Plan | null, book: NameBook): Promise<Plan> {
    const read = async (reading: Reading) => {
      const entities = await findEntities(reading, contextOf(memory), book);
      return { entities, plan: planOf(entities, memory, names.today) };
    };
    const reading = readTokens(text);
    const { entities, plan } = await read(reading);
    // A name that a carrier has is spelled as it is meant.
    const isNamed = entities.names.some(({ exists }) => exists);
    const isLacking = isUnclear(plan) || plan.lacks !== undefined;
    if (isNamed || !isLacking && unknownWords(reading) < MANY_SLIPS) return plan;
    const meant = respelled(reading);
    const isTyped = meant === null ||
      !isLacking && (meant.slips < MANY_SLIPS || meant.share < LARGE_SHARE);
    if (isTyped) return plan;
    const { plan: other } = await read(readTokens(meant.text));
    // "White logistcs fort woth stil actve": a name that is not lost by its spelling.
    const named = plan.carriers.filter((ref) => !isGuess(ref));
    const isLost = !isUnclear(plan) && named.length > other.carriers.length;
    const isNoBetter = isUnclear(other) || !isUnclear(plan) && plan.lacks && other.lacks;
    return isNoBetter || isLost ? plan : { ...other, readAs: other.readAs ?? [meant.text] };
  }
}

/** So many misspelled words, and such a share, make a question one of slips, even if it seems to be understood. */
const MANY_SLIPS = 2;
const LARGE_SHARE = 0.15;

function isUnclear({ lacks, unclear }: Plan): boolean {
  return lacks?.part === "question" || unclear;
}

/**
 * A plan about no carrier, or about words that may be no name, with the carriers of the plan before: "and its
 * rating?" after a question on fees.
 */
function withCarriers(plan: Plan, memory: Plan | null): Plan {
  const carriers = memory?.carriers ?? [];
  const isOfBefore = plan.carriers.length === 0 ||
    plan.carriers.every(isGuess) && carriers.some(isGivenCarrier);
  if (!isOfBefore) return plan;
  // "What is BOC-3", "does your check look at it", "and does Robertson Supply have theirs".
  const terms = plan.terms.length > 0 || plan.intents.size > 0 ? plan.terms : memory?.terms ?? [];
  return { ...plan, carriers, terms };
}

/** The last questions that fit, the oldest first. */
function latest(prev: readonly string[]): string[] {
  let characters = 0;
  return prev.slice(-MAX_EARLIER).toReversed().filter(({ length }) =>
    (characters += Math.min(length, MAX_QUESTION)) <= MAX_EARLIER_CHARACTERS
  ).toReversed();
}
