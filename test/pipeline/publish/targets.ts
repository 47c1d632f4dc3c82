/**
 * Every kind of place to publish to, for tests that must hold in each.
 *
 * @module
 */

import { lookBeforeWrite } from "../../../pipeline/publish/conditions.ts";
import { folderStore } from "../../../pipeline/publish/folder_store.ts";
import type { Store } from "../../../pipeline/publish/store.ts";
import { folderSource } from "../../../pipeline/snapshot/open_source.ts";
import { httpSource } from "../../../pipeline/snapshot/http_source.ts";
import type { Source } from "../../../pipeline/snapshot/source.ts";
import { tempDir } from "../compile/files.ts";
import { BUCKET, serveS3 } from "./s3_server.ts";
import { bucketStore, MovedClock } from "./world.ts";

/** An empty place, and how readers find it. */
export interface Target extends AsyncDisposable {
  store: Store;
  source: Source;
}

/** How to make each. */
export const TARGETS: Record<string, () => Promise<Target>> = {
  async folder() {
    const dir = await tempDir();
    const root = `${dir.path}/public`;
    return { ...dir, store: folderStore(root, new MovedClock()), source: folderSource(root) };
  },
  "S3 with small pages in odd order": async () => {
    const server = serveS3({ pageSize: 3, isReordered: true });
    return await Promise.resolve({
      store: bucketStore(server, { prefix: "/fmcsa/v1" }),
      source: httpSource(`${server.url}/${BUCKET}/fmcsa/v1`, { fetch }),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    });
  },
  "S3 that ignores conditions": async () => {
    const server = serveS3({ ignoresConditions: true });
    return await Promise.resolve({
      store: lookBeforeWrite(bucketStore(server)),
      source: httpSource(`${server.url}/${BUCKET}`, { fetch }),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    });
  },
};
