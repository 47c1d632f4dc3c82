/**
 * Where an agent that holds one answer finds the rest: `Link` headers (RFC 8288).
 *
 * @module
 */

/** Media type of the API catalog, with the profile of RFC 9727. */
export const CATALOG_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** The value of a `Link` header that leads to every document for programs. */
export function documentLinks(baseUrl: string): string {
  const links: [path: string, relation: string, type: string][] = [
    ["/openapi.json", "service-desc", "application/json"],
    ["/agents.md", "service-doc", "text/markdown"],
    ["/.well-known/api-catalog", "api-catalog", "application/linkset+json"],
    ["/.well-known/ard.json", "ard", "application/json"],
    ["/llms.txt", "alternate", "text/plain"],
    ["/sitemap.xml", "sitemap", "application/xml"],
  ];
  return links.map(([path, relation, type]) =>
    `<${baseUrl}${path}>; rel="${relation}"; type="${type}"`
  ).join(", ");
}
