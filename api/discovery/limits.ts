/**
 * The limits of the service, from the code that enforces them.
 *
 * @module
 */

import { counted } from "../../pipeline/text.ts";
import { MAX_QUESTION } from "../ask/tokens/tokens.ts";
import { MAX_BODY } from "../ask/http.ts";
import { MAX_CARRIERS } from "../ask/answers/answers.ts";
import { MAX_KEY } from "../http/parameters.ts";
import { BATCH_LIMITS } from "../operations/batch.ts";
import { JOB_LIMITS, RESULTS_MS } from "../operations/jobs.ts";
import { DEFAULT_RESULTS, MAX_RESULTS } from "../operations/search.ts";
import { DEFAULT_UCR_YEAR, UCR_YEARS } from "../rules/ucr.ts";
import { KEEP_MS } from "../state/idempotency.ts";
import { PAGE_COSTS, PAGE_QUOTA, QUOTA, WINDOW_MS } from "../state/rate_limit.ts";
import { STORAGE_LIMITS } from "../state/storage_budget.ts";
import { EVALUATIONS } from "../state/slots.ts";

const HOUR_MS = 3_600_000;

/** Every limit that applies to a caller, in words. */
export const PUBLIC_LIMITS: readonly [what: string, value: string][] = [
  [
    "Requests per IP address",
    `${QUOTA} in any ${WINDOW_MS / 1000} seconds, across all endpoints`,
  ],
  ["USDOT numbers in a batch", `1 to ${counted(BATCH_LIMITS.maxItems)}`],
  ["USDOT numbers in a job", `1 to ${counted(JOB_LIMITS.maxItems)}`],
  [
    "Body size of a batch, a job",
    `${BATCH_LIMITS.maxBytes / 1024} KiB, ${JOB_LIMITS.maxBytes / 1024} KiB`,
  ],
  ["A job is kept", hours(RESULTS_MS)],
  ["Idempotency keys are kept", hours(KEEP_MS)],
  ["Idempotency key", `1 to ${MAX_KEY} characters; keys are per IP address`],
  [
    "Batches and jobs at a time",
    `${EVALUATIONS.perClient} per IP address; ${EVALUATIONS.waitingPerClient} more wait, up to ` +
    `${EVALUATIONS.patienceMs / 1000} seconds, then 503 with Retry-After`,
  ],
  [
    "Jobs and keys stored per IP address",
    `${STORAGE_LIMITS.perClient / 1024 / 1024} MiB, about 800 of the largest jobs; then 429`,
  ],
  [
    "Pages of the site, per IP address",
    `${PAGE_QUOTA} in any ${WINDOW_MS / 1000} seconds, separate from the API; a search ` +
    `counts as ${PAGE_COSTS.search}, a list as ${PAGE_COSTS.upload}, its result as ${PAGE_COSTS.result}`,
  ],
  ["Results per search", `1 to ${MAX_RESULTS}, ${DEFAULT_RESULTS} by default`],
  [
    "A question to /ask or /a2a",
    `${counted(MAX_QUESTION)} characters, ${MAX_CARRIERS} carriers, a body of ${
      MAX_BODY / 1024
    } KiB`,
  ],
  ["UCR years", `${UCR_YEARS.join(", ")}; ${DEFAULT_UCR_YEAR} by default`],
];

/** A Markdown table; cells must not contain `|` or line breaks. */
export function markdownTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [heads, heads.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

export function limitsTable(): string {
  return markdownTable(["Limit", "Value"], PUBLIC_LIMITS);
}

/** A whole number of hours in words, from milliseconds: `1 hour`, `24 hours`. */
export function hours(ms: number): string {
  return `${ms / HOUR_MS} hour${ms === HOUR_MS ? "" : "s"}`;
}

export const INCLUDED =
  "REST API, /ask, MCP server, A2A agent, batches and background jobs, within the limits below";
