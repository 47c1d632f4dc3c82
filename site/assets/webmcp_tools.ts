/**
 * The in-page (WebMCP) tools, generated from the operations.
 *
 * @module
 */

import { inputSchema, type JsonSchema } from "../../api/discovery/openapi.ts";
import { mcs150DueDate, ucrFeeOperation } from "../../api/operations/calculations.ts";
import { lookupCarrier } from "../../api/operations/lookup.ts";
import type { Operation } from "../../api/operations/operation.ts";
import { searchCarriers } from "../../api/operations/search.ts";
import { MORE, SECTIONS } from "./navigation.ts";

interface PageTool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  annotations: { readOnlyHint: boolean; untrustedContentHint: boolean };
  /** The URL that the tool requests, with `{name}` for members of the input. */
  url?: string;
  /** For a tool that navigates instead of sending a request: the pattern of the allowed paths. */
  go?: string;
}

const PATHS = [...SECTIONS, ...MORE].map(([path]) => path);
const PATH_PATTERN = `^(?:${
  PATHS.map((path) => path.replaceAll("/", "\\/")).join("|")
}|\\/carriers\\/[0-9]{1,8})$`;

export const PAGE_TOOLS: readonly PageTool[] = [
  // Renamed, because page tools commonly call this argument `dot_number`.
  asking("check_dot_number", lookupCarrier, { renamed: { dot: "dot_number" }, untrusted: true }),
  asking("search_carriers", searchCarriers, { hidden: ["explain"], untrusted: true }),
  asking("mcs150_due_date", mcs150DueDate),
  asking("ucr_fee", ucrFeeOperation),
  {
    name: "get_pricing",
    title: "What this service costs",
    description: "What this service costs, which is nothing, and its limits, as Markdown.",
    inputSchema: objectSchema({}),
    annotations: { readOnlyHint: true, untrustedContentHint: false },
    url: "/pricing.md",
  },
  {
    name: "navigate_to_page",
    title: "Go to a page of this site",
    description: `Takes the visitor to a page of this site: ${
      PATHS.join(", ")
    }, or /carriers/ with a USDOT number.`,
    inputSchema: objectSchema({ path: { type: "string", pattern: PATH_PATTERN } }),
    annotations: { readOnlyHint: false, untrustedContentHint: false },
    go: PATH_PATTERN,
  },
];

export function withTools(script: string): string {
  const place = "[/* TOOLS */]";
  if (!script.includes(place)) throw new Error(`Cannot write the tools: the script lacks ${place}`);
  return script.replace(place, () => JSON.stringify(PAGE_TOOLS));
}

interface Asking {
  renamed?: Readonly<Record<string, string>>;
  hidden?: readonly string[];
  /** Whether the answer contains text that third parties wrote, such as carrier names. */
  untrusted?: boolean;
}

function asking(
  name: string,
  { summary, description, path, input }: Pick<
    Operation,
    "summary" | "description" | "path" | "input"
  >,
  { renamed = {}, hidden = [], untrusted = false }: Asking = {},
): PageTool {
  const { properties = {}, required = [] } = inputSchema(input);
  const nameOf = (member: string): string => renamed[member] ?? member;
  const offered = Object.entries(properties).filter(([member]) => !hidden.includes(member));
  return {
    name,
    title: summary,
    description,
    inputSchema: objectSchema(
      Object.fromEntries(offered.map(([member, schema]) => [nameOf(member), schema])),
      required.map(nameOf),
    ),
    annotations: { readOnlyHint: true, untrustedContentHint: untrusted },
    url: path.replace(/\{(\w+)\}/g, (_, member) => `{${nameOf(member)}}`),
  };
}

function objectSchema(
  properties: Record<string, JsonSchema>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: "object", properties, required: [...required], additionalProperties: false };
}
