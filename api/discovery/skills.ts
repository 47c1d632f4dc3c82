/**
 * `/.well-known/agent-skills`: instructions that an agent can load (Agent Skills 0.2.0).
 *
 * @module
 */

import { JOB_LIMITS } from "../operations/jobs.ts";
import BULK_CARRIER_CHECK from "./text/bulk-carrier-check.md" with { type: "text" };
import CARRIER_CHECK from "./text/carrier-check.md" with { type: "text" };
import MCS150_AND_UCR from "./text/mcs150-and-ucr.md" with { type: "text" };
import ROWS from "./text/skills.json" with { type: "json" };

/** A skill: the template of its SKILL.md and what the catalogs say of it. */
export interface Skill {
  /** Also the name of its folder. */
  name: string;
  title: string;
  /** What it does and when to use it; without `: ` and ` #`, which YAML would interpret. */
  description: string;
  path: string;
  queries: readonly string[];
  template: string;
}

export const SKILLS_INDEX = "/.well-known/agent-skills/index.json";

const TEMPLATES: Readonly<Record<string, string>> = {
  "carrier-check": CARRIER_CHECK,
  "bulk-carrier-check": BULK_CARRIER_CHECK,
  "mcs150-and-ucr": MCS150_AND_UCR,
};

export const SKILLS: readonly Skill[] = ROWS.map(({ description, ...row }) => ({
  ...row,
  description: description.replace("{{job_numbers}}", String(JOB_LIMITS.maxItems)),
  path: `/.well-known/agent-skills/${row.name}/SKILL.md`,
  template: TEMPLATES[row.name]!,
}));
