/**
 * The server card at `/mcp/server-card` (SEP-2127): what a client needs to know to connect.
 *
 * @module
 */

import {
  PROTOCOL_VERSIONS,
  SERVER_DESCRIPTION,
  SERVER_NAME,
  SERVER_TITLE,
  SERVER_VERSION,
} from "./identity.ts";

/** Media type of the card. */
export const SERVER_CARD_TYPE = "application/mcp-server-card+json";

/** A server card; its schema has more members, none of which is needed here. */
export interface ServerCard {
  $schema: string;
  /** Reverse DNS of the host, a slash, the name. */
  name: string;
  title: string;
  description: string;
  version: string;
  websiteUrl: string;
  remotes: { type: "streamable-http"; url: string; supportedProtocolVersions: string[] }[];
}

/**
 * The card of the service at an address.
 *
 * @param baseUrl Without a final slash.
 */
export function serverCard(baseUrl: string): ServerCard {
  const { hostname } = new URL(baseUrl);
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    name: `${namespaceOf(hostname)}/${SERVER_NAME}`,
    title: SERVER_TITLE,
    description: SERVER_DESCRIPTION,
    version: SERVER_VERSION,
    websiteUrl: baseUrl,
    remotes: [{
      type: "streamable-http",
      url: `${baseUrl}/mcp`,
      supportedProtocolVersions: [...PROTOCOL_VERSIONS],
    }],
  };
}

/** `carriers.example` gives `example.carriers`; an IPv6 address gives its letters and digits. */
function namespaceOf(hostname: string): string {
  if (hostname.startsWith("[")) {
    return hostname.replaceAll(/[^0-9a-f]+/g, "-").slice(1, -1) || "local";
  }
  return hostname.split(".").reverse().join(".");
}
