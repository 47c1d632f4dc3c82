/**
 * The Host header: the runtime puts it before the path without a look at it, so a Host with a path of
 * its own would have another URL answered than the one that a cache in front sees.
 *
 * @module
 */

import { ServiceError } from "../operations/errors.ts";

/** A name, an IPv4 address or an IPv6 address in brackets, and a port if any. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i;

/** Whether the Host is one, or absent or empty: then the runtime puts the address it listens on. */
export function hasValidHost(headers: Headers): boolean {
  const host = headers.get("host");
  if (host === null || host === "") return true;
  const match = HOST.exec(host);
  return match !== null && Number(match[1] ?? 0) <= 65_535;
}

/** The error of a request with another Host. */
export function invalidHost(): ServiceError {
  return new ServiceError(
    "invalid_host",
    "Cannot read the Host header: send a name and a port only",
  );
}
