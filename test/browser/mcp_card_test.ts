import assert from "node:assert/strict";
import type { McpEndpoint } from "../../mcp/http.ts";
import { hasChromium, startChromium, untilScript, violations } from "./chromium.ts";
import { type CardHost, type HostOptions, openCard } from "../mcp/card_host.ts";
import { HOSTILE, testMcp } from "../mcp/service.ts";

const CARD = await Deno.readTextFile(new URL("../../mcp/card.html", import.meta.url));

const ignore = !hasChromium();

/** Looks a carrier up as the model would, and hands the card what a host hands it. */
async function show(host: CardHost, dot: string): Promise<void> {
  const result = await host.client.callTool({ name: "lookup_carrier", arguments: { dot } });
  await host.bridge.sendToolInput({ arguments: { dot } });
  await host.bridge.sendToolResult(result as Parameters<CardHost["bridge"]["sendToolResult"]>[0]);
}

/** What a card is put through, in its own host. */
interface Drive extends Partial<HostOptions> {
  name: string;
}

const DRIVES: { drive: Drive; work: (host: CardHost) => Promise<void> }[] = [];

function drive(drive: Drive, work: (host: CardHost) => Promise<void>): void {
  DRIVES.push({ drive, work });
}

Deno.test("the card is one file of at most 12 KB that needs nothing else", () => {
  assert.ok(new TextEncoder().encode(CARD).length <= 12 * 1024);
  assert.doesNotMatch(CARD, /<(?:link|img|iframe)|src=|@import|url\(|fetch\(|innerHTML|\beval\b/);
});

drive({ name: "the card shows who the carrier is and its six checks" }, async (host) => {
  await show(host, "295017");
  const { card } = host;
  await card.locator("h1", { hasText: "SOME CARRIER" }).waitFor();
  // What a screen reader reads, in order.
  const snapshot = await card.locator("main").ariaSnapshot();
  const expected = [
    'article "SOME CARRIER"',
    'heading "SOME CARRIER" [level=1]',
    "paragraph: AKRON, OH",
    'definition: "295017"',
    'heading "Rated Conditional (and 1 more)" [level=2]',
    'list "Rated Conditional (and 1 more)"',
    "USDOT number OK",
    "MCS-150 update OK",
    "Operating authority Not enough data",
    "Safety rating Review",
    "Out-of-service rates Review",
    "UCR fee Not enough data",
    "FMCSA census of Oct 3, 2026",
    'link "Carrier page"',
    'button "Refresh"',
  ];
  let at = 0;
  for (const text of expected) {
    const found = snapshot.indexOf(text, at);
    assert.ok(found >= 0, `${text} is not in its place in\n${snapshot}`);
    at = found + text.length;
  }
  assert.equal(await card.getByText("review found inadequate safety controls").isVisible(), false);
  await card.locator("summary", { hasText: "Safety rating" }).press("Enter");
  assert.equal(await card.getByText("review found inadequate safety controls").isVisible(), true);
});

for (const theme of ["light", "dark"] as const) {
  drive(
    { name: `the card passes axe, wide and narrow, in the ${theme}`, theme, width: 320 },
    async (host) => {
      await show(host, "295017");
      await host.card.locator("summary").first().click();
      assert.deepEqual(await violations(host.card), []);
      const wide = await host.card.evaluate("document.documentElement.scrollWidth");
      assert.equal(wide, 320, "no sideways scrolling");
    },
  );
}

drive(
  { name: "the card follows the host's theme and colours as they change", theme: "light" },
  async ({ bridge, card }) => {
    const background = "getComputedStyle(document.body).backgroundColor";
    assert.equal(await card.evaluate(background), "rgb(255, 255, 255)");
    await bridge.sendHostContextChange({ theme: "dark" });
    await untilScript(card, background, "rgb(22, 25, 29)");
    await bridge.sendHostContextChange(
      {
        styles: { variables: { "--color-background-primary": "#123456" } },
      } as Parameters<typeof bridge.sendHostContextChange>[0],
    );
    await untilScript(card, background, "rgb(18, 52, 86)");
  },
);

drive({ name: "the card keeps hostile names inert" }, async (host) => {
  await show(host, "666");
  const { card } = host;
  await card.locator("h1", { hasText: "<img src=x" }).waitFor();
  assert.equal(await card.evaluate("window.pwned"), undefined);
  assert.equal(await card.locator("img, b:has-text('AKRON')").count(), 0);
  assert.equal(await card.locator("script").count(), 1);
  const name = await card.locator("h1").textContent();
  assert.equal(name, HOSTILE.legal_name.replace(/\p{C}+/gu, " "));
  const script = "javascript:window.pwned=1";
  const { structuredContent } = await host.client.callTool({
    name: "lookup_carrier",
    arguments: { dot: "666" },
  });
  await host.bridge.sendToolResult({
    content: [],
    structuredContent: { ...structuredContent as object, page_url: script },
  });
  await card.locator("#page").waitFor({ state: "hidden" });
  assert.ok(!(await card.content()).includes(script));
});

drive({ name: "the card opens the page and refreshes through the host" }, async (host) => {
  await show(host, "295017");
  const { card } = host;
  const opened = new Promise<string>((resolve) => {
    host.bridge.onopenlink = ({ url }) => Promise.resolve((resolve(url), {}));
  });
  await card.getByRole("link").click();
  assert.equal(await opened, "https://carriers.example/carriers/295017");
  await card.evaluate("document.querySelector('h1').textContent = 'stale'");
  await card.getByRole("button").click();
  await card.getByRole("status").getByText("Up to date").waitFor();
  assert.equal(await card.locator("h1").textContent(), "SOME CARRIER");
  assert.equal(await card.evaluate("document.activeElement.id"), "refresh");
});

{
  const { endpoint } = testMcp();
  let down = false;
  const failing: McpEndpoint = (request) =>
    down ? Promise.resolve(new Response(null, { status: 500 })) : endpoint(request);
  const name = "the card says what went wrong and keeps what it has";
  drive({ name, endpoint: failing }, async (host) => {
    const { card, bridge } = host;
    await bridge.sendToolCancelled({ reason: "user" });
    await card.getByRole("status").getByText("The lookup was cancelled").waitFor();
    await show(host, "295017");
    await card.locator("h1").waitFor();
    await show(host, "4");
    await card.getByRole("status").getByText("not_found: Cannot find USDOT number 4").waitFor();
    assert.equal(await card.locator("article").isVisible(), false, "the carrier before");
    await show(host, "295017");
    await card.locator("h1").waitFor();
    down = true;
    await card.getByRole("button").click();
    await card.getByRole("status").getByText("Could not refresh: try again later").waitFor();
    assert.equal(await card.locator("article").isVisible(), true);
    assert.deepEqual(await bridge.teardownResource({}), {});
  });
}

drive(
  { name: "the card offers no refresh where the host calls no tools", able: false },
  async (host) => {
    await show(host, "295017");
    await host.card.locator("h1").waitFor();
    assert.equal(await host.card.getByRole("button").count(), 0);
    assert.equal(
      await host.card.getByRole("link").getAttribute("href"),
      "https://carriers.example/carriers/295017",
    );
  },
);

Deno.test({ ignore, name: "the card in Chromium, in a sandboxed host" }, async (t) => {
  const browser = await startChromium();
  try {
    for (const { drive: { name, ...options }, work } of DRIVES) {
      await t.step(name, async () => {
        await using host = await openCard({ browser, endpoint: testMcp().endpoint, ...options });
        await work(host);
        assert.deepEqual(host.complaints, []);
      });
    }
  } finally {
    await browser.close();
  }
});
