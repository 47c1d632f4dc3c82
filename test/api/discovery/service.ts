/**
 * The service with its documents and its MCP server, as `main.ts` puts them together.
 *
 * @module
 */

import { a2aMount } from "../../../api/a2a/mount.ts";
import { askMount } from "../../../api/ask/mount.ts";
import { discoveryMounts, documents } from "../../../api/discovery/mounts.ts";
import { MCP_ROOM, mcpMounts } from "../../../mcp/mounts.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import type { Source } from "../../../pipeline/snapshot/source.ts";
import { LISTED_PAGES } from "../../../site/routes.ts";
import { createSite } from "../../../site/site.ts";
import { MemorySource, TestClock } from "../../pipeline/snapshot/memory.ts";
import { BASE_URL, from, testApp } from "../http/service.ts";

const OPTIONS = { baseUrl: BASE_URL, mcp: MCP_ROOM, pagePaths: LISTED_PAGES };

/** Paths of the documents. */
export const PATHS: readonly string[] = documents(OPTIONS).map(({ path }) => path);

/** Sends a request, each from an address of its own. */
export type Ask = (target: string, init?: RequestInit) => Promise<Response>;

/** The service as the documents describe it; without a source they are all it has. */
export function described(source: Source = new MemorySource(new Map())): Ask {
  const clock = new TestClock();
  const reader = new SnapshotReader(source, { clock });
  const parts = { ...OPTIONS, reader, clock, log() {} };
  const mounts = [
    askMount(parts),
    a2aMount(parts),
    ...mcpMounts(parts),
    ...discoveryMounts(OPTIONS),
  ];
  const { app } = testApp({ ...parts, mounts, pages: createSite });
  return async (target, init) => await app.fetch(new Request(BASE_URL + target, init), from());
}

/** Every document's text, by path. */
export async function textsOf(ask: Ask): Promise<Map<string, string>> {
  const texts = await Promise.all(PATHS.map(async (path) => await (await ask(path)).text()));
  return new Map(PATHS.map((path, i) => [path, texts[i]!]));
}
