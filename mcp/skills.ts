/**
 * The service's skills as MCP resources (SEP-2640), with the same bytes as `/.well-known/agent-skills/`.
 *
 * @module
 */

import type { ReadResourceResult, Resource } from "@modelcontextprotocol/server";
import { type Skill, skillEntry } from "@modelcontextprotocol/server/ext/skills";
import { SKILLS, skillText } from "../api/discovery/texts.ts";

const SKILL_TYPE = "text/markdown";

/** The skills' entries in `resources/list`. */
export const SKILL_FILES: readonly Resource[] = SKILLS.map(({ name, title, description }) => ({
  uri: skillUri(name),
  name,
  title,
  description,
  mimeType: SKILL_TYPE,
}));

/** Returns a skill's file; null when no skill has this URI. */
export function readSkill(uri: string, baseUrl: string): ReadResourceResult | null {
  const skill = SKILLS.find(({ name }) => uri === skillUri(name));
  if (skill === undefined) return null;
  return { contents: [{ uri, mimeType: SKILL_TYPE, text: skillText(skill, baseUrl) }] };
}

/** The entries of `skills/list`, with the digests of the files. */
export async function skillEntries(baseUrl: string): Promise<Skill[]> {
  return await Promise.all(
    SKILLS.map((skill) => skillEntry(skill.name, { "SKILL.md": skillText(skill, baseUrl) })),
  );
}

function skillUri(name: string): string {
  return `skill://${name}/SKILL.md`;
}
