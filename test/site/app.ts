/**
 * The service with its pages and documents over a snapshot, in this process and without a port.
 *
 * @module
 */

import { a2aMount } from "../../api/a2a/http.ts";
import { askMount } from "../../api/ask/http.ts";
import { discoveryMounts } from "../../api/discovery/documents.ts";
import type { Mount } from "../../api/http/exchange.ts";
import type { MountParts, Parts } from "../../api/service.ts";
import { MCP_DESCRIPTION, mcpMounts } from "../../mcp/routes.ts";
import { type Clock, SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { sleep } from "../../pipeline/retry.ts";
import { openSource } from "../../pipeline/snapshot/sources/open_source.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import type { CarrierRecord } from "../../pipeline/snapshot/record/record.ts";
import type { Source } from "../../pipeline/snapshot/source.ts";
import { createSite, LISTED_PAGES, ROUTES } from "../../site/site.ts";
import { BASE_URL, from, testApp } from "../api/http/service.ts";
import { FakeKv } from "../api/state/fake_kv.ts";
import {
  type Dockets,
  MemorySource,
  type Objects,
  putSnapshot,
  record,
  TestClock,
} from "../pipeline/snapshot/memory.ts";

/** Requests a path as a browser on `peer` does; by default each time from a new address. */
export type Visitor = (target: string, init?: RequestInit, peer?: string) => Promise<Response>;

/** A service and its parts. */
export type SiteApp = ReturnType<typeof siteOf>;

/** Options that replace those of a service whose clock stands at Oct 5, 2026. */
interface Given extends Partial<Pick<Parts, "baseUrl" | "mailer" | "snapshotUrl" | "sharedCache">> {
  clock?: TestClock;
}

/** Everything that `main.ts` mounts. */
export function mountsOf(parts: MountParts): Mount[] {
  return [
    askMount(parts),
    a2aMount(parts),
    ...mcpMounts(parts),
    ...discoveryMounts({ ...parts, mcp: MCP_DESCRIPTION, pagePaths: LISTED_PAGES }),
  ];
}

const NOON = Date.parse("2026-10-05T12:00:00-04:00");

/** A service over a source. */
export function siteOver<From extends Source>(source: From, given: Given = {}) {
  const { clock = new TestClock(), baseUrl = BASE_URL } = given;
  const kv = new FakeKv();
  const logged: string[] = [];
  const log = (line: string): void => void logged.push(line);
  const reader = new SnapshotReader(source, { clock });
  const parts = { ...given, reader, clock, kv, log, baseUrl };
  const { app, alerts } = testApp({ ...parts, mounts: mountsOf(parts), pages: createSite });
  const visit: Visitor = async (target, init, peer) =>
    await app.fetch(new Request(baseUrl + target, init), from(peer));
  return { visit, source, clock, kv, alerts, logged };
}

/** A service over a snapshot root in this process, on a free port. */
export function startSite(
  folder: string,
  given: Partial<Pick<Parts, "reader" | "mailer" | "proxyHops">> = {},
): AsyncDisposable & { address: string; logged: string[] } {
  const began = SYSTEM_CLOCK.now();
  // The clock runs, but always starts at the same moment, so that verdicts never change.
  const clock: Clock = { now: () => NOON + SYSTEM_CLOCK.now() - began };
  const logged: string[] = [];
  const source = openSource(folder);
  // Connected right after listening, because the port is known only then.
  const wired: { app?: ReturnType<typeof testApp>["app"] } = {};
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", automaticCompression: true, onListen() {} },
    (request, info) => wired.app!.fetch(request, info),
  );
  const address = `http://127.0.0.1:${server.addr.port}`;
  const parts = {
    reader: new SnapshotReader(source, { clock }),
    source,
    clock,
    sleep,
    countIn: null,
    baseUrl: address,
    log: (line: string): void => void logged.push(line),
    ...given,
  };
  wired.app = testApp({ ...parts, pages: createSite, mounts: mountsOf(parts) }).app;
  return { address, logged, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** A service over a few carriers, in a snapshot `a` without a search index. */
export function siteOf(
  carriers: CarrierRecord[] = [record(295017)],
  { dockets, ordersDate, ...given }: Given & { dockets?: Dockets; ordersDate?: string } = {},
) {
  const objects: Objects = new Map();
  putSnapshot(objects, {
    id: "a",
    carriers,
    ...dockets && { dockets },
    ...ordersDate !== undefined && { ordersDate },
  });
  return siteOver(new MemorySource(objects), given);
}

/** Values for path parameters, from the bundled sample. */
const PARAMETERS: Readonly<Record<string, string>> = { dot: "286764", docket: "MC-143229" };

/** A path of each page that can be opened directly. */
export const PAGE_PATHS: readonly string[] = ROUTES
  .filter(({ method = "GET" }) => method === "GET")
  .map(({ path }) => path.replaceAll(/\{(\w+)\}/g, (whole, name) => PARAMETERS[name] ?? whole))
  .filter((path) => !path.includes("{"));
