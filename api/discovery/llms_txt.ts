/**
 * `/llms.txt` (llmstxt.org): the short guide, for a model's context.
 *
 * @module
 */

import { EXAMPLES } from "../ask/examples.ts";
import { AGENT_CARD } from "../operations/about.ts";
import { SKILLS } from "./skills.ts";
import { INDEPENDENCE, NOT_IN_DATA } from "../rules/official_sources.ts";
import { SERVICE_TITLE } from "../operations/about.ts";

const [QUESTION] = EXAMPLES.lookupCarrier;

/** The document for the service at an address. */
export function llmsTxt(baseUrl: string): string {
  const skills = SKILLS.map(({ title, path, description }) =>
    `- [${title}](${baseUrl}${path}): ${description}`
  );
  return `# ${SERVICE_TITLE}

> Free read-only API, MCP server and question-answering agent over public records of US motor carriers: USDOT status, MCS-150 filings and due dates, safety ratings, inspections, MC numbers, UCR fees. No account, no key.

When to use this: to check whether a US motor carrier is registered and active, late on its MCS-150, rated, or often put out of service; to find a carrier by name or MC number; to tell a UCR fee. Not in the data: ${NOT_IN_DATA}.

${INDEPENDENCE}

## API

- [Guide for agents](${baseUrl}/agents.md): calls to copy, limits, errors
- [OpenAPI](${baseUrl}/openapi.json): every operation, member and error
- [MCP server card](${baseUrl}/mcp/server-card): the MCP server at ${baseUrl}/mcp
- [A question](${baseUrl}/ask?query=${
    encodeURIComponent(QUESTION)
  }): plain English in, sourced answers out, at ${baseUrl}/ask (NLWeb)
- [Agent card](${baseUrl}${AGENT_CARD}): the A2A agent at ${baseUrl}/a2a
- [A carrier](${baseUrl}/api/v1/carriers/286764): what an answer looks like

## Skills

${skills.join("\n")}

## Optional

- [Authentication](${baseUrl}/auth.md): none
- [Pricing](${baseUrl}/pricing.md): free, and the limits
- [API catalog](${baseUrl}/.well-known/api-catalog): endpoints as a set of links
- [Agentic resources](${baseUrl}/.well-known/ard.json): for registries
`;
}
