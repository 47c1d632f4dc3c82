/**
 * `/latest/{file}`: redirects to a file of all carriers in the current snapshot.
 *
 * @module
 */

import { EXPORT_PATHS, snapshotPath } from "../../pipeline/snapshot/paths.ts";
import { ServiceError } from "../operations/errors.ts";
import type { SurfaceDeps } from "../operations/operation.ts";
import type { Mount } from "./exchange.ts";

interface LatestParts extends Pick<SurfaceDeps, "reader"> {
  /** Folder or http(s) address of the snapshots. */
  snapshotUrl?: string | undefined;
}

/** The files by the last segment of their path. */
const FILES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(EXPORT_PATHS).map((path) => [path.slice(path.lastIndexOf("/") + 1), path]),
);

export function latestMounts({ reader, snapshotUrl = "" }: LatestParts): Mount[] {
  async function fetch(_: Request, { params }: Parameters<Mount["fetch"]>[1]): Promise<Response> {
    const path = FILES[params.file!];
    if (path === undefined) {
      throw missing(`the files are ${Object.keys(FILES).join(", ")}`);
    }
    if (!/^https?:/i.test(snapshotUrl)) {
      throw missing("this service reads its snapshot from a folder, which has no address");
    }
    const { id, manifest } = await reader.current();
    if (manifest.export === undefined) throw missing("this snapshot was built without it");
    const address = snapshotUrl.replace(/\/+$/, "");
    const headers = {
      Location: `${address}/${snapshotPath(id)}/${path}`,
      "Cache-Control": "no-cache",
      "Snapshot-Id": id,
      "Content-Length": "0",
    };
    return new Response(null, { status: 302, headers });
  }

  return [{ path: "/latest/{file}", methods: ["GET"], fetch }];
}

function missing(why: string): ServiceError {
  return new ServiceError("not_found", `Cannot find this file: ${why}`);
}
