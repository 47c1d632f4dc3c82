/**
 * `deno task doctor`: checks an installation from the machine it runs on, and prints one line per check.
 *
 * @module
 */

import { type Clock, SYSTEM_CLOCK } from "../pipeline/clock.ts";
import { note, print } from "../pipeline/io.ts";
import { LeaseError, takeLease } from "../pipeline/publish/lease.ts";
import { openStore } from "../pipeline/publish/open_store.ts";
import { readPointerOf } from "../pipeline/publish/pointer.ts";
import { httpSource } from "../pipeline/snapshot/sources/http_source.ts";
import { ordersWords, type Pointer } from "../pipeline/snapshot/manifest.ts";
import { POINTER_PATH } from "../pipeline/snapshot/paths.ts";
import { folderOf, folderSource } from "../pipeline/snapshot/sources/open_source.ts";
import { SnapshotReader } from "../pipeline/snapshot/reader.ts";
import { escapeInvisible, messageOf } from "../pipeline/text.ts";
import { SmtpMailer } from "./alerts/smtp_mailer.ts";
import { readSettings, type Settings } from "./settings.ts";
import { DenoKv } from "./state/deno_kv.ts";

const HELP = `Checks an installation from where it runs, and says what is missing.

  deno task doctor          check what the environment variables say
  deno task doctor --help   print this

Reads the settings of the service (see "deno task serve --help"), and of the publisher:
  SNAPSHOT_TARGET  where snapshots are published, s3://bucket/prefix or a folder
  S3_ENDPOINT, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY  of an S3 target
What is not set is not checked. It sends no email, and writes publish.lock to the target as a publish does.

Exit codes: 0 nothing is missing, 1 something is, 2 wrong arguments.`;

