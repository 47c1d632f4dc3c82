/**
 * `/.well-known/agent-card.json` (A2A 1.0): the agent at `/a2a`, with a skill for each operation.
 *
 * @module
 */

import { A2A_VERSION } from "../a2a/http.ts";
import { INPUT_MODES, OUTPUT_MODES } from "../a2a/methods.ts";
import { EXAMPLES } from "../ask/examples.ts";
import { OPERATIONS } from "../operations/table.ts";
import { API_VERSION, SERVICE_TITLE, TAGS } from "../operations/about.ts";

/** A card; the specification has more members, none of which is needed here. */
export interface AgentCard {
  name: string;
  description: string;
  supportedInterfaces: { url: string; protocolBinding: "JSONRPC"; protocolVersion: string }[];
  version: string;
  documentationUrl: string;
  capabilities: { streaming: false; pushNotifications: false; extendedAgentCard: false };
  defaultInputModes: readonly string[];
  defaultOutputModes: readonly string[];
  skills: {
    id: string;
    name: string;
    description: string;
    tags: readonly string[];
    examples: readonly string[];
  }[];
}

const DESCRIPTION =
  "Answers questions in English about US motor carriers from two public files of the regulator: " +
  "registration status, MCS-150 filings and due dates, safety ratings, out-of-service rates, MC " +
  "numbers, UCR fees. Read-only, no account, independent of the regulator. SendMessage is answered " +
  "at once with a message: a text, and the same answer as data. Nothing is kept: contextId comes " +
  "back as it was sent, and there are no tasks. For a follow-up send the earlier questions, the " +
  "oldest first, as an array of texts in message.metadata.prev.";

/** The card of the service at an address. */
export function agentCard(baseUrl: string): AgentCard {
  return {
    name: SERVICE_TITLE,
    description: DESCRIPTION,
    supportedInterfaces: [{
      url: `${baseUrl}/a2a`,
      protocolBinding: "JSONRPC",
      protocolVersion: A2A_VERSION,
    }],
    version: API_VERSION,
    documentationUrl: `${baseUrl}/developers`,
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    defaultInputModes: INPUT_MODES,
    defaultOutputModes: OUTPUT_MODES,
    skills: OPERATIONS.map(({ id, summary, description }) => ({
      id,
      name: summary,
      description,
      tags: TAGS,
      examples: EXAMPLES[id as keyof typeof EXAMPLES],
    })),
  };
}
