/**
 * The whole service with its pages over the bundled sample, in this process, on a free port.
 *
 * @module
 */

import { assemble, type Parts } from "../../api/service.ts";
import { DenoKv } from "../../api/state/deno_kv.ts";
import { type Clock, SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { sleep } from "../../pipeline/retry.ts";
import { openSource } from "../../pipeline/snapshot/open_source.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { createSite } from "../../site/site.ts";
import { builtSample } from "../pipeline/sample/built_sample.ts";
import { mountsOf } from "./app.ts";

/** Two days after the sample's data date: the clock starts there, so that verdicts never change. */
const BEGINNING = Date.parse("2026-10-05T12:00:00-04:00");

/** A running service. */
export interface RunningSite extends AsyncDisposable {
  address: string;
  logged: string[];
}

/** Builds the sample into a temporary folder for a callback. */
export async function withSample<T>(work: (folder: string) => Promise<T>): Promise<T> {
  return await work(await builtSample());
}

/** Serves a snapshot root; parts given replace those of a service at rest. */
export function startSite(folder: string, given: Partial<Parts> = {}): RunningSite {
  const began = SYSTEM_CLOCK.now();
  const clock: Clock = { now: () => BEGINNING + SYSTEM_CLOCK.now() - began };
  const kv = new DenoKv(":memory:");
  const logged: string[] = [];
  const source = openSource(folder);
  const reader = new SnapshotReader(source, { clock });
  // Wired right after listening: the port is known only then.
  const wired: { service?: ReturnType<typeof assemble> } = {};
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", automaticCompression: true, onListen() {} },
    (request, info) => wired.service!.app.fetch(request, info),
  );
  const address = `http://127.0.0.1:${server.addr.port}`;
  const parts = {
    reader,
    source,
    clock,
    kv,
    storeInPlace: () => kv.inPlace(),
    sleep,
    countIn: null,
    proxyHops: 0,
    sharedCache: false,
    mailer: null,
    baseUrl: address,
    log: (line: string): void => void logged.push(line),
    pages: createSite,
    ...given,
  };
  wired.service = assemble({ ...parts, mounts: mountsOf(parts) });
  return {
    address,
    logged,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await kv.close();
    },
  };
}