/** The result of one check. */
export interface Diagnosis {
  check: string;
  state: "ok" | "missing" | "skipped";
  text: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Timeout of a request, in milliseconds. */
const ANSWER_MS = 10_000;
const S3_TRIES = 2;

/** Maximum difference between the clocks of two publishers, in seconds. */
const MOST_SECONDS_APART = 30;

/** A cross-origin caller for the CORS check: any origin other than the data host's. */
const ORIGIN = "https://reader.example";

type Check = (say: Say) => Promise<void>;
type Say = (state: Diagnosis["state"], text: string) => void;

/** Runs all checks in order; never throws. A check that throws is reported as missing. */
export async function* diagnose(env: Environment, clock: Clock): AsyncGenerator<Diagnosis> {
  let settings: Settings;
  try {
    settings = readSettings(env);
  } catch (error) {
    yield { check: "settings", state: "missing", text: messageOf(error) };
    return;
  }
  const found: { pointer: Pointer | null } = { pointer: null };
  const checks: Record<string, Check> = {
    settings: (say) => Promise.resolve(checkSettings(settings, say)),
    target: async (say) => {
      found.pointer = await checkTarget(env, clock, say);
    },
    data: (say) => checkData(settings, found.pointer, say),
    CORS: (say) => checkCors(settings, say),
    service: (say) => checkService(settings, say),
    store: (say) => checkStore(settings, say),
    mail: (say) => checkMail(settings, say),
    clock: (say) => checkClock(settings, env, { clock, say }),
  };
  for (const [check, make] of Object.entries(checks)) {
    const said: Diagnosis[] = [];
    const say: Say = (state, text) => said.push({ check, state, text });
    await make(say).catch((error) => say("missing", messageOf(error)));
    yield* said;
  }
}

function checkSettings({ SNAPSHOT_URL, BASE_URL, SMTP_URL }: Settings, say: Say): void {
  if (SNAPSHOT_URL === undefined) {
    say("missing", "SNAPSHOT_URL: the service does not start without it");
  }
  if (BASE_URL === undefined) say("missing", "BASE_URL: answers link to http://localhost instead");
  if (SNAPSHOT_URL !== undefined && BASE_URL !== undefined) {
    say("ok", `all that the service needs${SMTP_URL === undefined ? "; no email alerts" : ""}`);
  }
}

async function checkTarget(env: Environment, clock: Clock, say: Say): Promise<Pointer | null> {
  const { SNAPSHOT_TARGET: target } = env;
  if (!target) {
    say("skipped", "SNAPSHOT_TARGET is not set: nothing is published from here");
    return null;
  }
  const store = openStore(target, {
    env: (name) => env[name],
    patience: { tries: S3_TRIES, timeout: ANSWER_MS },
  });
  const { pointer } = await readPointerOf(store);
  try {
    // Taking the lease reads, writes, and tests conditional writes.
    await using _lease = await takeLease(store, { clock, owner: "doctor" });
    say("ok", `${store.name} can be read and written, and honors conditional writes`);
  } catch (error) {
    if (!(error instanceof LeaseError)) throw error;
    say("ok", `${store.name} can be read; ${messageOf(error)}`);
  }
  if (pointer === null) say("missing", `nothing is published at ${store.name}: publish --first`);
  return pointer;
}

async function checkData(
  { SNAPSHOT_URL }: Settings,
  published: Pointer | null,
  say: Say,
): Promise<void> {
  if (SNAPSHOT_URL === undefined) return say("skipped", "SNAPSHOT_URL is not set");
  const folder = folderOf(SNAPSHOT_URL);
  const source = folder === undefined ? httpSource(SNAPSHOT_URL, { fetch }) : folderSource(folder);
  const { id, manifest } = await new SnapshotReader(source).current();
  const orders = ordersWords(manifest);
  const state = manifest.orders === undefined ? "ok" : "missing";
  say(
    state,
    `${source.name} has snapshot ${id}, data of ${manifest.data_date}` +
      (orders === undefined ? "" : `; ${orders}`),
  );
  if (published !== null && published.snapshot !== id) {
    say(
      "missing",
      `SNAPSHOT_TARGET has ${published.snapshot}: another root, or a cache's old copy`,
    );
  }
  if (folder !== undefined) return;
  const { headers } = await ask(`${source.name}/${POINTER_PATH}`);
  const caching = headers.get("cache-control") ?? "";
  const [, seconds] = /\bmax-age=(\d+)/.exec(caching) ?? [];
  if (seconds === undefined || Number(seconds) > 60) {
    say(
      "missing",
      `Cache-Control of ${POINTER_PATH} is "${caching}": without max-age=60, new snapshots come late`,
    );
  }
}

async function checkCors({ SNAPSHOT_URL = "" }: Settings, say: Say): Promise<void> {
  if (SNAPSHOT_URL === "") return say("skipped", "SNAPSHOT_URL is not set");
  if (!/^https?:/i.test(SNAPSHOT_URL)) return say("skipped", "the data is in a folder");
  const url = `${SNAPSHOT_URL.replace(/\/+$/, "")}/${POINTER_PATH}`;
  const { headers } = await ask(url, { headers: { Origin: ORIGIN } });
  const says = (name: string): string[] =>
    (headers.get(name) ?? "").split(",").map((part) => part.trim().toLowerCase());
  if (!allows(headers)) {
    return say("missing", "the rules allow no other origins: readers in a browser get nothing");
  }
  const preflight = await ask(url, {
    method: "OPTIONS",
    headers: {
      Origin: ORIGIN,
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "if-none-match",
    },
  });
  const allowed = (preflight.headers.get("access-control-allow-headers") ?? "").toLowerCase();
  const isAllowed = preflight.ok && allows(preflight.headers) &&
    allowed.split(",").some((name) => /^(\*|if-none-match)$/.test(name.trim()));
  const isExposed = says("access-control-expose-headers").some((name) => /^(\*|etag)$/.test(name));
  if (!isAllowed) {
    say(
      "missing",
      "AllowedHeaders: If-None-Match; a reader that sends it stays on an old snapshot",
    );
  }
  if (!isExposed) {
    say("missing", "ExposeHeaders: ETag; readers fetch the whole pointer each minute");
  }
  if (isAllowed && isExposed) say("ok", "any origin, If-None-Match allowed, ETag exposed");
}

function allows(headers: Headers): boolean {
  return ["*", ORIGIN].includes(headers.get("access-control-allow-origin") ?? "");
}

async function checkService({ BASE_URL }: Settings, say: Say): Promise<void> {
  if (BASE_URL === undefined) return say("skipped", "BASE_URL is not set");
  const { status, body } = await ask(`${BASE_URL}/readyz`);
  if (status === 200) say("ok", `${BASE_URL} is ready`);
  else say("missing", `${BASE_URL}/readyz answers ${status}: ${body.slice(0, 200).trim()}`);
}

async function checkStore({ KV_PATH }: Settings, say: Say): Promise<void> {
  if (KV_PATH === undefined) {
    return say("skipped", "KV_PATH is not set: the host's store, or a file");
  }
  const kv = new DenoKv(KV_PATH);
  try {
    await withTimeout(kv.get([["doctor"]]));
    say("ok", `${KV_PATH} can be read`);
  } finally {
    await kv.close();
  }
}

async function checkMail({ SMTP_URL: url, MAIL_FROM: from }: Settings, say: Say): Promise<void> {
  if (url === undefined) return say("skipped", "SMTP_URL is not set: no email alerts");
  const reason = await new SmtpMailer({ url, from: from! }).check();
  if (reason === null) {
    say("ok", "the mail server takes the connection and the login; nothing sent");
  } else say("missing", `the mail server of SMTP_URL cannot be used: ${reason}`);
}

async function checkClock(
  { SNAPSHOT_URL = "" }: Settings,
  { S3_ENDPOINT = "" }: Environment,
  { clock, say }: { clock: Clock; say: Say },
): Promise<void> {
  const address = [S3_ENDPOINT, SNAPSHOT_URL].find((text) => /^https?:/i.test(text));
  if (address === undefined) return say("skipped", "no host to compare with");
  const { headers } = await ask(address);
  const seconds = (clock.now() - Date.parse(headers.get("date") ?? "")) / 1000;
  const host = new URL(address).host;
  if (Number.isNaN(seconds)) return say("skipped", `${host} sends no date`);
  const apart = Math.round(Math.abs(seconds));
  if (apart <= MOST_SECONDS_APART) return say("ok", `within ${apart} s of ${host}`);
  say("missing", `${apart} s ${seconds > 0 ? "ahead of" : "behind"} ${host}: set this clock`);
}

async function ask(url: string, init: RequestInit = {}) {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const response = await fetch(url, { ...init, redirect: "manual", signal });
  const { ok, status, headers } = response;
  return { ok, status, headers, body: await response.text() };
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("no answer")), ANSWER_MS);
  return await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

async function main(args: readonly string[]): Promise<number> {
  const wrong = args.find((one) => !/^(--help|-h)$/.test(one));
  if (wrong !== undefined) {
    note(
      escapeInvisible(`Cannot use ${JSON.stringify(wrong)}: settings are environment variables`),
    );
    note('Run "deno task doctor --help" for their names');
    return 2;
  }
  if (args.length > 0) {
    print(HELP);
    return 0;
  }
  let missing = 0;
  for await (const { check, state, text } of diagnose(Deno.env.toObject(), SYSTEM_CLOCK)) {
    if (state === "missing") missing++;
    print(escapeInvisible(`${state.padEnd(8)} ${check.padEnd(9)} ${text}`));
  }
  print(missing === 0 ? "Nothing is missing" : `${missing} missing`);
  return missing === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
