/** Compresses and writes shards for the peer, as our build does. */

import { gzipSync } from "node:zlib";
import { GZIP } from "../../pipeline/snapshot/writer.ts";
import type { PeerTask } from "./duckdb_peer.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<PeerTask>) => void;
  postMessage(reply: "done"): void;
};

scope.onmessage = ({ data }): void => {
  for (const [path, text] of data) Deno.writeFileSync(path, gzipSync(text, GZIP));
  scope.postMessage("done");
};
