/**
 * The client's address, by which requests are counted, and the Host header.
 *
 * @module
 */

import { isIP } from "node:net";
import { expandIPv6 } from "hono/utils/ipaddr";
import { ServiceError } from "../operations/errors.ts";

export interface ConnectionInfo {
  remoteAddr: Deno.Addr;
}

/** The client that a request is counted for, behind a number of our own proxies. */
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
 * Names the client, in at most 45 characters: an IPv4 address, the /64 of an IPv6 address (what one
 * customer gets at the least), or `unknown`.
 *
 * Only the entries our own proxies appended are believed: with `hops` n the n-th from the right of
 * X-Forwarded-For and peer. An invalid one is replaced by the next on its right, never on its
 * left, where the caller may write anything.
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
    // An empty entry counts like any other, or the caller's own words would move into its place.
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
 * Whether the Host header is a host, or absent or empty: the runtime then uses the address it listens
 * on. It puts the header before the path as is, so a Host that contains a path would have another
 * URL answered than the one that a cache in front sees.
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
