/**
 * The client's address, which identifies it for rate limits, and the Host header.
 *
 * @module
 */

import { isIP } from "node:net";
import { expandIPv6 } from "hono/utils/ipaddr";
import { ServiceError } from "../operations/errors.ts";

export interface ConnectionInfo {
  remoteAddr: Deno.Addr;
}

/** Returns the client that sent a request through `hops` of our own proxies. */
export function clientBehind(
  request: Request,
  info: ConnectionInfo | undefined,
  hops: number,
): string {
  const address = info?.remoteAddr;
  return clientOf({
    forwardedFor: request.headers.get("x-forwarded-for"),
    peer: address?.transport === "tcp" ? address.hostname : undefined,
    hops,
  });
}

interface Origin {
  /** `X-Forwarded-For`; several header lines arrive joined by ", ". */
  forwardedFor: string | null;
  peer: string | undefined;
  /** How many of our own proxies are in front of this process; each appends one address. */
  hops: number;
}

const UNKNOWN_CLIENT = "unknown";

/** `[v6]`, `[v6]:port` or `v4:port`. */
const WITH_PORT = /^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/;

const LONGEST_ENTRY = 80;

/**
 * Identifies the client in at most 45 characters: an IPv4 address, the /64 of an IPv6 address (the smallest
 * block that a customer gets), or `unknown`.
 *
 * Trusts only the entries of `X-Forwarded-For` that our own proxies appended, so the client is the entry
 * `hops` from the right. If that entry is invalid, uses the next valid one to its right, then the peer.
 * Entries further left may be forged by the caller.
 */
export function clientOf({ forwardedFor, peer, hops }: Origin): string {
  const trusted = trustedEntries(forwardedFor ?? "", hops);
  for (let i = trusted.length - 1; i >= 0; i--) {
    const client = canonical(trusted[i]!);
    if (client !== null) return client;
  }
  return canonical(peer ?? "") ?? UNKNOWN_CLIENT;
}

/** The last entries of the header, at most `hops`, from the right; the rest is not read. */
function trustedEntries(header: string, hops: number): string[] {
  const entries: string[] = [];
  for (let end = header.length; entries.length < hops && end >= 0;) {
    // An empty entry counts too. Skipping it would move an entry written by the caller into a trusted
    // position.
    const comma = end === 0 ? -1 : header.lastIndexOf(",", end - 1);
    entries.push(header.slice(comma + 1, end));
    end = comma;
  }
  return entries;
}

/** One form for all spellings of a client; null for an invalid address. */
function canonical(entry: string): string | null {
  if (entry.length > LONGEST_ENTRY) return null;
  const text = entry.trim();
  const match = WITH_PORT.exec(text);
  const address = (match?.[1] ?? match?.[2] ?? text).replace(/%.*$/s, "");
  const version = isIP(address);
  if (version === 0) return null;
  return version === 4 ? address : canonicalV6(address);
}

/** Groups in hexadecimal without leading zeros; an IPv4-mapped address is the IPv4 address. */
function canonicalV6(address: string): string {
  const all = expandIPv6(address).split(":").map((group) => parseInt(group, 16));
  const [high, low] = all.slice(6) as [number, number];
  if (all[5] === 0xffff && all.slice(0, 5).every((group) => group === 0)) {
    return `${high >> 8}.${high & 0xff}.${low >> 8}.${low & 0xff}`;
  }
  return `${all.slice(0, 4).map((group) => group.toString(16)).join(":")}::/64`;
}

/** A name, an IPv4 address or an IPv6 address in brackets, and a port if any. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i;

/**
 * Whether the Host header is valid, absent or empty; if absent or empty, the runtime uses the address it
 * listens on. The runtime builds the URL by putting Host before the path, so if Host contained a path, the
 * service would answer a different URL than the one that a cache in front sees.
 */
export function hasValidHost(headers: Headers): boolean {
  const host = headers.get("host");
  if (host === null || host === "") return true;
  const match = HOST.exec(host);
  return match !== null && Number(match[1] ?? 0) <= 65_535;
}

export function invalidHost(): ServiceError {
  return new ServiceError(
    "invalid_host",
    "Cannot read the Host header: send a name and a port only",
  );
}
