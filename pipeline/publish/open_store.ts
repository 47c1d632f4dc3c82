/**
 * Opens the store that a TARGET argument names.
 *
 * @module
 */

import { folderOf } from "../snapshot/sources/open_source.ts";
import { folderStore } from "./folder_store.ts";
import { type S3Patience, s3Store } from "./s3_store.ts";
import type { Store } from "./store.ts";

interface OpenStoreOptions {
  env: (name: string) => string | undefined;
  patience?: S3Patience;
}

const S3_TARGET =
  /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w-][\w.-]*(?:\/[\w-][\w.-]*)*)?)?\/?$/i;

/**
 * Opens a target: a folder, a `file://` URL or `s3://bucket/prefix`. Sends no request yet.
 *
 * @throws {TypeError} When the target has none of these forms, or an environment variable for it is not set.
 */
export function openStore(target: string, { env, patience }: OpenStoreOptions): Store {
  if (target.trim() === "") throw new TypeError("Cannot open target: it is empty");
  const folder = folderOf(target);
  if (folder !== undefined) return folderStore(folder);
  if (!/^s3:/i.test(target)) {
    const [scheme] = target.split(":");
    throw new TypeError(`Cannot publish to scheme "${scheme}": use a folder or s3://bucket/prefix`);
  }
  const [, bucket, prefix = ""] = S3_TARGET.exec(target) ?? [];
  if (bucket === undefined) {
    throw new TypeError(`Cannot open target ${JSON.stringify(target)}: not s3://bucket/prefix`);
  }
  const variable = (name: string): string => {
    const value = env(name);
    if (value) return value;
    throw new TypeError(`Cannot open ${target}: set ${name} in the environment`);
  };
  const sessionToken = env("AWS_SESSION_TOKEN");
  return s3Store({
    endpoint: endpointOf(variable("S3_ENDPOINT")),
    region: env("AWS_REGION") || "auto",
    bucket,
    prefix,
    accessKeyId: variable("AWS_ACCESS_KEY_ID"),
    secretAccessKey: variable("AWS_SECRET_ACCESS_KEY"),
    ...(sessionToken ? { sessionToken } : {}),
  }, patience);
}

function endpointOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError("Cannot use S3_ENDPOINT: not an http(s) address");
  }
  // These messages leave out the address, which may contain a password.
  if (url.username + url.password + url.search + url.hash !== "" || url.pathname !== "/") {
    throw new TypeError("Cannot use S3_ENDPOINT: give scheme, host and port alone");
  }
  return url.origin;
}
