/**
 * nginx as a CDN: an origin that serves a folder, and an edge in front of it that caches as the origin's
 * headers say. And nginx as the proxy in front of the service.
 *
 * @module
 */

import { existsSync } from "node:fs";
import { missingTool } from "./missing_tool.ts";
import { until } from "./until.ts";

const PROGRAM = ["/usr/sbin/nginx", "/usr/bin/nginx"].find(existsSync);

/** A running nginx. */
interface Cdn extends AsyncDisposable {
  /** Address of the edge. */
  edge: string;
  /** Makes the edge fetch a path again. */
  refresh(path: string): Promise<void>;
  /** The edge's cache status for each request: `HIT`, `MISS`, `BYPASS`, ... with its path. */
  log(): Promise<string[]>;
}

/** Whether nginx is installed; in CI it is an error when it isn't. */
export function hasNginx(): boolean {
  return PROGRAM !== undefined || !missingTool("nginx");
}

/** Starts a CDN over `root`. */
export async function startNginx(root: string): Promise<Cdn> {
  return await run(({ dir, ports: [edge, origin] }) => cdnServers({ dir, root, origin, edge }));
}

/**
 * Starts a proxy in front of a service, with the project's own configuration. If a header's name is
 * given, that header has the client's address, because all requests come from this machine.
 */
export async function startProxy(service: string, clientHeader?: string): Promise<Cdn> {
  const clients = clientHeader === undefined
    ? ""
    : `set_real_ip_from 127.0.0.1; real_ip_header ${clientHeader};`;
  const shipped = await Deno.readTextFile(new URL("../api/http/nginx.conf", import.meta.url));
  const text = shipped.replace("127.0.0.1:8000", new URL(service).host);
  return await run(({ dir, ports: [edge] }) =>
    `access_log ${dir}/access.log; ${clients} ${
      text.replace("listen 80;", `listen 127.0.0.1:${edge};`)
    }`
  );
}

type Servers = (place: { dir: string; ports: readonly [number, number] }) => string;

/** Starts nginx with servers on their own ports; the edge is on the first one. */
async function run(servers: Servers): Promise<Cdn> {
  for (;;) {
    const started = await runOnce([freePort(), freePort()], servers);
    // Another process has taken a port that was free a moment ago.
    if (started !== null) return started;
  }
}

/** Returns null when a port is in use. */
async function runOnce(ports: readonly [number, number], servers: Servers): Promise<Cdn | null> {
  const dir = await Deno.makeTempDir();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${dir}/${name};`).join("\n  ");
  await Deno.writeTextFile(
    `${dir}/nginx.conf`,
    `daemon off;
worker_processes 1;
pid ${dir}/nginx.pid;
${Deno.uid() === 0 ? "user root;" : ""}
events { worker_connections 1024; }
http {
  ${temporary}
${servers({ dir, ports })}
}
`,
  );
  const child = new Deno.Command(PROGRAM!, {
    args: ["-p", dir, "-c", `${dir}/nginx.conf`, "-e", `${dir}/error.log`],
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  let hasEnded = false;
  child.status.then(() => hasEnded = true);
  // Written once all ports are open.
  const pid = () => Deno.readTextFile(`${dir}/nginx.pid`).catch(() => "");
  await until("nginx has started", async () => hasEnded || await pid() !== "");
  if (hasEnded) {
    const log = await Deno.readTextFile(`${dir}/error.log`);
    await Deno.remove(dir, { recursive: true });
    if (/Address already in use/.test(log)) return null;
    throw new Error(log);
  }
  const address = `http://127.0.0.1:${ports[0]}`;
  return {
    edge: address,
    async refresh(path) {
      await (await fetch(`${address}/${path}`, { headers: { "X-Refresh": "1" } })).bytes();
    },
    log: async () => (await Deno.readTextFile(`${dir}/access.log`)).trimEnd().split("\n"),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await Deno.remove(dir, { recursive: true });
    },
  };
}

/** The headers are those that `publish` sets on objects of a bucket; a folder doesn't store any. */
function cdnServers(
  { dir, root, origin, edge }: { dir: string; root: string; origin: number; edge: number },
): string {
  return `
  types { application/json json; application/gzip gz; }
  default_type application/octet-stream;
  log_format edge "$upstream_cache_status $uri";
  access_log off;
  proxy_cache_path ${dir}/cache keys_zone=snapshots:1m;
  server {
    listen 127.0.0.1:${origin};
    root ${root};
    location / { add_header Cache-Control "public, max-age=31536000, immutable"; }
    location = /current.json { add_header Cache-Control "public, max-age=60"; }
  }
  server {
    listen 127.0.0.1:${edge};
    access_log ${dir}/access.log edge;
    gzip on;
    gzip_types application/json;
    gzip_min_length 0;
    gzip_proxied any;
    location / {
      proxy_pass http://127.0.0.1:${origin};
      proxy_cache snapshots;
      proxy_cache_bypass $http_x_refresh;
      proxy_cache_revalidate on;
    }
  }`;
}

function freePort(): number {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  return listener.addr.port;
}
