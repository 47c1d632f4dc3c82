/**
 * The shapes of the discovery documents, written from their specifications, because no specification publishes a
 * schema as strict as the programs that read these documents.
 *
 * @module
 */

import { z } from "zod";

const address = z.url({ protocol: /^https$/ });
const text = z.string().min(1);
const texts = z.array(text).min(1);

const linkTarget = z.strictObject({
  href: address,
  type: z.string().optional(),
  title: z.string().optional(),
});

/** RFC 9264, section 4.2, with the relations that are arrays of targets. */
export const Linkset = z.strictObject({
  linkset: z.array(
    z.object({ anchor: address }).catchall(z.array(linkTarget).min(1)),
  ).min(1),
});

/** An entry of Agentic Resource Discovery 0.91 that gives the resource's URL. */
const ardEntry = z.strictObject({
  identifier: z.string().regex(/^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$/),
  displayName: z.string().min(1),
  // The media types that no known reader warns about, plus OpenAPI's.
  type: z.enum([
    "application/mcp-server-card+json",
    "application/a2a-agent-card+json",
    "application/vnd.oai.openapi+json",
    'text/markdown; profile="urn:air:agent-skills"',
  ]),
  url: address,
  description: z.string().min(1),
  tags: z.array(z.string()),
  capabilities: z.array(z.string()).min(1).optional(),
  version: z.string().optional(),
  // The bounds of version 0.9, which some readers still expect.
  representativeQueries: z.array(z.string().min(1)).min(2).max(5),
});

/** The manifest: 0.9 allows only these three members, and 0.91 requires `entries`. */
export const ArdManifest = z.strictObject({
  specVersion: z.literal("1.0"),
  host: z.strictObject({ displayName: z.string(), identifier: address, documentationUrl: address }),
  entries: z.array(ardEntry).min(1),
});

/**
 * The agent card of A2A 1.0: members that a2a.proto marks as required, and none of 0.3, which readers
 * of 1.0 reject.
 */
export const AgentCard = z.strictObject({
  name: text,
  description: text,
  supportedInterfaces: z.array(z.strictObject({
    url: address,
    protocolBinding: text,
    protocolVersion: z.string().regex(/^[0-9]+\.[0-9]+$/),
  })).min(1),
  version: text,
  documentationUrl: address.optional(),
  iconUrl: address.optional(),
  provider: z.strictObject({ url: address, organization: text }).optional(),
  capabilities: z.partialRecord(
    z.enum(["streaming", "pushNotifications", "extendedAgentCard"]),
    z.boolean(),
  ),
  defaultInputModes: texts,
  defaultOutputModes: texts,
  skills: z.array(
    z.strictObject({ id: text, name: text, description: text, tags: texts, examples: texts }),
  ).min(1),
});

/** Name and description, in the index and in the front matter. */
export const SkillFront = z.strictObject({
  name: z.string().max(64).regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  description: z.string().min(1).max(1024),
});

/** Agent Skills Discovery 0.2.0. */
export const SkillsIndex = z.strictObject({
  $schema: z.literal("https://schemas.agentskills.io/discovery/0.2.0/schema.json"),
  skills: z.array(SkillFront.extend({
    type: z.enum(["skill-md", "archive"]),
    url: address,
    digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  })).min(1),
});
