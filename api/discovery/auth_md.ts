/**
 * `/auth.md`: that no credential exists, under the headings where agents look for one.
 *
 * @module
 */

import { QUOTA } from "../state/rate_limit.ts";
import { SERVICE_TITLE } from "../operations/about.ts";

/** The document for the service at an address. */
export function authMd(baseUrl: string): string {
  return `# Authentication

${SERVICE_TITLE} needs no authentication. Every REST endpoint, /ask, the MCP server and the
A2A agent are open: there is no API key, no OAuth client, no token endpoint and no account. No request
is answered with 401, and no answer carries a \`WWW-Authenticate\` challenge. Do not send credentials; they are not read.

## Discover

Nothing to discover: there is no authorization server and no protected-resource metadata. What can be
called stands in ${baseUrl}/openapi.json and ${baseUrl}/agents.md

## Pick a method

Not applicable: there is one way to call, without credentials.

## Register

Not applicable: nothing to register, neither a client nor a person.

## Claim

Not applicable: nothing is issued.

## Exchange

Not applicable: there are no tokens.

## Use

\`\`\`sh
curl ${baseUrl}/api/v1/carriers/286764
\`\`\`

Callers are told apart by their IP address alone: ${QUOTA.limit} requests in any ${
    QUOTA.windowMs / 1000
  } seconds. The four
\`RateLimit-*\` headers of every answer say how many are left.

## Errors

\`{"error": {"code", "message"}}\`. The only refusal that depends on who is calling is 429
\`rate_limited\`: wait \`Retry-After\` seconds. All codes: ${baseUrl}/agents.md

## Revocation

Not applicable: there is nothing to revoke.
`;
}
