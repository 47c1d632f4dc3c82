/**
 * Every kind of place to publish to, for tests that must hold in each.
 *
 * @module
 */

import { lookBeforeWrite } from "../../../pipeline/publish/conditions.ts";
import { folderStore } from "../../../pipeline/publish/folder_store.ts";
import type { Store } from "../../../pipeline/publish/store.ts";
import { folderSource } from "../../../pipeline/snapshot/folder_source.ts";
import { httpSource } from "../../../pipeline/snapshot/http_source.ts";
import type { Source } from "../../../pipeline/snapshot/source.ts";
import { tempDir } from "../build/files.ts";
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
  async s3rver() {
    const server = await startS3rver();
    const store = lookBeforeWrite(bucketStore(server));
    return {
      store,
      source: {
        name: store.name,
        get: async (path: string) => (await store.get(path))?.bytes ?? null,
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
};

/** The S3 server from npm, which ignores conditions of writes and does not check signatures of version 4. */
export async function startS3rver(): Promise<{ url: string } & AsyncDisposable> {
  // Here only, for it takes a second to load
  const { default: S3rver } = await import("s3rver");
  const dir = await tempDir();
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: dir.path,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port } = await server.run();
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose](): Promise<void> {
      server.httpServer.closeAllConnections(); // It would wait for those that are kept alive
      await server.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}
