/**
 * The MCP tools: descriptions over the operations, and their JSON Schemas.
 *
 * @module
 */

import { z } from "zod";
import { mcs150DueDate, ucrFee } from "../api/operations/calculations.ts";
import type { ErrorCode } from "../api/operations/errors.ts";
import { lookupCarrier, lookupMc } from "../api/operations/lookup.ts";
import { matchCarrier } from "../api/operations/match.ts";
import {
  type CalculationOperation,
  dropNoise,
  type LookupOperation,
  type Operation,
} from "../api/operations/operation.ts";
import { searchCarriers } from "../api/operations/search.ts";
import { sayCarrier, sayMatch, sayMc, sayMcs150, saySearch, sayUcr } from "./tool_text.ts";

export const CARD_URI = "ui://carrier-compliance/card.html";

/** A tool whose operation takes I and answers O. */
interface ToolOf<I extends z.ZodType, O extends z.ZodType> {
  name: string;
  title: string;
  /** What it does, when to use it, when not. */
  description: string;
  operation: LookupOperation<I, O> | CalculationOperation<I, O>;
  /** Members of the input that are for other surfaces. */
  hidden?: readonly string[];
  /** The text beside the structured content. */
  say(output: z.output<O>, today: string): string;
  /** Cuts a list without its own limit; the text has its full length. */
  bound?(output: z.output<O>): z.output<O>;
  /** The resource that shows the result. */
  card?: string;
  /** For each error of the operation, what to do next. */
  next: Partial<Record<ErrorCode, string>>;
}

export interface Tool extends Omit<ToolOf<z.ZodType, z.ZodType>, "operation"> {
  operation: Operation;
}

const DOT_NEXT =
  'Send dot as a string of 1 to 8 digits, e.g. "295017". From a name use search_carriers, from an ' +
  "MC number lookup_mc_number.";

const MAX_OTHER_DOTS = 50;

