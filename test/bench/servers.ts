/**
 * Servers to compare with or to read from, each a process of its own: `servers.ts bare FILE ENCODING`
 * returns answers made before, without routing or lookup; `servers.ts slow FOLDER MILLISECONDS` serves the
 * files of a folder after a delay.
 *
 * @module
 */

import { gzipSync } from "node:zlib";
import { sleep } from "../../pipeline/retry.ts";
import { print } from "../../pipeline/io.ts";
import { folderSource } from "../../pipeline/snapshot/open_source.ts";

/** An answer for the bare server. */
export interface BareAnswer {
  headers: [string, string][];
  body: string;
}

async function bare(file: string, encoding: string): Promise<Deno.ServeHandler> {
  const answers: BareAnswer[] = JSON.parse(await Deno.readTextFile(file));
  const ready = answers.map(({ headers, body }) =>
    encoding === "gzip"
      ? {
        headers: [...headers, ["content-encoding", "gzip"] as [string, string]],
        body: new Uint8Array(gzipSync(body, { level: 1 })),
      }
      : { headers, body }
  );
  let next = 0;
  return () => {
    const { headers, body } = ready[next++ % ready.length]!;
    return new Response(body, { headers });
  };
}

function slow(folder: string, delay: number): Deno.ServeHandler {
  const source = folderSource(folder);
  return async (request) => {
    const bytes = source.get(new URL(request.url).pathname.slice(1));
    await sleep(delay);
    const found = await bytes;
    return found === null ? new Response(null, { status: 404 }) : new Response(found);
  };
}

const [kind, path, setting] = Deno.args as [string, string, string];
const handler = kind === "bare" ? await bare(path, setting) : slow(path, Number(setting));
Deno.serve({ port: 0, onListen: ({ port }) => print(`http://localhost:${port}`) }, handler);
