/**
 * The network of a client: one customer has many addresses.
 *
 * @module
 */

/** Bits of an address that name its network. */
export interface NetworkBits {
  v4: 16 | 32;
  v6: 32 | 48 | 56;
}

/** One customer: an IPv4 address, or the /56 that providers give to a household. */
export const CUSTOMER: NetworkBits = { v4: 32, v6: 56 };

/** One organization. */
export const ORGANIZATION: NetworkBits = { v4: 16, v6: 48 };

/** One provider. */
export const PROVIDER: NetworkBits = { v4: 16, v6: 32 };

/** The network of a client: an IPv4 address or the /64 of an IPv6 address; any other name is its own. */
export function networkOf(client: string, { v4, v6 }: NetworkBits): string {
  const groups = client.split(":");
  if (groups.length === 1) return client.split(".").slice(0, v4 / 8).join(".");
  const whole = groups.slice(0, v6 >> 4);
  const part = v6 % 16 === 0 ? [] : [(parseInt(groups[whole.length]!, 16) & 0xff00).toString(16)];
  return `${[...whole, ...part].join(":")}::/${v6}`;
}
