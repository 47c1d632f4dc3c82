/**
 * A bare `Deno.serve` that returns answers made before: no routing, no lookup. Its arguments are a file
 * with a JSON list of `{headers, body}`, and `gzip` to compress them once.
 *
 * @module
 */

import { gzipSync } from "node:zlib";
import { print } from "../../pipeline/io.ts";

const answers: { headers: [string, string][]; body: string }[] = JSON.parse(
  await Deno.readTextFile(Deno.args[0]!),
);
const gzip = Deno.args[1] === "gzip";
const ready = answers.map(({ headers, body }) =>
  gzip
    ? {
      headers: [...headers, ["content-encoding", "gzip"] as [string, string]],
      body: new Uint8Array(gzipSync(body, { level: 1 })),
    }
    : { headers, body }
);
let next = 0;

Deno.serve({
  port: 0,
  onListen: ({ port }) => print(`Try  http://localhost:${port}/`),
}, () => {
  const { headers, body } = ready[next++ % ready.length]!;
  return new Response(body, { headers });
});
