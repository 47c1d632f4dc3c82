/**
 * A static server of a folder that waits before each answer: `slow_server.ts FOLDER MILLISECONDS`.
 *
 * @module
 */

import { print } from "../../pipeline/io.ts";
import { folderSource } from "../../pipeline/snapshot/open_source.ts";

const source = folderSource(Deno.args[0]!);
const delay = Number(Deno.args[1]);

Deno.serve({
  port: 0,
  onListen: ({ port }) => print(`Try  http://localhost:${port}/`),
}, async (request) => {
  const bytes = source.get(new URL(request.url).pathname.slice(1));
  await new Promise((resolve) => setTimeout(resolve, delay));
  const found = await bytes;
  return found === null ? new Response(null, { status: 404 }) : new Response(found);
});
