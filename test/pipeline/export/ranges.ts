/** A static host of one file that answers range requests, to any origin. */

import { serve } from "../../serve.ts";

/** `asked` receives the requested ranges. */
export function serveRanges(
  bytes: Uint8Array<ArrayBuffer>,
): AsyncDisposable & { url: string; asked: string[] } {
  const asked: string[] = [];
  const server = serve(({ method, headers }) => {
    const common = { "access-control-allow-origin": "*", "accept-ranges": "bytes" };
    const length = { ...common, "content-length": String(bytes.length) };
    if (method === "HEAD") return new Response(null, { headers: length });
    const range = headers.get("range") ?? "";
    asked.push(range);
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range)!;
    const end = to === "" ? bytes.length : Number(to) + 1;
    return new Response(bytes.slice(Number(from), end), {
      status: 206,
      headers: { ...common, "content-range": `bytes ${from}-${end - 1}/${bytes.length}` },
    });
  });
  return Object.assign(server, { asked });
}
