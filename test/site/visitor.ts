/**
 * The pages over a hand-made snapshot, in this process.
 *
 * @module
 */

import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { createSite } from "../../site/site.ts";
import { BASE_URL, from, testApp } from "../api/http/service.ts";
import {
  type Dockets,
  MemorySource,
  type Objects,
  putSnapshot,
  record,
  TestClock,
} from "../pipeline/snapshot/memory.ts";

/** Asks for a path, as a browser on `peer` would. */
export type Visitor = (target: string, init?: RequestInit, peer?: string) => Promise<Response>;

/** Pages and what they are made from. */
export interface TestPages {
  visit: Visitor;
  source: MemorySource;
  logged: string[];
}

/** A service with pages over a few carriers; its snapshot has no search index. */
export function testPages(
  carriers: CarrierRecord[] = [record(295017)],
  dockets: Dockets = {},
): TestPages {
  const objects: Objects = new Map();
  putSnapshot(objects, { id: "a", carriers, dockets });
  const source = new MemorySource(objects);
  const clock = new TestClock();
  const logged: string[] = [];
  const { app } = testApp({
    reader: new SnapshotReader(source, { clock }),
    clock,
    pages: createSite,
    log: (line) => void logged.push(line),
  });
  return {
    visit: async (target, init, peer) =>
      await app.fetch(new Request(BASE_URL + target, init), from(peer)),
    source,
    logged,
  };
}
