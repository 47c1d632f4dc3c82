/** Compresses and writes shards for the peer, at the level our build uses. */

import { gzipSync } from "node:zlib";
import { shardPath } from "../../pipeline/snapshot/manifest.ts";
import { SHARD_GZIP_LEVEL } from "../../pipeline/snapshot/writer.ts";
import type { PeerTask } from "./duckdb_peer.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<PeerTask>) => void;
  postMessage(reply: { kind: "result"; result: number }): void;
};

scope.onmessage = ({ data: { to, family, shards } }): void => {
  for (const [shard, text] of shards) {
    Deno.writeFileSync(
      `${to}/${shardPath(family, shard)}`,
      gzipSync(text, { level: SHARD_GZIP_LEVEL }),
    );
  }
  scope.postMessage({ kind: "result", result: shards.length });
};
