/**
 * Who may talk to the endpoint: which Host it answers to and which Origin may call it.
 *
 * @module
 */

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/** What a request is judged by. */
export interface Gate {
  /** Why the request must be refused, or null. */
  complaint(request: Request): string | null;
}

/**
 * A gate for a service at an address. A local one answers local Hosts and local pages only: another
 * Host means that a page had its own name resolve to this machine. The data is public and no
 * credentials exist, so a public service takes any Host, as proxies rewrite it, and any well-formed
 * Origin.
 */
export function gateOf(baseUrl: string): Gate {
  const { hostname } = new URL(baseUrl);
  const isLocal = LOCAL.includes(hostname);
  return {
    complaint(request) {
      const host = request.headers.get("host") ?? new URL(request.url).host;
      const named = URL.parse(`http://${host}`)?.hostname ?? "";
      if (isLocal && !LOCAL.includes(named)) {
        return "Cannot answer for this Host: a local service answers local ones only; set BASE_URL";
      }
      const origin = request.headers.get("origin");
      // Sandboxed frames send "null"; they cannot be told apart, so a local service refuses them.
      if (origin === null || (origin === "null" && !isLocal)) return null;
      const url = URL.parse(origin);
      if (
        url === null || url.hostname === "" || url.origin === "null" && url.protocol === "data:"
      ) {
        return "Cannot read this Origin: it is not a URL";
      }
      if (isLocal && !LOCAL.includes(url.hostname)) {
        return "Cannot answer this Origin: a local service answers local pages only";
      }
      return null;
    },
  };
}
