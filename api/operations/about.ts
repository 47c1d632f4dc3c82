/**
 * The service's name and version, and the links from any answer to its descriptions.
 *
 * @module
 */

export const SERVICE_TITLE = "Carrier Compliance Lookup";

/** Version of the REST API: the major version is in its paths. */
export const API_VERSION = "1.0.0";

/** How an operation or a version is retired. */
export const DEPRECATION =
  "Nothing is deprecated. An operation, or `/api/v1` as a whole, is announced as deprecated at least " +
  "12 months before it ends: in the changelog, as `deprecated` in the OpenAPI document, and in its " +
  "answers by the headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). A flaw that makes an answer " +
  "false or unsafe is fixed at once.";

/** The service's topics, for catalogs. */
export const TAGS = ["motor-carrier", "usdot", "mcs-150", "ucr", "compliance", "trucking"];

export const AGENT_CARD = "/.well-known/agent-card.json";

/** Media type of the API catalog, with the profile of RFC 9727. */
export const CATALOG_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

type Link = [path: string, relation: string, type: string];

const API_LINKS: readonly Link[] = [
  ["/openapi.json", "service-desc", "application/json"],
  ["/.well-known/api-catalog", "api-catalog", "application/linkset+json"],
  ["/api/v1/health", "status", "application/json"],
];

const MORE_LINKS: readonly Link[] = [
  ["/developers", "service-doc", "text/html"],
  ["/agents.md", "service-doc", "text/markdown"],
  ["/.well-known/ard.json", "ard", "application/json"],
  [AGENT_CARD, "service-meta", "application/json"],
  ["/llms.txt", "alternate", "text/plain"],
  ["/sitemap.xml", "sitemap", "application/xml"],
];

/** The `Link` header (RFC 8288) of answers of the API: where the API is described. */
export function apiLinks(baseUrl: string): string {
  return headerOf(API_LINKS, baseUrl);
}

/** The `Link` header of a document with links to all others. */
export function documentLinks(baseUrl: string): string {
  return headerOf([...API_LINKS, ...MORE_LINKS], baseUrl);
}

function headerOf(links: readonly Link[], baseUrl: string): string {
  return links.map(([path, relation, type]) =>
    `<${baseUrl}${path}>; rel="${relation}"; type="${type}"`
  ).join(", ");
}
