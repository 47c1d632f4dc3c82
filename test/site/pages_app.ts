/**
 * The service with its pages over a few carriers, in this process and without a port.
 *
 * @module
 */

import type { JobRunner } from "../../api/state/jobs_runner.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { createSite } from "../../site/site.ts";
import { BASE_URL, from, testApp } from "../api/http/service.ts";
import { FakeKv } from "../api/state/fake_kv.ts";
import { HOSTILE } from "../mcp/service.ts";
import {
  MemorySource,
  type Objects,
  putSnapshot,
  record,
  TestClock,
} from "../pipeline/snapshot/memory.ts";

/** A service on 5 October 2026. */
export interface PagesApp {
  visit(target: string, init?: RequestInit, peer?: string): Promise<Response>;
  clock: TestClock;
  kv: FakeKv;
  runner: JobRunner;
}

/** Makes the service. Its carriers: 295017 without an issue, 146793 inactive, 666 hostile. */
export function pagesApp(): PagesApp {
  const objects: Objects = new Map();
  const filed = { operation: "A", mcs150_date: "2026-01-23", power_units: 4 } as const;
  putSnapshot(objects, {
    id: "a",
    carriers: [
      record(295017, { ...filed, legal_name: "SOME CARRIER", city: "AKRON", state: "OH" }),
      record(146793, { ...filed, status: "I" }),
      HOSTILE,
    ],
  });
  const clock = new TestClock();
  const kv = new FakeKv();
  const reader = new SnapshotReader(new MemorySource(objects), { clock });
  const { app, runner } = testApp({ reader, clock, kv, pages: createSite, log() {} });
  return {
    clock,
    kv,
    runner,
    async visit(target, init, peer) {
      return await app.fetch(new Request(BASE_URL + target, init), from(peer));
    },
  };
}

/** A form for a list, as a browser sends it. */
export function listForm(
  { text = "", file }: { text?: string; file?: BlobPart | undefined },
): FormData {
  const form = new FormData();
  form.set("text", text);
  form.set(
    "file",
    new File(file === undefined ? [] : [file], file === undefined ? "" : "list.csv"),
  );
  return form;
}
