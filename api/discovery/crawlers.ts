/**
 * `/robots.txt` and `/sitemap.xml`: what crawlers may read, and where it is.
 *
 * @module
 */

/** Everything may be read, searched and quoted; training is neither granted nor refused here. */
export function robotsTxt(baseUrl: string): string {
  return `User-agent: *
Content-Signal: search=yes, ai-input=yes
Allow: /

Agentmap: ${baseUrl}/.well-known/ard.json
Sitemap: ${baseUrl}/sitemap.xml
`;
}

/** The pages to index, by their paths. */
export function sitemapXml(baseUrl: string, paths: readonly string[]): string {
  const urls = paths.map((path) => `  <url><loc>${escapeXml(baseUrl + path)}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    "</urlset>",
    "",
  ].join("\n");
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
