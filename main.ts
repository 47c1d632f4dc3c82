/**
 * The composition root: reads the settings, wires up the service, and serves it.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { a2aMount } from "./api/a2a/http.ts";
import { SmtpMailer } from "./api/alerts/smtp_mailer.ts";
import { askMount } from "./api/ask/http.ts";
import { discoveryMounts } from "./api/discovery/documents.ts";
import { listen, type Listener, type ListenOptions } from "./api/http/listener.ts";
import { type Log, openLog } from "./api/log.ts";
import { createService, type Service } from "./api/service.ts";
import { mailsAlerts, readSettings, type Settings } from "./api/settings.ts";
import { MCP_DESCRIPTION, mcpMounts } from "./mcp/routes.ts";
import { after, stopwatch, SYSTEM_CLOCK } from "./pipeline/clock.ts";
import { messageOf, plural } from "./pipeline/text.ts";
import { note, noteLater, print } from "./pipeline/io.ts";
import { exampleMc, exampleRecord } from "./pipeline/snapshot/example.ts";
import type { SnapshotReader } from "./pipeline/snapshot/reader.ts";
import { createSite, LISTED_PAGES } from "./site/site.ts";

const HELP = `Serves carrier compliance lookups over HTTP.

  deno task serve                serve the snapshot named by SNAPSHOT_URL
  deno task start                build a snapshot from the bundled sample and serve that
  deno task serve --help         print this

Settings (environment variables):
  SNAPSHOT_URL   folder or http(s) URL that has current.json
  HOST           address to listen on (default 0.0.0.0; with --sample 127.0.0.1)
  PORT           port to listen on, 0 for any free one (default 8000)
  BASE_URL       public URL of the service, used in its answers (default http://localhost:PORT)
  VERIFY_SHARDS  on to check each object against SHA256SUMS (default off)
  CACHE_MB       megabytes of shards and search lists to keep in memory (default 128)
  KV_PATH        file of the store for jobs, keys and alerts (default .data/kv.sqlite), or the
                 https address of a denokv server, with its token in DENO_KV_ACCESS_TOKEN
  TRUSTED_PROXY_HOPS  number of proxies in front whose X-Forwarded-For is trusted (default 0)
  SHARED_CACHE   on if a CDN or another shared cache is in front (default off)
  RATE_LIMIT_STATE    memory, or kv to count the requests of all processes that share a store
  LOG            json, text or off (default text in a terminal, else json)
  SMTP_URL       mail server for email alerts, smtp://user:password@host:587 (default: no alerts)
  MAIL_FROM      sender of those emails, e.g. Carrier alerts <alerts@carriers.example>`;

const SAMPLE_FOLDER = `${import.meta.dirname}/.data/sample`;
const KV_FILE = `${import.meta.dirname}/.data/kv.sqlite`;

/** Milliseconds for open requests to finish. Hosts kill a process 5 s after asking it to stop. */
const SHUTDOWN_MS = 4_000;

/** An error that the operator can fix. Printed without a stack trace. */
class OperatorError extends Error {
  constructor(message: string, readonly exitCode: 1 | 2) {
    super(message);
  }
}

/** Creates the service from its settings. On Deno Deploy, the default store is the host's own. */
function wire(settings: Settings, { snapshotUrl, baseUrl, log }: ServiceContext): Service {
  const { KV_PATH, RATE_LIMIT_STATE, SMTP_URL, MAIL_FROM, CACHE_MB } = settings;
  const hosted = Deno.env.has("DENO_DEPLOY") && KV_PATH === undefined;
  return createService({
    snapshotUrl,
    verifyShards: settings.VERIFY_SHARDS,
    cacheMegabytes: CACHE_MB,
    baseUrl,
    kvPath: hosted ? undefined : KV_PATH ?? KV_FILE,
    countInStore: (RATE_LIMIT_STATE ?? (hosted ? "kv" : "memory")) === "kv",
    proxyHops: settings.TRUSTED_PROXY_HOPS,
    sharedCache: settings.SHARED_CACHE,
    mailer: mailsAlerts(settings) ? new SmtpMailer({ url: SMTP_URL!, from: MAIL_FROM! }) : null,
    clock: SYSTEM_CLOCK,
    log: log.say,
    requests: log.requests,
    mounts: (parts) => [
      askMount(parts),
      a2aMount(parts),
      ...mcpMounts(parts),
      ...discoveryMounts({ ...parts, mcp: MCP_DESCRIPTION, pagePaths: LISTED_PAGES }),
    ],
    pages: createSite,
  });
}

