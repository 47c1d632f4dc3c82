/**
 * `/ask` over a small built snapshot with a search index, and calls that check every answer.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { SurfaceDeps } from "../../../api/operations/operation.ts";
import { ask } from "../../../api/ask/http.ts";
import type { Understanding } from "../../../api/ask/entities/names.ts";
import { AskResponse } from "../../../api/ask/answers/schemas.ts";
import { build } from "../../../pipeline/compile/build.ts";
import { openSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import type { Source } from "../../../pipeline/snapshot/source.ts";
import {
  buildFiles,
  censusCsv,
  censusRow,
  CLOCK,
  inspectionCsv,
  inspectionRow,
  tempDir,
  tree,
} from "../../pipeline/compile/files.ts";
import { writeDataset } from "../../synthetic/gen.ts";
import { planDataset } from "../../synthetic/plan.ts";
import { MemorySource, type Objects, putSnapshot, record } from "../../pipeline/snapshot/memory.ts";
import { type Answer, answerOf, BASE_URL, surfaceOver } from "../http/service.ts";
import CARRIERS from "./carriers.txt" with { type: "text" };

const CENSUS = censusCsv(
  CARRIERS.trimEnd().split("\n").slice(1).map((line) => {
    const text = line.replaceAll(
      /\\u(\w{4})/g,
      (_, code) => String.fromCharCode(parseInt(code, 16)),
    );
    const [carrier, ...columns] = text.split(" | ") as [string, ...string[]];
    const [dot, LEGAL_NAME] = carrier.split(/ (.*)/) as [string, string];
    const filed = columns.map((column) => column.split(/=(.*)/).slice(0, 2));
    return censusRow(dot, { LEGAL_NAME, ...Object.fromEntries(filed) });
  }),
);

const INSPECTIONS = inspectionCsv(
  Array.from(
    { length: 8 },
    (_, i) => inspectionRow(i + 1, 286764, { VEHICLE_OOS_TOTAL: i < 4 ? "1" : "0" }),
  ),
);

/** Context in which no carrier has a name. */
export const NO_NAMES: Understanding = {
  today: "2026-10-05",
  books: () => ({
    likely: () => Promise.resolve(new Set<string>()),
    find: () => Promise.resolve("absent"),
  }),
};

/** Calls `/ask` by POST with a body (a string is sent as is), or by GET without one. */
export type Call = (body?: unknown, init?: RequestInit & { path?: string }) => Promise<Answer>;

/** Runs `work` with a service. */
export async function withAsk(
  work: (call: Call, deps: SurfaceDeps) => Promise<void>,
): Promise<void> {
  built ??= buildOnce();
  const deps = depsOver(new MemorySource(await built));
  await work((body, init = {}) => callAsk(deps, body, init), deps);
}

/** The dependencies of `/ask` over a snapshot. A log line fails the test. */
export function depsOver(source: Source): SurfaceDeps {
  return {
    reader: new SnapshotReader(source, { clock: CLOCK }),
    clock: CLOCK,
    baseUrl: BASE_URL,
    log: (line) => assert.fail(line),
  };
}

/** `/ask` over the carriers 1000, 1100, ... 2900, each with a docket. */
export function faulty(): ReturnType<typeof surfaceOver> {
  const carriers = Array.from({ length: 20 }, (_, i) => record(1000 + 100 * i));
  const MC = Object.fromEntries(carriers.map(({ dot }) => [10 * dot, [dot]]));
  const objects: Objects = new Map();
  putSnapshot(objects, { id: "a", carriers, dockets: { MC } });
  return surfaceOver(objects);
}

// Built once, because building takes a second and no test changes the result.
let built: Promise<Objects> | undefined;

async function buildOnce(): Promise<Objects> {
  await using dir = await tempDir();
  await buildFiles(dir.path, { census: CENSUS, inspections: INSPECTIONS });
  const objects: Objects = new Map();
  for (const [path, hex] of await tree(`${dir.path}/out`)) {
    objects.set(path.slice(1), Uint8Array.fromHex(hex));
  }
  return objects;
}

/** Sends one request and checks the invariants of every answer. */
export async function callAsk(
  deps: SurfaceDeps,
  body: unknown,
  { path = "/ask", ...init }: RequestInit & { path?: string } = {},
): Promise<Answer> {
  const post = body === undefined ? {} : {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
  const request = new Request(`http://localhost${path}`, { ...post, ...init });
  const answer = await answerOf(await ask(request, deps));
  assert.match(answer.headers.get("cache-control") ?? "", /^no-store/);
  if (answer.headers.get("content-type")?.startsWith("text/event-stream")) return answer;
  assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
  AskResponse.parse(answer.body);
  return answer;
}

/** Events of a stream; each has one `event` line and one `data` line. */
// deno-lint-ignore no-explicit-any -- as above
export function eventsIn(text: string): { event: string; data: any }[] {
  return text.split("\n\n").filter((part) => part !== "").map((part) => {
    const match = /^event: (\w+)\ndata: ([^\r\n]*)$/.exec(part);
    assert.ok(match, part);
    return { event: match[1]!, data: JSON.parse(match[2]!) };
  });
}

/** Builds a synthetic dataset with a search index in a folder, and returns the dependencies over it. */
export async function depsOverDataset(
  dir: string,
  { workers, ...size }: { carriers: number; inspections: number; workers: number },
): Promise<SurfaceDeps> {
  await writeDataset(planDataset(size), dir);
  await build({
    census: `${dir}/company_census.csv`,
    inspections: `${dir}/vehicle_inspection.csv`,
    out: `${dir}/out`,
    dataDate: "2026-10-03",
    first: true,
    workers,
    clock: CLOCK,
  });
  return depsOver(openSource(`${dir}/out`));
}
