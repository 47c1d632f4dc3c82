/**
 * What a page is, before it is HTML: its facts and its body. Routes make pages of visits.
 *
 * @module
 */

import type { Child } from "hono/jsx";
import type { Admitted } from "../api/http/route.ts";
import type { PageParts } from "../api/service.ts";
import type { SharedCache } from "../pipeline/snapshot/shared_cache.ts";
import type { Lists } from "./list/lists.ts";

/** A request for a page, read. */
export interface Visit {
  request: Request;
  url: URL;
  /** Parameters of the path. */
  params: Readonly<Record<string, string>>;
  admitted: Admitted;
  /** The day in New York, `YYYY-MM-DD`. */
  today: string;
  site: PageParts;
  /** HTML that is costly to make, by all that it is made from. */
  kept: SharedCache<string>;
  lists: Lists;
}

/** A page for people. */
export interface Page {
  /** Without the service's name. */
  title: string;
  /** One sentence for search engines and previews. */
  description: string;
  body: Child;
  /** HTML that follows the body while it is read; `end` is called when it is not read any more. */
  more?: { parts: AsyncIterable<string>; end: () => void };
  /** @default {200} */
  status?: number;
  /** Path of the page's one address; its own path when absent. */
  canonical?: string;
  /** Keep it out of search engines. */
  unlisted?: true;
  /** schema.org facts, as JSON-LD. */
  facts?: Readonly<Record<string, unknown>>;
  /** Names of scripts in `assets/`, which only add to the page. */
  scripts?: readonly string[];
  /** Text of the search box in the head of the page. */
  query?: string;
  /** Whether it may be kept by shared caches until a new snapshot or day; never on errors or forms sent. */
  shared?: boolean;
  /** The snapshot it was made from. */
  snapshotId?: string | undefined;
  headers?: readonly (readonly [name: string, value: string])[];
}

/** A page's path with what answers it. */
export interface PageRoute {
  /** As the router writes it, e.g. `/carriers/:dot`. */
  path: string;
  /** @default {"GET"} */
  method?: "GET" | "POST";
  /** Whether a POST may come from elsewhere than our own pages. */
  fromAnywhere?: true;
  /** Whether the sitemap has it. */
  listed?: true;
  /**
   * Answers with a page, or with a response of another kind (a file, a redirection).
   *
   * @throws {ServiceError} To be told as an error page.
   */
  answer(visit: Visit): Page | Response | Promise<Page | Response>;
}
