/**
 * The service with its pages and its documents over a snapshot, in this process.
 *
 * @module
 */

import { a2aMount } from "../../api/a2a/mount.ts";
import { askMount } from "../../api/ask/mount.ts";
import { discoveryMounts } from "../../api/discovery/mounts.ts";
import { MCP_ROOM, mcpMounts } from "../../mcp/mounts.ts";
import type { Clock } from "../../pipeline/clock.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import type { Source } from "../../pipeline/snapshot/source.ts";
import { LISTED_PAGES, ROUTES } from "../../site/routes.ts";
import { createSite } from "../../site/site.ts";
import { BASE_URL, from, testApp } from "../api/http/service.ts";
import { TestClock } from "../pipeline/snapshot/memory.ts";

/** Sends a request, each from an address of its own. */
export type Visitor = (target: string, init?: RequestInit) => Promise<Response>;

/** What may be given in the place of a service at rest. */
export interface Given {
  clock?: Clock;
  log?: (line: string) => void;
  snapshotUrl?: string;
}

/** A visitor of the service over a source. */
export function visitorOf(source: Source, given: Given = {}): Visitor {
  const { clock = new TestClock(), log = () => {}, snapshotUrl } = given;
  const reader = new SnapshotReader(source, { clock });
  const parts = { reader, clock, log, baseUrl: BASE_URL, snapshotUrl };
  const { app } = testApp({
    ...parts,
    mounts: [
      askMount(parts),
      a2aMount(parts),
      ...mcpMounts(parts),
      ...discoveryMounts({ ...parts, mcp: MCP_ROOM, pagePaths: LISTED_PAGES }),
    ],
    pages: createSite,
  });
  return async (target, init) => await app.fetch(new Request(BASE_URL + target, init), from());
}

/** What stands for the parameters of a path: things that are in the bundled sample. */
const PARAMETERS: Readonly<Record<string, string>> = { dot: "286764", mc: "143229" };

/** An address of each page that a visitor can open, but for those whose parameters nobody knows before. */
export const PAGE_PATHS: readonly string[] = ROUTES
  .filter(({ method = "GET" }) => method === "GET")
  .map(({ path }) => path.replaceAll(/:(\w+)/g, (whole, name) => PARAMETERS[name] ?? whole))
  .filter((path) => !path.includes(":"));
