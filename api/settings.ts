/**
 * The settings of the service: environment variables, read and checked in this one place.
 *
 * @module
 */

import { isIP } from "node:net";
import { z } from "zod";
import type { LogFormat } from "./log.ts";
import { parseSender, type Sender } from "./alerts/address.ts";

const DEFAULT_PORT = 8000;

export interface Settings {
  /** `HOST`: the address listened on; absent means 0.0.0.0, or 127.0.0.1 for the sample. */
  host?: string;
  /** `PORT`; 0 lets the system choose. */
  port: number;
  /** `BASE_URL` without a final slash; absent means http://localhost with the port listened on. */
  baseUrl?: string;
  /** `SNAPSHOT_URL`: an http(s) address or a folder. */
  snapshotUrl?: string;
  /** `VERIFY_SHARDS=on`: each object read is compared with its line of SHA256SUMS. */
  verifyShards?: true;
  /** `KV_PATH`: the file of the store; absent means the host's store, or a file of our own choice. */
  kvPath?: string;
  /** `TRUSTED_PROXY_HOPS`: proxies in front of the service whose `X-Forwarded-For` is believed. */
  trustedProxyHops: number;
  /** `SHARED_CACHE`: whether a cache that callers share is in front of the service. */
  sharedCache: boolean;
  /**
   * `RATE_LIMIT_STATE`: where the rate limit counts; absent means `kv` on a host that has a store of
   * its own, else `memory`.
   */
  rateLimitState?: "kv" | "memory";
  /** `LOG`: absent means `text` in a terminal, else `json`. */
  log?: LogFormat;
  /** `SMTP_URL` and `MAIL_FROM`: the mail server and the sender; absent means no alerts. */
  mail?: { url: string; from: Sender };
}

const schema = z.object({
  HOST: z.string().refine((text) => isIP(text) !== 0 || text === "localhost", "not an IP address")
    .optional(),
  PORT: z.string().regex(/^\d{1,5}$/, "not a whole number").transform(Number)
    .refine((port) => port <= 65_535, "above 65535").default(DEFAULT_PORT),
  BASE_URL: z.string().refine(
    isBaseUrl,
    "not an http(s) URL without user, path, query and fragment",
  )
    .transform((url) => url.replace(/\/+$/, "")).optional(),
  SNAPSHOT_URL: z.string().optional(),
  VERIFY_SHARDS: z.enum(["on", "off"], { error: "neither on nor off" }).default("off"),
  KV_PATH: z.string().optional(),
  TRUSTED_PROXY_HOPS: z.string().regex(/^\d$/, "not a whole number from 0 to 9").transform(Number)
    .default(0),
  SHARED_CACHE: z.enum(["on", "off"], { error: "neither on nor off" }).default("off"),
  RATE_LIMIT_STATE: z.enum(["kv", "memory"], { error: "neither kv nor memory" }).optional(),
  LOG: z.enum(["json", "text", "off"], { error: "not one of json, text, off" }).optional(),
  // No message repeats it: there is a password in it.
  SMTP_URL: z.string().refine(isSmtpUrl, "not an smtp:// or smtps:// URL").optional(),
  MAIL_FROM: z.string().transform((text, context) => {
    const from = parseSender(text);
    if (from !== null) return from;
    context.addIssue("not an email address, with or without a name before it");
    return z.NEVER;
  }).optional(),
}).superRefine(({ SMTP_URL, MAIL_FROM, BASE_URL }, context) => {
  if (SMTP_URL === undefined || (MAIL_FROM !== undefined && BASE_URL !== undefined)) return;
  context.addIssue({
    code: "custom",
    path: ["SMTP_URL"],
    message: "needs MAIL_FROM, and BASE_URL for the links in emails",
  });
});

/**
 * Reads the settings from an environment. An empty or blank variable counts as not set.
 *
 * @throws {RangeError} When a variable has a value it cannot have; the message names each of them.
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = environment[name]?.trim();
    if (value !== undefined && value !== "") given[name] = value;
  }
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) =>
      `${issue.path.join(".")}: ${issue.message}`
    );
    throw new RangeError(`Cannot use settings: ${problems.join("; ")}`);
  }
  const { HOST, PORT, BASE_URL, SNAPSHOT_URL, KV_PATH, TRUSTED_PROXY_HOPS, SHARED_CACHE } =
    parsed.data;
  const { RATE_LIMIT_STATE, LOG, SMTP_URL, MAIL_FROM, VERIFY_SHARDS } = parsed.data;
  return {
    port: PORT,
    trustedProxyHops: TRUSTED_PROXY_HOPS,
    sharedCache: SHARED_CACHE === "on",
    ...(HOST === undefined ? {} : { host: HOST }),
    ...(BASE_URL === undefined ? {} : { baseUrl: BASE_URL }),
    ...(SNAPSHOT_URL === undefined ? {} : { snapshotUrl: SNAPSHOT_URL }),
    ...(VERIFY_SHARDS === "on" ? { verifyShards: true } : {}),
    ...(KV_PATH === undefined ? {} : { kvPath: KV_PATH }),
    ...(RATE_LIMIT_STATE === undefined ? {} : { rateLimitState: RATE_LIMIT_STATE }),
    ...(LOG === undefined ? {} : { log: LOG }),
    ...(SMTP_URL === undefined ? {} : { mail: { url: SMTP_URL, from: MAIL_FROM! } }),
  };
}

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" &&
    url.password === "" && /^\/+$/.test(url.pathname) && !/[?#]/.test(text);
}

function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== "";
}
