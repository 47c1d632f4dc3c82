/** FMCSA's server, which a test can break, and the daily run against it. */

import { type DailyArguments, runDaily } from "../../../pipeline/commands/daily.ts";
import { type FileRole, fileText } from "../../synthetic/files.ts";
import { planDataset } from "../../synthetic/plan.ts";
import { POINTER_PATH } from "../../../pipeline/snapshot/paths.ts";
import { type FileServer, serveFile } from "../fmcsa/file_server.ts";

const SIZE = { carriers: 1_000, inspections: 1_825 };
const FIRST_DAY = Date.UTC(2026, 9, 3, 10);
const DAY_MS = 86_400_000;

/** The servers and the folders of the chain. */
export interface Upstream extends AsyncDisposable {
  dir: string;
  out: string;
  census: FileServer;
  inspections: FileServer;
  orders: FileServer;
  /** Serves the files of a day. */
  serveDay(day: number): void;
  /** Serves a file as one that changed on that day. */
  serve(role: FileRole, content: string | Uint8Array, day: number): void;
  /** Runs the chain. */
  daily(more?: Partial<DailyArguments>): Promise<string>;
  /** The pointer as text; empty when there is none. */
  pointer(): Promise<string>;
}

const made = new Map<string, string>();

/** A day's file as text; generated once. */
export function dayFile(role: FileRole, day: number): string {
  const key = `${role} ${day}`;
  const text = made.get(key) ?? fileText(planDataset({ ...SIZE, day }), role);
  made.set(key, text);
  return text;
}

/** Starts the servers. */
export async function startUpstream(): Promise<Upstream> {
  const dir = await Deno.makeTempDir();
  const out = `${dir}/out`;
  const servers = { census: serveFile(), inspections: serveFile(), orders: serveFile() };
  let today = 0;
  let version = 0;
  const upstream: Upstream = {
    ...servers,
    dir,
    out,
    serve(role, content, day) {
      const body = typeof content === "string" ? new TextEncoder().encode(content) : content;
      servers[role].behavior.body = new Uint8Array(body);
      servers[role].behavior.etag = `"${++version}"`;
      servers[role].behavior.lastModified = new Date(FIRST_DAY + day * DAY_MS).toUTCString();
      today = Math.max(today, day);
    },
    serveDay(day) {
      for (const role of ["census", "inspections", "orders"] as const) {
        upstream.serve(role, dayFile(role, day), day);
      }
    },
    daily(more) {
      const { census: { url: census }, inspections: { url: inspections } } = servers;
      return runDaily(
        { to: `${dir}/data`, census, inspections, out, first: true, ...more },
        {
          retries: 0,
          clock: { now: () => FIRST_DAY + today * DAY_MS + 1 },
          signal: new AbortController().signal,
        },
      );
    },
    pointer: () => Deno.readTextFile(`${out}/${POINTER_PATH}`).catch(() => ""),
    async [Symbol.asyncDispose]() {
      await servers.census[Symbol.asyncDispose]();
      await servers.inspections[Symbol.asyncDispose]();
      await servers.orders[Symbol.asyncDispose]();
      await Deno.remove(dir, { recursive: true });
    },
  };
  return upstream;
}
