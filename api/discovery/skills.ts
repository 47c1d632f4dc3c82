/**
 * `/.well-known/agent-skills`: instructions that an agent can load (Agent Skills 0.2.0).
 *
 * @module
 */

import { JOB_LIMITS } from "../operations/jobs.ts";
import BULK_CARRIER_CHECK from "./text/bulk-carrier-check.md" with { type: "text" };
import CARRIER_CHECK from "./text/carrier-check.md" with { type: "text" };
import MCS150_AND_UCR from "./text/mcs150-and-ucr.md" with { type: "text" };

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

export const SKILLS: readonly Skill[] = [
  skill({
    name: "carrier-check",
    title: "Check a motor carrier",
    description:
      "Check one US motor carrier from public records by USDOT number, MC number or name. Use when someone asks whether a trucking company is registered, active, rated, overdue on its MCS-150 or often put out of service.",
    queries: ["how do I vet a trucking company", "steps to check a motor carrier"],
    template: CARRIER_CHECK,
  }),
  skill({
    name: "bulk-carrier-check",
    title: "Check a list of motor carriers",
    description:
      `Check up to ${JOB_LIMITS.maxItems} US motor carriers at once by USDOT number. Use when someone has a list or a spreadsheet of carriers to screen.`,
    queries: ["screen a list of carriers", "check many USDOT numbers at once"],
    template: BULK_CARRIER_CHECK,
  }),
  skill({
    name: "mcs150-and-ucr",
    title: "MCS-150 due dates and UCR fees",
    description:
      "Calculate when the biennial MCS-150 update of a USDOT number is due, and what a fleet pays for Unified Carrier Registration. Use for deadlines and fees; no carrier data is needed.",
    queries: ["when is my MCS-150 due", "how much is UCR for 12 trucks"],
    template: MCS150_AND_UCR,
  }),
];

function skill(parts: Omit<Skill, "path">): Skill {
  return { ...parts, path: `/.well-known/agent-skills/${parts.name}/SKILL.md` };
}
