/**
 * From what was understood to results, one after the other as they are found.
 *
 * @module
 */

import { ServiceError } from "../operations/errors.ts";
import { searchCarriers } from "../operations/search_carriers.ts";
import { aboutCarriers } from "./about_carriers.ts";
import { fees } from "./calculate.ts";
import { DECLINES } from "./declines.ts";
import { elicit, tooMany } from "./elicit.ts";
import { type Answers, type Clear, type Ending, failure } from "./ending.ts";
import { declineItem, foundItem } from "./items.ts";
import { searchUrl } from "./resolve.ts";
import type { Desk } from "./run.ts";
import type { Understanding } from "./understanding.ts";

const SEARCH_RESULTS = 10;

/**
 * Answers. Nothing is run for a question that lacks something, or asks only for what is declined.
 *
 * @throws {ServiceError} When an operation fails for another reason than its input.
 * @throws The reason of the desk's signal.
 */
export async function* answer(understanding: Understanding, desk: Desk): Answers {
  const { outcome, declined, slots } = understanding;
  const elicitation = elicit(understanding);
  if (elicitation !== null) return { type: "elicitation", elicitation };
  if (outcome === "too_many") {
    const given = slots.carriers.length;
    return failure("INVALID_PARAMETER", tooMany(given), {
      given,
      instead: [`${desk.baseUrl}/api/v1/carriers/batch`],
    });
  }
  if (outcome === "declined") return refuse(understanding, desk);
  const ending = yield* work(understanding as Clear, desk);
  if (ending.type === "answer") yield* declined.map(declineItem);
  return ending;
}

function work(understanding: Clear, desk: Desk): Answers {
  switch (understanding.intent) {
    case "search":
      return search(understanding, desk);
    case "ucr_fee":
      return fees(understanding, desk);
    default:
      return aboutCarriers(understanding, desk);
  }
}

async function* search({ slots }: Clear, desk: Desk): Answers {
  const query = slots.query ?? "";
  const { baseUrl } = desk;
  const url = searchUrl(query, baseUrl);
  try {
    const input = { q: query, limit: SEARCH_RESULTS };
    const { results, snapshot } = await desk.run(searchCarriers, input);
    if (results.length > 0) {
      for (const found of results) yield foundItem(found, { snapshot, baseUrl });
      return { type: "answer" };
    }
    const message =
      `Cannot find "${query}": no carrier of that name in the census of ${snapshot.data_date}`;
    return failure("NO_RESULTS", message, { source_urls: [url] });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "invalid_query") throw error;
    return failure("INVALID_PARAMETER", error.message, { source_urls: [url] });
  }
}

function refuse({ declined, slots }: Understanding, { baseUrl }: Desk): Ending {
  const message = declined.map((topic) => DECLINES[topic].text).join(". ");
  const where = declined.flatMap((topic) => DECLINES[topic].where);
  const numbered = slots.carriers.filter((ref) => ref.by !== "name");
  return failure("OUT_OF_SCOPE", message, {
    declined,
    where,
    ...(numbered.length === 0 ? {} : {
      instead: numbered.map(({ by, number }) =>
        `${baseUrl}/api/v1/${by === "mc" ? "mc" : "carriers"}/${number}`
      ),
    }),
  });
}
