/**
 * The MCP card in Chromium: in a sandboxed frame under the policy of the specification, with the
 * reference implementation of the host's side.
 *
 * @module
 */

import {
  Client,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { AppBridge } from "@modelcontextprotocol/ext-apps/app-bridge";
import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { CARD_URI } from "../../mcp/server.ts";
import { BASE_URL } from "../api/http/service.ts";
import { HOSTILE, testMcp } from "../mcp/service.ts";
import { hasChromium, startChromium, untilScript, violations } from "./chromium.ts";

// The policy that MCP Apps 2026-01-26 prescribes for a resource that requests nothing else.
const POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline'; " +
  "style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

const HOST_PAGE = `<!doctype html><title>host</title>
<style>body { margin: 0 } iframe { display: block; border: 0; width: 100vw; height: 100vh }</style>
<iframe sandbox="allow-scripts"></iframe>
<script>
const frame = document.querySelector("iframe");
addEventListener("message", ({ source, data }) => {
  if (source === frame.contentWindow) heardFromCard(JSON.stringify(data));
});
function postToCard(text) { frame.contentWindow.postMessage(JSON.parse(text), "*"); }
</script>`;

/**
 * Reads the card as a host does and shows it 320 px wide. At the end the browser must have reported no error.
 *
 * @param able Whether the host lets the card call tools and open links.
 */
async function openCard(browser: Browser, able = true) {
  const { endpoint } = testMcp();
  let down = false;
  const client = new Client({ name: "host", version: "1" }, {
    versionNegotiation: { mode: "auto" },
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${BASE_URL}/mcp`), {
      fetch: (url, init) =>
        down
          ? Promise.resolve(new Response(null, { status: 500 }))
          : endpoint(new Request(url, init)),
    }),
  );
  const { contents: [content] } = await client.readResource({ uri: CARD_URI });
  const page = await browser.newPage({ viewport: { width: 320, height: 620 } });
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  for (
    const [url, body, policy] of [
      ["https://host.example/", HOST_PAGE, ""],
      ["https://card.example/", (content as { text: string }).text, POLICY],
    ] as const
  ) {
    const headers = { "Content-Security-Policy": policy };
    await page.route(url, (route) => route.fulfill({ contentType: "text/html", body, headers }));
  }
  const bridge = new AppBridge(
    able ? client : null,
    { name: "test host", version: "1" },
    able ? { openLinks: {}, serverTools: {} } : {},
    { hostContext: { theme: "light" } },
  );
  const ready = new Promise<void>((resolve) => bridge.oninitialized = () => resolve());
  const transport = {
    onmessage: undefined as ((message: JSONRPCMessage) => void) | undefined,
    start: () => Promise.resolve(),
    send: async (message: JSONRPCMessage) =>
      void await page.evaluate(`postToCard(${JSON.stringify(JSON.stringify(message))})`),
    close: () => Promise.resolve(),
  };
  const heard = (text: string) => transport.onmessage?.(JSON.parse(text));
  await page.exposeFunction("heardFromCard", heard);
  await page.goto("https://host.example/");
  await bridge.connect(transport as Parameters<AppBridge["connect"]>[0]);
  await page.evaluate(`frame.src = "https://card.example/"`);
  await ready;
  return {
    card: page.frames().find((frame) => frame.url() === "https://card.example/")!,
    bridge,
    client,
    /** Answers every request with an error from now on. */
    fail: () => void (down = true),
    /** Looks up a carrier as the model would, and passes the result to the card as a host does. */
    async show(dot: string): Promise<void> {
      const result = await client.callTool({ name: "lookup_carrier", arguments: { dot } });
      await bridge.sendToolInput({ arguments: { dot } });
      await bridge.sendToolResult(result as Parameters<typeof bridge.sendToolResult>[0]);
    },
    async [Symbol.asyncDispose]() {
      await bridge.close();
      await client.close();
      await page.close();
      assert.deepEqual(complaints, []);
    },
  };
}

type Host = Awaited<ReturnType<typeof openCard>>;

Deno.test("the card is one file of at most 12 KB that loads nothing else", async () => {
  const card = await Deno.readTextFile(new URL("../../mcp/card.html", import.meta.url));
  assert.ok(new TextEncoder().encode(card).length <= 12 * 1024);
  assert.doesNotMatch(card, /<(?:link|img|iframe)|src=|@import|url\(|fetch\(|innerHTML|\beval\b/);
});

/** What a screen reader reads in the card, in order. */
const READ = [
  'article "SOME CARRIER"',
  'heading "SOME CARRIER" [level=1]',
  "paragraph: AKRON, OH",
  'definition: "295017"',
  'heading "Rated Conditional (and 1 more)" [level=2]',
  'list "Rated Conditional (and 1 more)"',
  "USDOT number OK",
  "MCS-150 update OK",
  "Operating authority Info",
  "Safety rating Review",
  "Out-of-service rates Review",
  "UCR fee Info",
  "FMCSA census of Oct 3, 2026",
  'link "Carrier page"',
  'button "Refresh"',
];

const STEPS: Record<string, (host: Host) => Promise<void>> = {
  async "it shows the carrier and its six checks, and opens the page and refreshes through the host"(
    { card, bridge, show },
  ) {
    await show("295017");
    await card.locator("h1", { hasText: "SOME CARRIER" }).waitFor();
    const snapshot = await card.locator("main").ariaSnapshot();
    let at = 0;
    for (const text of READ) {
      const found = snapshot.indexOf(text, at);
      assert.ok(found >= 0, `${text} is not in its place in\n${snapshot}`);
      at = found + text.length;
    }
    const detail = card.getByText("review found inadequate safety controls");
    assert.equal(await detail.isVisible(), false);
    await card.locator("summary", { hasText: "Safety rating" }).press("Enter");
    assert.equal(await detail.isVisible(), true);
    const basis = card.getByText("Company Census File; 49 CFR part 385", { exact: true });
    assert.equal(await basis.isVisible(), true);
    const opened = new Promise<string>((resolve) => {
      bridge.onopenlink = ({ url }) => Promise.resolve((resolve(url), {}));
    });
    await card.getByRole("link").click();
    assert.equal(await opened, "https://carriers.example/carriers/295017");
    await card.evaluate("document.querySelector('h1').textContent = 'stale'");
    await card.getByRole("button").click();
    await card.getByRole("status").getByText("Up to date").waitFor();
    assert.equal(await card.locator("h1").textContent(), "SOME CARRIER");
    assert.equal(await card.evaluate("document.activeElement.id"), "refresh");
  },

  async "it passes axe at 320 px in the host's themes, and uses the host's colors"(
    { card, bridge, show },
  ) {
    await show("295017");
    await card.locator("summary").first().click();
    const background = "getComputedStyle(document.body).backgroundColor";
    const change = async (context: object): Promise<void> =>
      await bridge.sendHostContextChange(
        context as Parameters<typeof bridge.sendHostContextChange>[0],
      );
    for (const [theme, color] of [["light", "255, 255, 255"], ["dark", "22, 25, 29"]]) {
      await change({ theme });
      await untilScript(card, background, `rgb(${color})`);
      assert.deepEqual(await violations(card), [], theme);
    }
    const width = await card.evaluate("document.documentElement.scrollWidth");
    assert.equal(width, 320, "no sideways scrolling");
    await change({ styles: { variables: { "--color-background-primary": "#123456" } } });
    await untilScript(card, background, "rgb(18, 52, 86)");
  },

  async "it keeps hostile names inert"({ card, bridge, client, show }) {
    await show("666");
    await card.locator("h1", { hasText: "<img src=x" }).waitFor();
    assert.equal(await card.evaluate("window.pwned"), undefined);
    assert.equal(await card.locator("img, b:has-text('AKRON')").count(), 0);
    assert.equal(await card.locator("script").count(), 1);
    const name = await card.locator("h1").textContent();
    assert.equal(name, HOSTILE.legal_name.replace(/\p{C}+/gu, " "));
    const page_url = "javascript:window.pwned=1";
    const { structuredContent } = await client.callTool({
      name: "lookup_carrier",
      arguments: { dot: "666" },
    });
    await bridge.sendToolResult({
      content: [],
      structuredContent: { ...structuredContent as object, page_url },
    });
    await card.locator("#page").waitFor({ state: "hidden" });
    assert.ok(!(await card.content()).includes(page_url));
  },

  async "it shows an error and keeps the data it has"({ card, bridge, show, fail }) {
    const status = card.getByRole("status");
    await bridge.sendToolCancelled({ reason: "user" });
    await status.getByText("The lookup was cancelled").waitFor();
    await show("295017");
    await card.locator("h1").waitFor();
    await show("4");
    await status.getByText("not_found: Cannot find USDOT number 4").waitFor();
    assert.equal(await card.locator("article").isVisible(), false, "the carrier before");
    await show("295017");
    await card.locator("h1").waitFor();
    fail();
    await card.getByRole("button").click();
    await status.getByText("Could not refresh: try again later").waitFor();
    assert.equal(await card.locator("article").isVisible(), true);
    assert.deepEqual(await bridge.teardownResource({}), {});
  },
};

Deno.test(
  { ignore: !hasChromium(), name: "the card in Chromium, in a sandboxed host" },
  async (t) => {
    const browser = await startChromium();
    try {
      for (const [name, work] of Object.entries(STEPS)) {
        await t.step(name, async () => {
          await using host = await openCard(browser);
          await work(host);
        });
      }
      await t.step("it offers no refresh when the host can't call tools", async () => {
        await using host = await openCard(browser, false);
        const { card, show } = host;
        await show("295017");
        await card.locator("h1").waitFor();
        assert.equal(await card.getByRole("button").count(), 0);
        const href = await card.getByRole("link").getAttribute("href");
        assert.equal(href, "https://carriers.example/carriers/295017");
      });
    } finally {
      await browser.close();
    }
  },
);