export const TOOLS: readonly Tool[] = [
  tool({
    name: "lookup_carrier",
    title: "Check a carrier by USDOT number",
    description:
      "Six compliance checks of one US motor carrier by USDOT number: registration status, MCS-150 " +
      "filing, what the census says on operating authority, safety rating, out-of-service rates, " +
      "UCR fee; with fleet size, dockets and a 24-month inspection summary. Use it to vet a carrier " +
      "or for any fact on it. Not for a name (search_carriers) or an MC number (lookup_mc_number). " +
      "No insurance filings, crash records, out-of-service orders or grants of authority.",
    operation: lookupCarrier,
    say: sayCarrier,
    card: CARD_URI,
    next: {
      invalid_dot_number: DOT_NEXT,
      not_found:
        "Check the digits with the user. If it may be an MC number use lookup_mc_number, from a " +
        "name search_carriers. Absence here does not prove that the number does not exist.",
    },
  }),
  tool({
    name: "search_carriers",
    title: "Search carriers",
    description:
      "Finds US motor carriers by legal name, DBA name, city, state, USDOT or MC number, the " +
      "likeliest first, up to 50. Typos are tolerated. Use it when the USDOT number is not known, " +
      "then call lookup_carrier; if several fit, ask the user which one. Not for compliance facts " +
      "and not for lists by region or fleet size.",
    operation: searchCarriers,
    hidden: ["explain"],
    say: saySearch,
    next: {
      invalid_query:
        "Send q with 2 to 200 characters and at most 12 words, e.g. a name and a state; limit is a " +
        "whole number from 1 to 50.",
    },
  }),
  tool({
    name: "lookup_mc_number",
    title: "Find the USDOT number of an MC number",
    description:
      "The USDOT number that lists an MC docket number in the census. Use it when the user gives an " +
      "MC number, then call lookup_carrier with the result. Not for USDOT numbers and not for FF or " +
      "MX dockets; a docket does not show operating authority.",
    operation: lookupMc,
    say: sayMc,
    bound(found) {
      return { ...found, other_dots: found.other_dots.slice(0, MAX_OTHER_DOTS) };
    },
    next: {
      invalid_mc_number:
        'Send mc as a string of 1 to 8 digits without the letters MC, e.g. "143229".',
      not_found:
        "Check the digits with the user and that it is an MC, not a USDOT number (lookup_carrier); " +
        "or find the carrier by name with search_carriers.",
    },
  }),
  tool({
    name: "mcs150_due_date",
    title: "Calculate the MCS-150 due date",
    description:
      "When the biennial MCS-150 update of a USDOT number is due by the published schedule. A pure " +
      "calculation: the number need not exist. Use it for the schedule alone. Whether the carrier " +
      "has filed or is overdue is in lookup_carrier.",
    operation: mcs150DueDate,
    say: sayMcs150,
    next: { invalid_dot_number: DOT_NEXT },
  }),
  tool({
    name: "ucr_fee",
    title: "Look up the UCR fee of a fleet size",
    description:
      "Bracket and fee of the Unified Carrier Registration for a number of commercial motor " +
      "vehicles and a year, from the official table. Use it when the fleet size is known; for a " +
      "carrier's estimate use lookup_carrier. Cannot tell whether a carrier has registered or paid.",
    operation: ucrFee,
    say: sayUcr,
    next: {
      invalid_vehicles: "Send vehicles as a whole number of 0 or more, without trailers, e.g. 4.",
      invalid_year: "Leave year out for the default, or send one of the years named.",
    },
  }),
  tool({
    name: "match_carrier",
    title: "Match a name with a number",
    description:
      "Whether a carrier name, city or state belongs to a USDOT or docket number, as on a rate " +
      "confirmation: match, close, different or unknown, with each field compared. Use it before " +
      "relying on a number someone gave. Not for compliance (lookup_carrier); it does not prove " +
      "identity.",
    operation: matchCarrier,
    say: sayMatch,
    next: {
      invalid_dot_number:
        "Send either dot or mc as a string of 1 to 8 digits, and name, city or state.",
      invalid_mc_number: 'Send mc as a string such as "MC 186800", or dot instead.',
      invalid_query: "Send name, city and state as short strings.",
      not_found: "Check the digits with the user; absence here does not prove anything.",
    },
  }),
];

/** Checks the types of a tool against those of its operation, then erases them. */
function tool<I extends z.ZodType, O extends z.ZodType>(typed: ToolOf<I, O>): Tool {
  return typed as unknown as Tool;
}

/** A JSON Schema 2020-12 whose root is an object, as every revision of the protocol wants it. */
interface ToolSchema {
  type: "object";
  properties: Record<string, Record<string, unknown>>;
  required?: string[];
  $defs?: Record<string, unknown>;
  [keyword: string]: unknown;
}

/**
 * The JSON Schema of a tool's input or structured content.
 *
 * @param hidden Members that tools do not offer, at any depth.
 */
export function toolSchema(
  schema: z.ZodType,
  io: "input" | "output",
  hidden: readonly string[] = [],
): ToolSchema {
  const { $schema: _, $ref, $defs, ...json } = withoutTypeLists(z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      delete jsonSchema.example;
      dropNoise(jsonSchema);
      // The tool and the member describe the object already.
      if (io === "output" && jsonSchema.properties !== undefined) delete jsonSchema.description;
      if (io === "output" && jsonSchema.minimum === 0) delete jsonSchema.minimum;
      for (const name of hidden) delete jsonSchema.properties?.[name];
    },
  }));
  if ($ref === undefined) return json as ToolSchema;
  // A named schema comes as a reference, but the root must be the object itself.
  const { [$ref.replace("#/$defs/", "")]: root, ...others } = $defs ?? {};
  return { ...root, ...Object.keys(others).length > 0 && { $defs: others } } as ToolSchema;
}

/** Spells `type: [a, b]` as `anyOf`: some dialects of JSON Schema for models know no list. */
function withoutTypeLists<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    if (!Array.isArray(value?.type)) return value;
    const { type, ...rest } = value;
    return { anyOf: type.map((one: string) => ({ type: one })), ...rest };
  });
}
