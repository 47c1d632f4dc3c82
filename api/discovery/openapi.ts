/**
 * `/openapi.json`: the REST API in OpenAPI 3.1, made from the table of operations and the schemas that
 * validate.
 *
 * @module
 */

import { BATCH_OPERATIONS, OPERATIONS, SERVICE_OPERATIONS } from "../operations/table.ts";
import { Components, type JsonSchema } from "./components.ts";
import { answerExamples } from "./examples.ts";
import { HEADER_PARAMETERS, headerComponents, type ParameterObject } from "./header_components.ts";
import { limitsTable } from "./limits.ts";
import { describe, type OperationObject, type ResponseObject, TAGS } from "./openapi_operation.ts";
import { askPath } from "./openapi_ask.ts";
import { INDEPENDENCE } from "../rules/official_sources.ts";
import { API_VERSION, SERVICE_TITLE } from "../operations/about.ts";

/** The document, as far as its readers in this repository need its shape. */
export interface OpenApi {
  openapi: string;
  info: { title: string; version: string; summary: string; description: string };
  servers: { url: string; description: string }[];
  security: never[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: {
    schemas: Record<string, JsonSchema>;
    headers: Record<string, object>;
    parameters: Record<string, ParameterObject>;
    /** Errors by code. */
    responses: Record<string, ResponseObject>;
  };
}

/**
 * The document of the service at an address.
 *
 * @param baseUrl Without a final slash.
 */
export function openApi(baseUrl: string): OpenApi {
  const components = new Components();
  const errors: OpenApi["components"]["responses"] = {};
  const examples = answerExamples(baseUrl);
  const paths: OpenApi["paths"] = {};
  for (const operation of [...OPERATIONS, ...BATCH_OPERATIONS, ...SERVICE_OPERATIONS]) {
    const path = paths[operation.path] ??= {};
    path[operation.method.toLowerCase()] = describe(operation, {
      components,
      errors,
      examples: examples[operation.id]!,
    });
  }
  paths["/ask"] = askPath(baseUrl, { components, errors });
  return {
    openapi: "3.1.0",
    info: {
      title: SERVICE_TITLE,
      version: API_VERSION,
      summary: "Read-only compliance lookups of US motor carriers",
      description: description(baseUrl),
    },
    servers: [{ url: baseUrl, description: "The service" }],
    // No operation asks who is calling.
    security: [],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: components.schemas,
      headers: headerComponents(),
      parameters: HEADER_PARAMETERS,
      responses: errors,
    },
  };
}

function description(baseUrl: string): string {
  return `${INDEPENDENCE}

No account, no key, nothing to sign up for. Every answer carries \`RateLimit-*\` headers and an \`X-Request-Id\`; every error is \`{"error": {"code", "message"}}\`, but for the failures of /ask. Within \`/api/v1\` members are added, never renamed or dropped: ignore those you do not know.

${limitsTable()}

For agents: ${baseUrl}/agents.md`;
}
