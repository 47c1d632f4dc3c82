/**
 * The operation behind `lookup_carrier`: returns the facts that a model usually needs, or the full carrier on request.
 *
 * @module
 */

import { z } from "zod";
import { asOfInput } from "../api/operations/as_of.ts";
import { lookupCarrier, readCarrier } from "../api/operations/lookup.ts";
import { dotInput } from "../api/operations/numbers.ts";
import { lookupOperation } from "../api/operations/operation.ts";
import { isOfCheck } from "../api/rules/findings.ts";
import { Basis, Carrier, Check, Finding, Inspections24m } from "../api/rules/schemas.ts";

/** The members of a Carrier that are sent without `detail`. Some of its objects are shortened. */
export const BriefCarrier = Carrier.pick({
  dot: true,
  name: true,
  legal_name: true,
  dba_name: true,
  city: true,
  state: true,
  status: true,
  operation: true,
  mc_number: true,
  mc_active: true,
  power_units: true,
  drivers: true,
  safety_rating: true,
  mcs150: true,
  issues: true,
  verdict: true,
  page_url: true,
  as_of: true,
  snapshot: true,
  dockets: true,
  address: true,
  phone: true,
  added: true,
  roles: true,
  hazmat: true,
  passengers: true,
  cargo: true,
  mileage: true,
  rating_date: true,
  not_reported: true,
  unusable: true,
}).extend({
  inspections_24m: Inspections24m
    .omit({ by_month: true, by_state: true, by_level: true, latest: true }).nullable(),
  checks: z.array(
    // Omits `summary`, which `detail` repeats, and most of `basis`, since `snapshot` has the dates of the files.
    Check.omit({ summary: true, basis: true })
      .extend({ basis: Basis.pick({ file: true, citation: true }) }),
  ),
  findings: z.array(Finding.omit({ detail: true }).extend({ detail: z.string().optional() })),
});

export type BriefCarrier = z.infer<typeof BriefCarrier>;

export const lookupBrief = lookupOperation({
  ...lookupCarrier,
  input: z.object({
    dot: dotInput,
    as_of: asOfInput,
    detail: z.boolean("Cannot use this detail: send true or false").default(false).describe(
      "Adds inspections, months, states, vehicles, other addresses, sources",
    ),
  }),
  parameters: {
    ...lookupCarrier.parameters,
    detail: { in: "query", code: "invalid_query" },
  },
  // Also describes a full Carrier, which has all these members: the schema allows others.
  output: BriefCarrier,
  async run({ dot, detail }, context) {
    const carrier = await readCarrier(dot, { ...context, brief: !detail });
    return detail ? carrier : toBrief(carrier);
  },
});

/** Reduces a Carrier to its brief members: parsing drops those that the schema does not list. */
function toBrief(carrier: Carrier): BriefCarrier {
  return BriefCarrier.parse({
    ...carrier,
    findings: carrier.findings.map((finding) =>
      isOfCheck(finding) ? { ...finding, detail: undefined } : finding
    ),
  });
}
