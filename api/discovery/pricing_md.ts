/**
 * `/pricing.md`: what it costs, which is nothing, and what is not to be had.
 *
 * @module
 */

import { limitsTable } from "./limits.ts";
import { SERVICE_TITLE } from "./words.ts";

/** The day on which the terms below were last changed. */
const UPDATED = "2026-11-21";

/** The document for the service at an address. */
export function pricingMd(baseUrl: string): string {
  return `# Pricing

${SERVICE_TITLE} is free. No account, no key, no payment details, no trial that ends.

| Plan | Price | What it includes |
| --- | --- | --- |
| Everyone | 0 USD | REST API, /ask, MCP server, A2A agent, batches and background jobs, within the limits below |

## Limits

${limitsTable()}

## Not offered

- Paid plans, higher limits, reserved capacity or a service level agreement.
- Data that is not in the regulator's two public files: insurance, crashes, authority grants, UCR
  payments.
- Webhooks or any other delivery of changes.

How to call it: ${baseUrl}/agents.md

Last changed: ${UPDATED}
`;
}
