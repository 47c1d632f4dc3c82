/**
 * `bare_server.ts FILE ENCODING`: a `Deno.serve` that returns the responses in a file in turn, without
 * routing or lookup.
 *
 * @module
 */

import { gzipSync } from "node:zlib";
import { print } from "../../pipeline/io.ts";

/** A prepared response. */
export interface BareAnswer {
  headers: [string, string][];
  body: string;
}

const [file, encoding] = Deno.args as [string, string];
const answers: BareAnswer[] = JSON.parse(await Deno.readTextFile(file));
const responses = answers.map(({ headers, body }) =>
  encoding === "gzip"
    ? {
      headers: [...headers, ["content-encoding", "gzip"] as [string, string]],
      body: new Uint8Array(gzipSync(body, { level: 1 })),
    }
    : { headers, body }
);
let next = 0;
Deno.serve({ port: 0, onListen: ({ port }) => print(`http://localhost:${port}`) }, () => {
  const { headers, body } = responses[next++ % responses.length]!;
  return new Response(body, { headers });
});
