/**
 * The service with its documents and its MCP server, as `main.ts` puts them together.
 *
 * @module
 */

import { documents } from "../../../api/discovery/documents.ts";
import { MCP_DESCRIPTION } from "../../../mcp/routes.ts";
import type { Source } from "../../../pipeline/snapshot/source.ts";
import { LISTED_PAGES } from "../../../site/site.ts";
import { MemorySource } from "../../pipeline/snapshot/memory.ts";
import { siteOver, type Visitor } from "../../site/app.ts";
import { BASE_URL } from "../http/service.ts";

const OPTIONS = { baseUrl: BASE_URL, mcp: MCP_DESCRIPTION, pagePaths: LISTED_PAGES };

/** Paths of the documents. */
export const PATHS: readonly string[] = documents(OPTIONS).map(({ path }) => path);

/** The service as the documents describe it; without a source they are all it has. */
export function described(source: Source = new MemorySource(new Map())): Visitor {
  return siteOver(source).visit;
}

/** Every document's text, by path. */
export async function textsOf(ask: Visitor): Promise<Map<string, string>> {
  const texts = await Promise.all(PATHS.map(async (path) => await (await ask(path)).text()));
  return new Map(PATHS.map((path, i) => [path, texts[i]!]));
}
