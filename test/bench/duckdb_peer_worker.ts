/** Compresses and writes shards for the peer, as our build does. */

import { gzipSync } from "node:zlib";
import { shardPath } from "../../pipeline/snapshot/manifest.ts";
import { GZIP } from "../../pipeline/snapshot/writer.ts";
import type { PeerTask } from "./duckdb_peer.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<PeerTask>) => void;
  postMessage(reply: { kind: "result"; result: number }): void;
};

scope.onmessage = ({ data: { to, family, shards } }): void => {
  for (const [shard, text] of shards) {
    Deno.writeFileSync(
      `${to}/${shardPath(family, shard)}`,
      gzipSync(text, GZIP),
    );
  }
  scope.postMessage({ kind: "result", result: shards.length });
};
