/**
 * Renders the text documents from the templates in `text/`. `{{name}}` in a template stands for a member of `VALUES`
 * or a value passed to `fill()`.
 *
 * @module
 */

import { counted } from "../../pipeline/text.ts";
import { EXAMPLES, FOLLOW_UP } from "../ask/answers/schemas.ts";
import { SERVICE_TITLE } from "../operations/about.ts";
import { BATCH_LIMITS } from "../operations/batch.ts";
import { ERRORS } from "../operations/errors.ts";
import { JOB_LIMITS, RESULTS_MS } from "../operations/jobs.ts";
import { BATCH_OPERATIONS, OPERATIONS } from "../operations/table.ts";
import { INDEPENDENCE, NOT_IN_DATA } from "../rules/official_sources.ts";
import { CHECK_IDS } from "../rules/schemas.ts";
import { DEFAULT_UCR_YEAR, UCR_YEARS } from "../rules/ucr.ts";
import { KEEP_MS } from "../state/idempotency.ts";
import { QUOTA, WINDOW_MS } from "../state/rate_limit.ts";
import { hours, INCLUDED, limitsTable, markdownTable } from "./limits.ts";
import AGENTS from "./text/agents.md" with { type: "text" };
import AUTH from "./text/auth.md" with { type: "text" };
import BULK_CARRIER_CHECK from "./text/bulk-carrier-check.md" with { type: "text" };
import CARRIER_CHECK from "./text/carrier-check.md" with { type: "text" };
import LLMS from "./text/llms.txt" with { type: "text" };
import MCS150_AND_UCR from "./text/mcs150-and-ucr.md" with { type: "text" };
import PRICING from "./text/pricing.md" with { type: "text" };
import ROBOTS from "./text/robots.txt" with { type: "text" };
import SECURITY from "./text/security.txt" with { type: "text" };
import SKILL_ROWS from "./text/skills.json" with { type: "json" };

const QUESTION = EXAMPLES.lookupCarrier[0]!;

/** Template values that do not depend on the base URL. */
const VALUES = {
  title: SERVICE_TITLE,
  independence: INDEPENDENCE,
  not_in_data: NOT_IN_DATA,
  batch_numbers: BATCH_LIMITS.maxItems,
  job_numbers: counted(JOB_LIMITS.maxItems),
  job_hours: hours(RESULTS_MS),
  key_hours: hours(KEEP_MS),
  quota: QUOTA,
  quota_seconds: WINDOW_MS / 1000,
  checks: CHECK_IDS.map((id) => `\`${id}\``).join(", "),
  check_count: CHECK_IDS.length,
  ucr_years: UCR_YEARS.join(" or "),
  ucr_year: DEFAULT_UCR_YEAR,
  question: QUESTION,
  follow_up: FOLLOW_UP.query,
  follow_up_prev: FOLLOW_UP.prev,
  limits: limitsTable(),
  included: INCLUDED,
  operations: markdownTable(
    ["Operation", ""],
    [...OPERATIONS, ...BATCH_OPERATIONS].map((
      { method, path, summary },
    ) => [`\`${method} ${path}\``, summary]),
  ),
  errors: markdownTable(
    ["Code", "Status", "When"],
    Object.entries(ERRORS)
      .map(([code, { status, when }]) => [`\`${code}\``, String(status), when]),
  ),
};

export interface McpDescription {
  version: string;
  tools: readonly { name: string; title: string }[];
}

/** `/agents.md`: a complete guide for agents, with example calls. */
export function agentsMd(baseUrl: string, { tools }: McpDescription): string {
  const rows = tools.map(({ name, title }) => [`\`${name}\``, title]);
  return fill(AGENTS, baseUrl, { tools: markdownTable(["Tool", ""], rows) });
}

const TEMPLATES = {
  /** States, under the headings where agents look for credentials, that none are needed. */
  "/auth.md": AUTH,
  "/pricing.md": PRICING,
  /** The short guide, for a model's context (llmstxt.org). */
  "/llms.txt": LLMS,
  /** Allows reading, searching and quoting everything; doesn't mention training. */
  "/robots.txt": ROBOTS,
  /** Where to report a vulnerability (RFC 9116). */
  "/.well-known/security.txt": SECURITY,
};

export const TEXT_PATHS = Object.keys(TEMPLATES) as (keyof typeof TEMPLATES)[];

export function textAt(path: keyof typeof TEMPLATES, baseUrl: string): string {
  return fill(TEMPLATES[path], baseUrl);
}

/** A skill: the template of its SKILL.md (Agent Skills 0.2.0), and its entry in the catalogs. */
interface Skill {
  name: string;
  title: string;
  /** What it does and when to use it. Must not contain `: ` or ` #`, which have a meaning in YAML. */
  description: string;
  path: string;
  queries: readonly string[];
  template: string;
}

const SKILL_TEMPLATES: Readonly<Record<string, string>> = {
  "carrier-check": CARRIER_CHECK,
  "bulk-carrier-check": BULK_CARRIER_CHECK,
  "mcs150-and-ucr": MCS150_AND_UCR,
};

export const SKILLS: readonly Skill[] = SKILL_ROWS.map(({ description, ...row }) => ({
  ...row,
  description: description.replace("{{job_numbers}}", counted(JOB_LIMITS.maxItems)),
  path: `/.well-known/agent-skills/${row.name}/SKILL.md`,
  template: SKILL_TEMPLATES[row.name]!,
}));

/** A skill's SKILL.md exactly as served, so that its digest matches. */
export function skillText({ name, description, template }: Skill, baseUrl: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${fill(template, baseUrl)}`;
}

/**
 * Fills in a template with the values common to all documents, the base URL, and `more`.
 *
 * @throws {Error} When the template has a name without a value.
 */
export function fill(
  template: string,
  baseUrl: string,
  more: Record<string, string | number> = {},
): string {
  const values: Record<string, string | number> = {
    ...VALUES,
    base_url: baseUrl,
    question_url: `${baseUrl}/ask?query=${encodeURIComponent(QUESTION)}`,
    skills: SKILLS.map(({ path, description }) => `- ${baseUrl}${path}: ${description}`).join("\n"),
    skill_links: SKILLS.map(({ title, path, description }) =>
      `- [${title}](${baseUrl}${path}): ${description}`
    ).join("\n"),
    ...more,
  };
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Cannot fill {{${name}}}: no such value`);
    return String(value);
  });
}
