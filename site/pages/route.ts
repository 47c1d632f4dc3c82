/**
 * What a page route receives, what it may return, and how it runs an operation.
 *
 * @module
 */

import { parseAccept } from "hono/utils/accept";
import type { z } from "zod";
import type { OpenApi } from "../../api/discovery/openapi.ts";
import type { Exchange, Mount } from "../../api/http/exchange.ts";
import {
  type CalculationOperation,
  type LookupOperation,
  type Operation,
  perform,
  type Performed,
} from "../../api/operations/operation.ts";
import type { BuildReport } from "../../pipeline/audit/report.ts";
import type { PageParts } from "../../api/service.ts";
import { watchedSince } from "../../api/rules/changes.ts";
import type { PastSnapshot } from "../../pipeline/snapshot/chain.ts";
import {
  type Snapshot,
  type SnapshotReader,
  SnapshotUnavailable,
} from "../../pipeline/snapshot/reader.ts";
import type { SharedCache } from "../../pipeline/snapshot/shared_cache.ts";
import type { SumsTree } from "../../pipeline/snapshot/sums_tree.ts";
import type { UploadJobs } from "../bulk/jobs.ts";
import type { Page, PageFile } from "../components/layout.tsx";

export interface Visit extends Exchange {
  url: URL;
  /** The day in New York, `YYYY-MM-DD`. */
  today: string;
  site: PageParts;
  /** Build reports by snapshot, with their HTML, which takes 10 ms to make. */
  reports: SharedCache<RenderedReport>;
  /** Hash trees by snapshot, for proofs of its rows. */
  sums: SharedCache<SumsTree>;
  uploads: UploadJobs;
  /** The OpenAPI document, made once: it takes 0.1 s. */
  openApi(): OpenApi;
}

export interface RenderedReport {
  report: BuildReport;
  html: string;
}

type Answered = Page | PageFile | Response;

export interface PageRoute extends Pick<Mount, "path" | "cost" | "hasLargeBody"> {
  /** @default {"GET"} */
  method?: "GET" | "POST";
  /** Whether to accept a POST that does not come from our own pages. */
  fromAnywhere?: true;
  /** Whether the page is in the sitemap. */
  listed?: true;
  /**
   * Answers with a page, or with a response of another kind (a file, a redirection).
   *
   * @throws {ServiceError} Becomes an error page.
   */
  answer(visit: Visit): Answered | Promise<Answered>;
}

/**
 * Runs an operation for a visit.
 *
 * @throws {ServiceError} As the operation does.
 */
export async function lookUp<I extends z.ZodType, O extends z.ZodType>(
  { site, today }: Visit,
  operation: LookupOperation<I, O> | CalculationOperation<I, O>,
  input: unknown,
): Promise<Performed<z.output<O>>> {
  const { reader, baseUrl } = site;
  return await perform(operation as unknown as Operation, input, {
    today,
    baseUrl,
    reader,
    finish: (output) => output as z.output<O>,
  });
}

/**
 * Returns the path of the alerts form with these numbers, one per line, because a comma may be a
 * thousands separator.
 */
export function watchPath(dots: readonly string[]): string {
  return `/alerts?dot=${dots.join("%0A")}`;
}

/** Redirects to a path of this site; 301 when that path is the canonical one. */
export function redirect(path: string, status: 301 | 303 = 303): Response {
  return new Response(null, {
    status,
    headers: { Location: path, "Cache-Control": "no-store", "Content-Length": "0" },
  });
}

/** A file to save, created for one visitor at one time. */
export function fileResponse(
  body: BodyInit,
  { type, name, snapshotId }: { type: string; name: string; snapshotId?: string },
): Response {
  return new Response(body, {
    headers: {
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
      "X-Robots-Tag": "noindex",
      ...snapshotId !== undefined && { "Snapshot-Id": snapshotId },
    },
  });
}

/** Whether Markdown is requested by name and HTML is not preferred. */
export function prefersMarkdown(request: Request): boolean {
  const accepted = parseAccept(request.headers.get("accept") ?? "");
  const weight = (type: string): number => accepted.find((each) => each.type === type)?.q ?? 0;
  const markdown = weight("text/markdown");
  return markdown > 0 && markdown >= weight("text/html");
}

export function markdownAnswer(text: string, { method }: Request): Response {
  return new Response(method === "HEAD" ? null : text, {
    headers: {
      "Content-Type": "text/markdown; charset=utf-8",
      "Cache-Control": "public, max-age=300",
      "Vary": "Accept",
    },
  });
}

/** The current snapshot; undefined when none can be read now. */
export async function currentSnapshot(
  reader: SnapshotReader,
): Promise<Snapshot | undefined> {
  return await orUnread(reader.current());
}

async function orUnread<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof SnapshotUnavailable) return undefined;
    throw error;
  }
}

/** The snapshots that are kept, the oldest first; none when their list cannot be read now. */
export async function keptSnapshots(reader: SnapshotReader): Promise<readonly PastSnapshot[]> {
  return await orUnread(reader.kept()) ?? [];
}

/** The days of the history, `YYYY-MM-DD`. */
export interface HistoryDays {
  /** The day since which changes of carriers are listed. */
  watched: string;
  /** The data dates that can be requested, the oldest first. */
  kept: readonly string[];
}

/** The days of the history; undefined when they cannot be read now. */
export async function historyDays(reader: SnapshotReader): Promise<HistoryDays | undefined> {
  const chain = await orUnread(reader.use((snapshot) => snapshot.chain()));
  const kept = await keptSnapshots(reader);
  if (chain === undefined || kept.length === 0) return undefined;
  return {
    watched: watchedSince({}, { chain }),
    kept: [...new Set(kept.map(({ data_date }) => data_date))],
  };
}

/** Returns the base URL of the snapshots without a final slash; undefined if they are in a local folder. */
export function publicAddress(snapshotUrl: string | undefined): string | undefined {
  return isAddress(snapshotUrl) ? snapshotUrl.replace(/\/+$/, "") : undefined;
}

export function isAddress(text: string | undefined): text is string {
  return text !== undefined && /^https?:/i.test(text);
}
