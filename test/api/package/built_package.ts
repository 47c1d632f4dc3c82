/**
 * The npm package in a temporary folder, and a host for static files.
 *
 * @module
 */

import { buildPackage } from "../../../api/package/build.ts";
import { tempDir } from "../../pipeline/compile/files.ts";
import { serve } from "../../serve.ts";

/** Builds the package in a temporary folder. Disposing of the result deletes the folder. */
export async function builtPackage(): Promise<AsyncDisposable & { path: string }> {
  const dir = await tempDir();
  await buildPackage(dir.path);
  return dir;
}

/** Serves folders, each under a name, to any origin, and records the requests. */
export function serveFiles(
  folders: Record<string, string>,
): AsyncDisposable & { url: string; asked: string[] } {
  const asked: string[] = [];
  const server = serve(async ({ url }) => {
    const { pathname } = new URL(url);
    asked.push(pathname);
    const [, name = "", path = ""] = /^\/(\w+)\/([\w./-]+)$/.exec(pathname) ?? [];
    const bytes = await Deno.readFile(`${folders[name]}/${path}`).catch(() => null);
    const type = path.endsWith(".js") ? "text/javascript" : "application/octet-stream";
    const headers = { "Access-Control-Allow-Origin": "*", "Content-Type": type };
    return new Response(bytes, { status: bytes === null ? 404 : 200, headers });
  });
  return Object.assign(server, { asked });
}
