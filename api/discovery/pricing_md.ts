/**
 * `/pricing.md`: what it costs, which is nothing, and what is not to be had.
 *
 * @module
 */

import { limitsTable } from "./limits.ts";
import { NOT_IN_DATA } from "../rules/official_sources.ts";
import { SERVICE_TITLE } from "../operations/about.ts";

/** The day on which the terms below were last changed. */
export const PRICING_UPDATED = "2026-11-21";

/** What everyone gets. */
export const INCLUDED =
  "REST API, /ask, MCP server, A2A agent, batches and background jobs, within the limits below";

/** What nobody gets here, a sentence each. */
export const NOT_OFFERED: readonly string[] = [
  "Paid plans, higher limits, reserved capacity or a service level agreement.",
  `Data that is not in FMCSA's two public files: ${NOT_IN_DATA}.`,
  "Webhooks or any other delivery of changes to programs.",
];

/** The document for the service at an address. */
export function pricingMd(baseUrl: string): string {
  return `# Pricing

${SERVICE_TITLE} is free. No account, no key, no payment details, no trial that ends.

| Plan | Price | What it includes |
| --- | --- | --- |
| Everyone | 0 USD | ${INCLUDED} |

## Limits

${limitsTable()}

## Not offered

${NOT_OFFERED.map((one) => `- ${one}`).join("\n")}

How to call it: ${baseUrl}/agents.md

Last changed: ${PRICING_UPDATED}
`;
}
