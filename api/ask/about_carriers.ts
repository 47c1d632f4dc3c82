/**
 * Answers about carriers.
 *
 * @module
 */

import { ServiceError } from "../operations/errors.ts";
import { lookupCarrier } from "../operations/lookup_carrier.ts";
import type { Carrier } from "../rules/schemas.ts";
import { dueDate, feesOf } from "./calculate.ts";
import { type Answers, type Clear, failure } from "./ending.ts";
import { carrierItem, plainItem } from "./items.ts";
import { type Missing, resolve, type Resolved } from "./resolve.ts";
import type { Desk } from "./run.ts";
import type { AnswerItem, AskResult } from "./schemas.ts";
import { brief, checkOf, nameOf, overview, tell, tellDockets } from "./topics.ts";
import type { Topic } from "./understanding.ts";
import { refName, TOPIC_NAMES, upper } from "./wording.ts";

const COMPARED: readonly Topic[] = ["status", "mcs150", "rating", "oos", "fleet"];

/** All intents that look carriers up; names and dockets first, so that nothing is asked back later. */
export async function* aboutCarriers(understanding: Clear, desk: Desk): Answers {
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
    for (const { ref, message, url } of missing) {
      yield plainItem({ name: refName(ref), text: `${message}.`, url });
    }
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
    const text = topics.map((topic) => tell(carrier, topic, { expects })).join(" ");
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
  const item = plainItem({
    name: `Comparison of ${carriers.map(({ dot }) => `USDOT ${dot}`).join(", ")}`,
    text: `${lines.join(" ")} No score is made of this; data of ${first!.snapshot.data_date}.`,
    url: urls[0]!,
  });
  return { ...item, grounding: { source_urls: urls, snapshot: first!.snapshot } };
}
