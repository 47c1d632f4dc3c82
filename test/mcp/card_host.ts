/**
 * A host for the card: Chromium shows it in a sandboxed frame of another origin under the policy of
 * the specification, and the reference implementation of the host's side talks to it from here.
 *
 * @module
 */

import {
  Client,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { AppBridge } from "@modelcontextprotocol/ext-apps/app-bridge";
import type { Browser, Frame, Page } from "playwright-core";
import type { McpEndpoint } from "../../mcp/http.ts";
import { CARD_URI } from "../../mcp/tools.ts";
import { BASE_URL } from "./service.ts";

// What MCP Apps 2026-01-26 prescribes where a resource asks for nothing else.
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'none'",
].join("; ");

const HOST_PAGE = `<!doctype html><title>host</title>
<style>body { margin: 0 } iframe { display: block; border: 0; width: 100vw; height: 100vh }</style>
<iframe sandbox="allow-scripts"></iframe>
<script>
const frame = document.querySelector("iframe");
addEventListener("message", ({ source, data }) => {
  if (source === frame.contentWindow) heardFromCard(JSON.stringify(data));
});
function tellCard(text) { frame.contentWindow.postMessage(JSON.parse(text), "*"); }
</script>`;

/** A card in its host. */
export interface CardHost extends AsyncDisposable {
  page: Page;
  card: Frame;
  bridge: AppBridge;
  client: Client;
  /** What the browser complained of. */
  complaints: string[];
}

/** What the host is like. */
export interface HostOptions {
  browser: Browser;
  endpoint: McpEndpoint;
  theme?: "light" | "dark";
  width?: number;
  height?: number;
  /** Whether the host lets the card call tools and open links. */
  able?: boolean;
}

/** Reads the card from the endpoint as a host does, and shows it. */
export async function openCard(options: HostOptions): Promise<CardHost> {
  const { browser, endpoint, theme = "light", width = 640, height = 620, able = true } = options;
  const client = new Client({ name: "host", version: "1" }, {
    versionNegotiation: { mode: "auto" },
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${BASE_URL}/mcp`), {
      fetch: (url, init) => endpoint(new Request(url, init)),
    }),
  );
  const { contents: [content] } = await client.readResource({ uri: CARD_URI });
  const html = (content as { text: string }).text;
  const cards = serve(html, { "Content-Security-Policy": POLICY });
  const hosts = serve(HOST_PAGE, {});
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: theme });
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  const bridge = new AppBridge(
    able ? client : null,
    { name: "test host", version: "1" },
    able ? { openLinks: {}, serverTools: {} } : {},
    { hostContext: { theme } },
  );
  const ready = new Promise<void>((resolve) => bridge.oninitialized = () => resolve());
  const transport = pageTransport(page);
  await page.exposeFunction(
    "heardFromCard",
    (text: string) => transport.onmessage?.(JSON.parse(text)),
  );
  await page.goto(hosts.url);
  await bridge.connect(transport);
  await page.evaluate(
    `document.querySelector("iframe").src = ${JSON.stringify(cards.url)}`,
  );
  await ready;
  const card = page.frames().find((frame) => frame.url() === cards.url)!;
  return {
    page,
    card,
    bridge,
    client,
    complaints,
    async [Symbol.asyncDispose]() {
      await bridge.close();
      await client.close();
      await page.close();
      await Promise.all([cards.server.shutdown(), hosts.server.shutdown()]);
    },
  };
}

interface PageTransport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  start(): Promise<void>;
  send(message: JSONRPCMessage): Promise<void>;
  close(): Promise<void>;
}

function pageTransport(page: Page): PageTransport {
  return {
    start: () => Promise.resolve(),
    async send(message) {
      await page.evaluate(`tellCard(${JSON.stringify(JSON.stringify(message))})`);
    },
    close: () => Promise.resolve(),
  };
}

function serve(
  html: string,
  headers: Record<string, string>,
): { url: string; server: Deno.HttpServer<Deno.NetAddr> } {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response(html, { headers: { "Content-Type": "text/html", ...headers } }),
  );
  return { server, url: `http://127.0.0.1:${server.addr.port}/` };
}