interface ServiceContext {
  snapshotUrl: string;
  baseUrl: string;
  log: Log;
}

function logOf({ LOG = Deno.stderr.isTerminal() ? "text" : "json" }: Settings): Log {
  return openLog(LOG, { clock: SYSTEM_CLOCK, after, write: note, writeLater: noteLater });
}

async function main(args: string[]): Promise<void> {
  const options = { sample: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
  const { sample, help } = asOperatorError(
    () => parseArgs({ args, options }).values,
    `\n\n${HELP}`,
  );
  if (help) return print(HELP);
  const settings = asOperatorError(() => readSettings(Deno.env.toObject()));
  let snapshotUrl = settings.SNAPSHOT_URL;
  if (sample) {
    note("Building a snapshot from the bundled sample in .data/sample ...");
    const elapsed = stopwatch();
    // Imported only here, so that serving does not load the build code.
    const { buildSample } = await import("./pipeline/sample/sample.ts");
    const { manifest: { counts } } = await buildSample(SAMPLE_FOLDER);
    note(`Built ${plural(counts.carriers, "carrier")} in ${(elapsed() / 1000).toFixed(1)} s`);
    snapshotUrl = SAMPLE_FOLDER;
  }
  if (snapshotUrl === undefined) {
    throw new OperatorError(
      "Cannot serve without a snapshot: set SNAPSHOT_URL to a folder or an http(s) address that " +
        "has current.json, or run with --sample",
      2,
    );
  }
  // The sample is served only to this machine, unless HOST is set.
  const hostname = settings.HOST ?? (sample ? "127.0.0.1" : "0.0.0.0");
  await serve(settings, { snapshotUrl, hostname });
}

async function serve(
  settings: Settings,
  { snapshotUrl, hostname }: { snapshotUrl: string; hostname: string },
): Promise<void> {
  const abort = new AbortController();
  const log = logOf(settings);
  // Set after listening starts, because with PORT=0 the port is known only then. No request can arrive in between.
  const wired: { service?: Service } = {};
  const server = listenOrExplain({
    hostname,
    port: settings.PORT,
    signal: abort.signal,
    handler: (request, info) => wired.service!.app.fetch(request, info),
    log: log.say,
  });
  const baseUrl = settings.BASE_URL ?? `http://localhost:${server.port}`;
  const service = wired.service = asOperatorError(() =>
    wire(settings, { snapshotUrl, baseUrl, log })
  );
  stopOnSignals({ server, service, abort });
  // A data host that doesn't answer must not block Ctrl-C.
  await Promise.race([announce(service.reader, { snapshotUrl, baseUrl, log }), server.finished]);
  started.resolve(service);
  // Sends the alerts that a killed process left behind, without waiting for the next scheduled sweep.
  void service.sweep();
  await server.finished;
  await service.close();
  await log.flush();
}

function listenOrExplain(options: ListenOptions): Listener {
  const { hostname, port } = options;
  const { AddrInUse, PermissionDenied, AddrNotAvailable } = Deno.errors;
  try {
    return listen(options);
  } catch (error) {
    const where = `Cannot listen on ${hostname}, port ${port}`;
    if (error instanceof AddrInUse) {
      const way = `stop the other program or set PORT, e.g. PORT=${
        port < 65_535 ? port + 1 : 8000
      }`;
      throw new OperatorError(`${where}: it is in use; ${way}`, 1);
    }
    if (error instanceof PermissionDenied) {
      throw new OperatorError(`${where}: not allowed; set PORT above 1023`, 1);
    }
    if (error instanceof AddrNotAvailable) {
      throw new OperatorError(`${where}: this machine does not have the address; set HOST`, 1);
    }
    throw error;
  }
}

function stopOnSignals(
  { server, service, abort }: { server: Listener; service: Service; abort: AbortController },
): void {
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
  let stopping = false;
  const stop = (): void => {
    // A second Ctrl-C stops without waiting for open requests.
    if (stopping) return abort.abort();
    stopping = true;
    const timer = setTimeout(() => abort.abort(), SHUTDOWN_MS);
    // Releases waiting emails to other processes now, while open requests finish.
    void service.stop();
    server.shutdown().finally(() => {
      clearTimeout(timer);
      for (const signal of signals) Deno.removeSignalListener(signal, stop);
    });
  };
  for (const signal of signals) Deno.addSignalListener(signal, stop);
}

async function announce(
  reader: SnapshotReader,
  { snapshotUrl, baseUrl, log: { say } }: ServiceContext,
): Promise<void> {
  const paths = ["/api/v1/ucr-fee?vehicles=4"];
  try {
    const example = await reader.use(async (snapshot) => {
      const { counts, data_date, notice } = snapshot.manifest;
      say(`Serving snapshot ${snapshot.id} of ${data_date}, ${plural(counts.carriers, "carrier")}`);
      if (notice !== undefined) say(notice);
      return await exampleRecord(snapshot);
    });
    const mc = example === null ? undefined : exampleMc(example);
    if (mc !== undefined) paths.unshift(`/api/v1/mc/${mc}`);
    if (example !== null) paths.unshift(`/api/v1/carriers/${example.dot}`);
  } catch (error) {
    say(`Cannot use the snapshot at ${snapshotUrl}: ${messageOf(error)}`);
    say("Lookups answer 503 until it can be read. What needs no snapshot works:");
  }
  paths.forEach((path, at) => print(`${at === 0 ? "Try " : "    "} ${baseUrl}${path}`));
  print(`Site ${baseUrl}/`);
}

/** Returns what `make` returns, and rethrows its errors as operator errors. */
function asOperatorError<T>(make: () => T, hint = ""): T {
  try {
    return make();
  } catch (error) {
    throw new OperatorError(messageOf(error) + hint, 2);
  }
}

/** Returns a getter that creates the service once, for a host that imports this module and listens itself. */
function importedService(): () => Service {
  let service: Service | undefined;
  // The host sends SIGINT 5 s before it kills an idle process.
  Deno.addSignalListener("SIGINT", () => void service?.stop());
  return () => {
    if (service === undefined) {
      const settings = readSettings(Deno.env.toObject());
      const { SNAPSHOT_URL, BASE_URL = `http://localhost:${settings.PORT}` } = settings;
      if (SNAPSHOT_URL === undefined) throw new Error("Cannot serve: SNAPSHOT_URL is not set");
      const place = { snapshotUrl: SNAPSHOT_URL, baseUrl: BASE_URL, log: logOf(settings) };
      service = wire(settings, place);
    }
    return service;
  };
}

/** The service that `main` started, once it has announced itself. */
const started = Promise.withResolvers<Service>();

const imported = import.meta.main ? null : importedService();

// Deno Deploy finds a cron only at the top level of the entry module, outside of conditions and before the server
// starts. It runs on every timeline and each run is billed, so it does nothing where no alerts are sent. Every five
// minutes is often enough: requests answer sign-ups themselves, another process may take over a killed process's email
// after five minutes, and deadlines are counted in days.
void Deno.cron("send alerts", "*/5 * * * *", async () => {
  if (!mailsAlerts(readSettings(Deno.env.toObject()))) return;
  await (imported === null ? await started.promise : imported()).sweep();
});

// Deno warns about a main module that both listens and exports a handler.
export default (imported === null ? {} : {
  fetch: (request, info) => imported().app.fetch(request, info),
}) as Deno.ServeDefaultExport;

if (import.meta.main) {
  try {
    await main(Deno.args);
    Deno.exit(0);
  } catch (error) {
    if (error instanceof OperatorError) {
      note(error.message);
      Deno.exit(error.exitCode);
    }
    throw error;
  }
}
