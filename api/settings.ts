/**
 * The settings of the service. The only module that reads and validates environment variables.
 *
 * @module
 */

import { isIP } from "node:net";
import { z } from "zod";
import { parseSender } from "./alerts/address.ts";
import { isRemoteStore } from "./state/deno_kv.ts";

const onOrOff = z.enum(["on", "off"], { error: "neither on nor off" }).default("off")
  .transform((value) => value === "on");

const schema = z.object({
  /** Address to listen on. Default: 0.0.0.0, or 127.0.0.1 for the sample. */
  HOST: z.string().refine((text) => isIP(text) !== 0 || text === "localhost", "not an IP address")
    .optional(),
  /** Port to listen on; 0 for any free one. */
  PORT: z.string().regex(/^\d{1,5}$/, "not a whole number").transform(Number)
    .refine((port) => port <= 65_535, "above 65535").default(8000),
  /** Public URL without a final slash. Default: http://localhost and the port. */
  BASE_URL: z.string()
    .refine(isBaseUrl, "not an http(s) URL without user, path, query and fragment")
    .transform((url) => url.replace(/\/+$/, "")).optional(),
  /** An http(s) URL or a folder. */
  SNAPSHOT_URL: z.string().optional(),
  /** Whether to check each object that is read against SHA256SUMS. */
  VERIFY_SHARDS: onOrOff,
  /** Cache of the snapshot reader, in megabytes. */
  CACHE_MB: z.string().regex(/^\d{1,5}$/, "not a whole number").transform(Number)
    .refine((megabytes) => megabytes >= 8, "below 8").default(128),
  /** File of the store, or URL of a KV Connect server. Default: the host's own store, or else `.data/kv.sqlite`. */
  KV_PATH: z.string().refine(isStore, "neither a file nor an https:// address").optional(),
  /** Token for the KV Connect server. The runtime itself reads the variable; here it is only checked for. */
  DENO_KV_ACCESS_TOKEN: z.string().optional(),
  /** Number of proxies in front of the service whose `X-Forwarded-For` is trusted. */
  TRUSTED_PROXY_HOPS: z.string().regex(/^\d$/, "not a whole number from 0 to 9").transform(Number)
    .default(0),
  /** Whether a shared cache is in front of the service. */
  SHARED_CACHE: onOrOff,
  /** Where to count requests. Default: `kv` on a host with its own store, else `memory`. */
  RATE_LIMIT_STATE: z.enum(["kv", "memory"], { error: "neither kv nor memory" }).optional(),
  /** Default: `text` in a terminal, else `json`. */
  LOG: z.enum(["json", "text", "off"], { error: "not one of json, text, off" }).optional(),
  /** Mail server; without it there are no alerts. Never part of a message, because it contains a password. */
  SMTP_URL: z.string().refine(isSmtpUrl, "not an smtp:// or smtps:// URL").optional(),
  /** Sender of alerts; required with `SMTP_URL`. */
  MAIL_FROM: z.string().transform((text, context) => {
    const from = parseSender(text);
    if (from !== null) return from;
    context.addIssue("not an email address, with or without a name before it");
    return z.NEVER;
  }).optional(),
  /** Set by Deno Deploy: `production`, `git-branch/...` or `preview/...`. */
  DENO_TIMELINE: z.string().default("production"),
}).superRefine(({ KV_PATH = "", DENO_KV_ACCESS_TOKEN }, context) => {
  if (!isRemoteStore(KV_PATH) || DENO_KV_ACCESS_TOKEN !== undefined) return;
  context.addIssue({
    code: "custom",
    path: ["KV_PATH"],
    message: "an address needs DENO_KV_ACCESS_TOKEN",
  });
}).superRefine(({ SMTP_URL, MAIL_FROM, BASE_URL }, context) => {
  if (SMTP_URL === undefined || (MAIL_FROM !== undefined && BASE_URL !== undefined)) return;
  context.addIssue({
    code: "custom",
    path: ["SMTP_URL"],
    message: "needs MAIL_FROM, and BASE_URL for the links in emails",
  });
});

export type Settings = z.infer<typeof schema>;

/** Whether to send alerts. Preview deployments have the same mail server and must not email people. */
export function mailsAlerts({ SMTP_URL, DENO_TIMELINE }: Settings): boolean {
  return SMTP_URL !== undefined && DENO_TIMELINE === "production";
}

/**
 * Reads the settings from an environment. Empty and blank variables count as unset.
 *
 * @throws {RangeError} When values are invalid; the message names each variable.
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.entries(environment).map(([name, value]) => [name, value?.trim()] as const)
    .filter(([, value]) => value !== undefined && value !== "");
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new RangeError(`Cannot use settings: ${problems.join("; ")}`);
}

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" &&
    url.password === "" && /^\/+$/.test(url.pathname) && !/[?#]/.test(text);
}

/** Allows plain http only to this machine, because it would expose the token. */
function isStore(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return true;
  const url = URL.parse(text);
  if (url === null || url.username + url.password !== "") return false;
  return url.protocol === "https:" ||
    url.protocol === "http:" && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
}

function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== "";
}
