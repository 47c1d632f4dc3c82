/**
 * From a TARGET argument and the environment to a {@link Store}.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import type { Clock } from "../clock.ts";
import { folderStore } from "./folder_store.ts";
import { S3Client, type S3Patience } from "./s3_client.ts";
import { s3Store } from "./s3_store.ts";
import type { Store } from "./store.ts";

/** What {@link openStore} needs. */
export interface OpenStoreOptions {
  clock: Clock;
  /** Reads a variable of the environment. */
  env: (name: string) => string | undefined;
  patience?: S3Patience;
}

/**
 * Opens a target: a folder, a `file://` URL or `s3://bucket/prefix`. Asks for nothing yet.
 *
 * @throws {TypeError} When the target is of no such form, or a variable that it needs is not set.
 */
export function openStore(target: string, { clock, env, patience }: OpenStoreOptions): Store {
  if (target.trim() === "") throw new TypeError("Cannot open target: it is empty");
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(target)?.[1]?.toLowerCase();
  if (scheme === undefined) return folderStore(target, clock);
  if (scheme === "file") return folderStore(fileURLToPath(target), clock);
  if (scheme !== "s3") {
    throw new TypeError(`Cannot publish to scheme "${scheme}": use a folder or s3://bucket/prefix`);
  }
  const [, bucket, prefix = ""] = TARGET.exec(target) ?? [];
  if (bucket === undefined) {
    throw new TypeError(`Cannot open target ${JSON.stringify(target)}: not s3://bucket/prefix`);
  }
  const variable = (name: string): string => {
    const value = env(name);
    if (value) return value;
    throw new TypeError(`Cannot open ${target}: set ${name} in the environment`);
  };
  const sessionToken = env("AWS_SESSION_TOKEN");
  const client = new S3Client({
    endpoint: endpointOf(variable("S3_ENDPOINT")),
    region: env("AWS_REGION") || "auto",
    bucket,
    accessKeyId: variable("AWS_ACCESS_KEY_ID"),
    secretAccessKey: variable("AWS_SECRET_ACCESS_KEY"),
    ...(sessionToken ? { sessionToken } : {}),
  }, patience);
  return s3Store(client, { bucket, prefix });
}

const TARGET =
  /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w-][\w.-]*(?:\/[\w-][\w.-]*)*)?)?\/?$/i;

function endpointOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError("Cannot use S3_ENDPOINT: not an http(s) address");
  }
  // The address itself stays out of these messages: it may hold a password.
  if (url.username + url.password + url.search + url.hash !== "" || url.pathname !== "/") {
    throw new TypeError("Cannot use S3_ENDPOINT: give scheme, host and port alone");
  }
  return url.origin;
}
