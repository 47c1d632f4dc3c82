/**
 * How people ask, by role, with the correct outcome. Written before the parser.
 *
 * A line is `question => outcome`, with earlier questions before `>>` and outcomes that are equally
 * correct separated by `|`. An outcome lists topics and `#USDOT` of what is answered, `fee=vehicles/year`,
 * `no:topic` for what is declined, `ask:part` for a clarification, `missing` for not found, `record` for
 * what is given because the question is not understood, which the answer says: a carrier's record, or the terms that it uses.
 *
 * @module
 */

import type { SurfaceDeps } from "../../../api/operations/operation.ts";
import { collectAnswer } from "../../../api/ask/http.ts";
import type { Answer } from "../http/service.ts";

export interface Phrasing {
  role: string;
  query: string;
  /** Earlier questions, oldest first. */
  prev: string[];
  expected: string;
  /**
   * Whether rules were tuned on it: odd lines, and all of `later`. All others are only scored; `fresh`, `record`
   * and `first_runs` were unseen only on their first run.
   */
  tuned: boolean;
}

export type Verdict = "right" | "acceptable" | "wrong";

const ROLES =
  "broker driver manager agent spanish typos follow_ups several later fresh record first_runs"
    .split(" ");

/** All phrasings. */
export function phrasings(): Phrasing[] {
  return ROLES.flatMap((role) => {
    const file = new URL(`phrasings/${role}.txt`, import.meta.url);
    return Deno.readTextFileSync(file).split("\n").filter((line) => !/^(#|$)/.test(line))
      .map((line, i) => {
        const [left, expected] = line.split(" => ") as [string, string];
        const prev = left.split(" >> ");
        const tuned = role === "later" ||
          i % 2 === 0 && !/^(?:fresh|record|first_runs)$/.test(role);
        return { role, query: prev.pop()!, prev, expected, tuned };
      });
  });
}

/** The outcome of a question without earlier ones. */
export async function outcomeOfQuestion(query: string, deps: SurfaceDeps): Promise<string> {
  return outcomeOf({ body: await collectAnswer({ query, prev: [] }, deps) });
}

const UNCLEAR = /\bI don't understand all of that(?:, so this is the whole record|\. In general:)/;

/** An answer in the notation of outcomes. */
export function outcomeOf({ body }: Pick<Answer, "body">): string {
  const words = new Set<string>();
  if (body._meta.response_type === "elicitation") {
    const [{ id, options = [] }] = body.elicitation.questions;
    words.add(`ask:${id}`);
    for (const option of options) {
      const dot = /\(USDOT (\d+)/.exec(option)?.[1];
      if (dot !== undefined) words.add(`#${dot}`);
    }
  } else if (body._meta.response_type === "failure") {
    // A sentence that is not understood is declined, a few words are asked back.
    for (const topic of body.error.details?.declined ?? []) {
      words.add(topic === "unclear" ? "ask:question" : `no:${topic}`);
    }
    if (words.size === 0) words.add(body.error.code === "NO_RESULTS" ? "missing" : body.error.code);
  } else {
    for (const item of body.results) {
      if (item.ucr_fee) words.add(`fee=${item.ucr_fee.vehicles}/${item.ucr_fee.year}`);
      else if (UNCLEAR.test(item.description ?? item.text)) words.add("record");
      else for (const one of item.about) words.add(one.replace("declined:", "no:"));
      if (item["@type"] === "Organization") words.add(item.identifier.replace("USDOT ", "#"));
      const schedule = item.mcs150?.dot;
      if (schedule !== undefined) words.add(`#${schedule}`);
    }
  }
  return [...words].join(" ");
}

/**
 * `wrong` is an answer about another carrier, fleet or topic, or to a question that should not be answered.
 * `acceptable` is a clarification or a decline instead of an answer, or the correct answer with too much or too
 * little.
 */
export function judge(expected: string, outcome: string): Verdict {
  const judged = expected.split(" | ").map((one) => judgeOne(one, outcome));
  return judged.includes("right")
    ? "right"
    : judged.includes("acceptable")
    ? "acceptable"
    : "wrong";
}

function judgeOne(expected: string, outcome: string): Verdict {
  const [want, got] = [parse(expected), parse(outcome)];
  // It says that the question is not understood, as a question back does.
  if (got.topics.includes("record")) {
    return want.asks.includes("ask:question") || want.topics.includes("overview")
      ? "right"
      : "acceptable";
  }
  // Beside a filter that is declined, the carriers of the place may be listed.
  const isBeside = want.declined.includes("no:filters") && got.declined.includes("no:filters") &&
    got.topics.every((topic) => topic === "search");
  const listed = want.asks.includes("ask:name") || want.topics.includes("search") || isBeside;
  const covers = (a: string[], b: string[]): boolean => b.every((one) => a.includes(one));
  const fees = want.fees.length === got.fees.length &&
    want.fees.every((fee) => got.fees.some((one) => one === fee || one.startsWith(`${fee}/`)));
  const same = (a: string[], b: string[]): boolean => covers(a, b) && covers(b, a);
  const carriers = listed ? covers(got.carriers, want.carriers) : same(want.carriers, got.carriers);
  // A comparison may include the topics that it compares.
  const topics = want.topics.includes("compare")
    ? got.topics.includes("compare")
    : isBeside || same(want.topics, got.topics);
  if (
    carriers && fees && topics && same(want.declined, got.declined) && same(want.asks, got.asks)
  ) {
    return "right";
  }
  const answered = got.topics.filter((topic) => topic !== "search" && topic !== "missing");
  if (answered.length + got.fees.length === 0) return "acceptable";
  const strange = got.carriers.some((dot) => !want.carriers.includes(dot)) ||
    got.fees.some((fee) => !want.fees.some((one) => fee === one || fee.startsWith(`${one}/`)));
  // An overview first says which words it didn't use, so it doesn't claim to answer the question.
  const other = answered.some((topic) => topic !== "overview") &&
    !answered.some((topic) => want.topics.includes(topic));
  return strange || other ? "wrong" : "acceptable";
}

function parse(outcome: string) {
  const words = outcome.split(" ").filter((word) => word !== "");
  return {
    carriers: words.filter((word) => word.startsWith("#")),
    fees: words.filter((word) => word.startsWith("fee=")),
    declined: words.filter((word) => word.startsWith("no:")),
    asks: words.filter((word) => word.startsWith("ask:")),
    topics: words.filter((word) => !/^(?:#|fee=|no:|ask:)/.test(word)),
  };
}
