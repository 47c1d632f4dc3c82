/**
 * The `Page` model, and the HTML document around a page's body.
 *
 * @module
 */

import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import { SERVICE_TITLE } from "../../api/operations/about.ts";
import { inert } from "../../pipeline/text.ts";
import { assetPath, STYLES } from "../assets/assets.ts";
import { MORE, SECTIONS } from "../assets/navigation.ts";
import { inertJson, Mark } from "./blocks.tsx";
import { SearchBox } from "./search.tsx";

export interface Page {
  /** Title without the service's name. */
  title: string;
  /** One sentence for search engines and previews. @default {the title} */
  description?: string;
  /** Text of the `h1`. A page without it has its own `h1` in the body. */
  heading?: Child;
  lede?: Child;
  body: Child;
  /** HTML streamed after the body; `control` is aborted when the client disconnects. */
  more?: { parts: AsyncIterable<string>; control: AbortController };
  /** @default {200} */
  status?: number;
  /** Path of the canonical URL. @default {its own path} */
  canonical?: string;
  /** Whether to keep the page out of search engines. */
  unlisted?: true;
  /** Path of an Atom feed of changes to the page's content. */
  feed?: string;
  /** schema.org facts, as JSON-LD. */
  facts?: Readonly<Record<string, unknown>>;
  /** Name of the style sheet. @default {"other"} */
  style?: keyof typeof STYLES;
  /** Names of scripts in `assets/`. Every page must work without them. */
  scripts?: readonly string[];
  /** Text of the search box in the header; null for a page that has its own box. @default {""} */
  query?: string | null;
  /** Whether shared caches may store the page until the next snapshot or day. */
  shared?: boolean;
  snapshotId?: string | undefined;
  /** `Retry-After`, in seconds. */
  retryAfter?: number | undefined;
  headers?: readonly (readonly [name: string, value: string])[];
}

/** A file that is not HTML, but is cached and revalidated like a page. */
export interface PageFile extends Pick<Page, "shared" | "snapshotId"> {
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Size of the link preview image, in pixels. */
const PREVIEW = { width: 1200, height: 630 };

/** Scripts of every page: search suggestions and in-page tools (WebMCP). */
const SCRIPTS = ["suggest.js", "webmcp.js"];

const TITLE_LENGTH = 120;
const DESCRIPTION_LENGTH = 300;
const FACT_LENGTH = 500;

export interface PageAddress {
  /** Base URL of the service, without a final slash. */
  baseUrl: string;
  path: string;
  alerts: boolean;
}

export function documentHtml(page: Page, place: PageAddress): string {
  const html = "<!DOCTYPE html>" + String(<Document page={page} place={place} />);
  return html.replaceAll(IMPLIED_END, "").replaceAll(EMPTY_SHAPE, "/>");
}

/** Optional end tags of cells, items and paragraphs. Omitting them saves a twelfth of a page with many rows. */
const IMPLIED_END = new RegExp(
  [
    "</t[dh]>(?=<t[dh]>|<t[dh] |</tr>)",
    "</tr>(?=<tr>|<tr |</tbody>|</thead>)",
    "</t(?:body|head)>(?=<tbody>|</table>)",
    "</li>(?=<li>|<li |</[uo]l>)",
    "</d[dt]>(?=<d[dt]>|</div>|</dl>)",
    "</p>(?=<p>|<p |</div>)",
  ].join("|"),
  "g",
);

/** End tags of the last shape in an SVG, which can be written as a self-closing tag. */
const EMPTY_SHAPE = /><\/(?:path|rect)>(?=<\/svg>)/g;

function Document({ page, place }: { page: Page; place: PageAddress }) {
  return (
    <html lang="en">
      <Head page={page} place={place} />
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <Masthead query={page.query} place={place} />
        <main id="content" class="wrap" tabindex={-1}>
          {page.heading !== undefined && <h1>{page.heading}</h1>}
          {page.lede !== undefined && <p class="lede">{page.lede}</p>}
          {page.body}
        </main>
        <Foot path={place.path} />
      </body>
    </html>
  );
}

function Head({ page, place: { baseUrl, path } }: { page: Page; place: PageAddress }) {
  const own = inert(page.title, TITLE_LENGTH);
  const title = path === "/" ? own : `${own} · ${SERVICE_TITLE}`;
  const description = inert(page.description ?? page.title, DESCRIPTION_LENGTH);
  const canonical = baseUrl + (page.canonical ?? path);
  const preview = {
    "og:title": own,
    "og:description": description,
    "og:type": "website",
    "og:url": canonical,
    "og:site_name": SERVICE_TITLE,
    "og:image": baseUrl + assetPath("preview.png"),
    "og:image:width": String(PREVIEW.width),
    "og:image:height": String(PREVIEW.height),
    "og:image:alt": SERVICE_TITLE,
  };
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title}</title>
      <meta name="description" content={description} />
      {page.unlisted && <meta name="robots" content="noindex" />}
      {(!page.unlisted || page.canonical !== undefined) && (
        <link
          rel="canonical"
          href={canonical}
        />
      )}
      {!page.unlisted && (
        <>
          {Object.entries(preview).map(([property, content]) => (
            <meta property={property} content={content} />
          ))}
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
      {page.feed && <link rel="alternate" type="application/atom+xml" href={page.feed} />}
      <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="#1c2024" media="(prefers-color-scheme: dark)" />
      <link rel="icon" href={assetPath("icon.svg")} type="image/svg+xml" />
      <link rel="apple-touch-icon" href={assetPath("touch_icon.png")} />
      {/* Preloading the font would delay the first paint. If it loads late, the next page uses it. */}
      <style>{raw(STYLES[page.style ?? "other"])}</style>
      {[...SCRIPTS, ...page.scripts ?? []].map((name) => (
        <script type="module" src={assetPath(name)}></script>
      ))}
      {page.facts && <script type="application/ld+json">{raw(jsonLd(page.facts))}</script>}
    </head>
  );
}

function Masthead({ query = "", place: { path, alerts } }: {
  query: Page["query"];
  place: PageAddress;
}) {
  return (
    <header class="masthead">
      <div class="wrap">
        <a class="brand" href="/">
          <Mark />
          {SERVICE_TITLE}
        </a>
        {query !== null && <SearchBox compact query={query} />}
        <nav aria-label="Sections">
          {SECTIONS.filter(([href]) => alerts || href !== "/alerts")
            .map(([href, text]) => <NavLink href={href} text={text} path={path} />)}
        </nav>
      </div>
    </header>
  );
}

function Foot({ path }: Pick<PageAddress, "path">) {
  return (
    <footer class="foot">
      <div class="wrap">
        <nav aria-label="More">
          {MORE.map(([href, text]) => <NavLink href={href} text={text} path={path} />)}
          <a href="/agents.md">For agents</a>
          <a href="/llms.txt">llms.txt</a>
          <a href="/openapi.json">OpenAPI</a>
        </nav>
        <p>
          Independent: not part of, and not endorsed by, FMCSA. Public FMCSA data; may lag SAFER by
          a day or more. Free, no account.
        </p>
      </div>
    </footer>
  );
}

function NavLink({ href, text, path }: { href: string; text: string; path: string }) {
  return <a href={href} {...href === path ? { "aria-current": "page" } : {}}>{text}</a>;
}

/** JSON-LD with `<` escaped, so that it cannot close its script element. */
function jsonLd(facts: NonNullable<Page["facts"]>): string {
  return inertJson({ "@context": "https://schema.org", ...facts }, FACT_LENGTH)
    .replaceAll("<", "\\u003c");
}
