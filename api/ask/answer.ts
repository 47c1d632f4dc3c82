/**
 * From what was understood to results, one after the other as they are found.
 *
 * @module
 */

import { ServiceError } from "../operations/errors.ts";
import { lookupCarrier } from "../operations/lookup_carrier.ts";
import { searchCarriers } from "../operations/search_carriers.ts";
import type { Carrier } from "../rules/schemas.ts";
import { DECLINES } from "./declines.ts";
import { elicit, tooMany } from "./elicit.ts";
import { dueDate, fees, feesOf } from "./calculate.ts";
import { carrierItem, declineItem, foundItem, plainItem } from "./items.ts";
import { type Missing, resolve, type Resolved, searchUrl } from "./resolve.ts";
import type { Desk } from "./run.ts";
import type { AnswerItem, AskResult, Elicitation, Failure } from "./schemas.ts";
import { brief, checkOf, nameOf, overview, tell, tellDockets } from "./topics.ts";
import type { Topic, Understanding } from "./understanding.ts";
import { refName, TOPIC_NAMES, upper } from "./wording.ts";

/** How an answer ends. */
export type Ending =
  | { type: "answer" }
  | { type: "elicitation"; elicitation: Elicitation }
  | { type: "failure"; error: Failure };

/** Results, then how it ended. */
export type Answers = AsyncGenerator<AskResult, Ending, void>;

type Clear = Understanding & { outcome: "clear" };

const SEARCH_RESULTS = 10;
const COMPARED: readonly Topic[] = ["status", "mcs150", "rating", "oos", "fleet"];

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
      instead: `${desk.baseUrl}/api/v1/carriers/batch`,
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

/** All intents that look carriers up; names and dockets first, so that nothing is asked back later. */
async function* aboutCarriers(understanding: Clear, desk: Desk): Answers {
  const resolutions: (Resolved | Missing)[] = [];
  for (const ref of understanding.slots.carriers) {
    const resolution = await resolve(ref, desk);
    if (resolution.outcome === "ambiguous") {
      return { type: "elicitation", elicitation: resolution.elicitation };
    }
    resolutions.push(resolution);
  }
  const carriers: Carrier[] = [];
  // Held until something is found: missing carriers alone are a failure, not an answer.
  let missing: Missing[] = [];
  let found = false;
  for (const resolution of resolutions) {
    const items = await itemsOf(resolution, { understanding, carriers, desk });
    const here = Array.isArray(items);
    if (!here) missing.push(items);
    found ||= here;
    if (!found) continue;
    for (const { ref, message, url } of missing) yield plainItem(refName(ref), `${message}.`, url);
    missing = [];
    if (here) yield* items;
  }
  if (!found) {
    const message = missing.map((one) => one.message).join(". ");
    return failure("NO_RESULTS", message, { source_urls: missing.map(({ url }) => url) });
  }
  if (understanding.intent === "compare" && carriers.length > 1) {
    yield comparison(understanding, carriers);
  }
  return { type: "answer" };
}

/** The results for one carrier, which is added to `carriers`, or that it is missing. */
async function itemsOf(
  resolution: Resolved | Missing,
  { understanding, carriers, desk }: { understanding: Clear; carriers: Carrier[]; desk: Desk },
): Promise<AskResult[] | Missing> {
  if (resolution.outcome === "missing") return resolution;
  const carrier = await look(resolution, desk);
  if (understanding.intent === "due_date") return [await dueDate(resolution, carrier, desk)];
  if (carrier instanceof ServiceError) {
    if (carrier.code !== "not_found") throw carrier;
    return absent(resolution, carrier, desk);
  }
  carriers.push(carrier);
  const { topics, years } = understanding.slots;
  const item = describe(understanding, { carrier, resolved: resolution, desk });
  return topics.includes("ucr") ? [item, ...await feesOf(carrier, years, desk)] : [item];
}

async function look({ dot }: Resolved, desk: Desk): Promise<Carrier | ServiceError> {
  try {
    return await desk.run(lookupCarrier, { dot: String(dot) });
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

function absent({ ref, dot }: Resolved, error: ServiceError, { baseUrl }: Desk): Missing {
  const hint = ref.by === "dot" ? `. For an MC number ask for MC ${dot}` : "";
  return {
    outcome: "missing",
    ref,
    message: error.message + hint,
    url: `${baseUrl}/api/v1/carriers/${dot}`,
  };
}

function describe(
  { intent, slots: { topics, expects } }: Clear,
  { carrier, resolved: { note }, desk }: { carrier: Carrier; resolved: Resolved; desk: Desk },
): AskResult {
  const noted = (text: string): string => (note === "" ? text : `${note} ${text}`);
  const { baseUrl } = desk;
  if (intent === "check") {
    const checks = topics.flatMap((topic) => checkOf(carrier, topic) ?? []);
    const text = topics.map((topic) => tell(carrier, topic, expects)).join(" ");
    return carrierItem(carrier, { description: noted(text), checks, baseUrl });
  }
  if (intent === "dot_to_mc") {
    const checks = [checkOf(carrier, "authority") ?? []].flat();
    return carrierItem(carrier, { description: noted(tellDockets(carrier)), checks, baseUrl });
  }
  const checks = intent === "lookup" ? { checks: carrier.checks } : {};
  return carrierItem(carrier, { description: noted(overview(carrier)), ...checks, baseUrl });
}

function comparison({ slots: { topics } }: Clear, carriers: readonly Carrier[]): AnswerItem {
  const lines = (topics.length > 0 ? topics : COMPARED).map((topic) => {
    const values = carriers.map((carrier) =>
      `${nameOf(carrier)} (USDOT ${carrier.dot}) ${brief(carrier, topic)}`
    );
    return `${upper(TOPIC_NAMES[topic])}: ${values.join("; ")}.`;
  });
  const [first] = carriers;
  const urls = carriers.map(({ page_url }) => page_url);
  const item = plainItem(
    `Comparison of ${carriers.map(({ dot }) => `USDOT ${dot}`).join(", ")}`,
    `${lines.join(" ")} No score is made of this; data of ${first!.snapshot.data_date}.`,
    urls[0]!,
  );
  return { ...item, grounding: { source_urls: urls, snapshot: first!.snapshot } };
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

function failure(
  code: Failure["code"],
  message: string,
  details: Record<string, unknown>,
): Ending {
  return { type: "failure", error: { code, message, details } };
}
