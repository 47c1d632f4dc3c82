/**
 * Tests that drive the whole site in Chromium, step by step. Any console message of a page fails its step.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { BrowserContextOptions, Page } from "playwright-core";
import { SmtpMailer } from "../../api/alerts/smtp_mailer.ts";
import { startServer, type TestServer } from "../api/alerts/smtp_server.ts";
import { startSite } from "../site/app.ts";
import { builtSample } from "../pipeline/sample/built_sample.ts";
import { hasChromium, startChromium, violations } from "./chromium.ts";

/** What a step can use. */
interface Drive {
  address: string;
  /** The folder of the served snapshot. */
  folder: string;
  mails: TestServer["mails"];
  /** Opens a page in its own context. */
  open(target: string, options?: BrowserContextOptions): Promise<Page>;
}

export const WIDE = { width: 1200, height: 900 };
export const NARROW = { width: 360, height: 780 };
export const NO_SCRIPTS = { javaScriptEnabled: false };

/** Waits for a page with this first heading. */
export async function reads(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

/**
 * Waits until a page that focuses a field by itself has done so. Chromium does it when it first renders, on a busy
 * machine after the load event; keys pressed earlier would be lost.
 */
export async function focusesItself(page: Page): Promise<void> {
  if (await page.locator("[autofocus]").count() === 0) return;
  await page.locator("[autofocus]:focus").waitFor();
}

/** Checks that axe finds nothing and that the page doesn't scroll sideways. Colors don't depend on the width. */
export async function checkLooks(page: Page, where: string): Promise<void> {
  for (const [size, colorScheme] of [[WIDE, "light"], [NARROW, "dark"]] as const) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    assert.deepEqual(await violations(page), [], `${where}, ${colorScheme}, ${size.width}`);
    const width = await page.evaluate("document.scrollingElement.scrollWidth") as number;
    assert.ok(width <= size.width, `${where} scrolls sideways at ${size.width}: ${width}`);
  }
}

/** Defines a test of the site over the sample, with a mail server; each step has its own contexts. */
export function siteTest(name: string, steps: Record<string, (drive: Drive) => Promise<void>>) {
  Deno.test({ name, ignore: !hasChromium() }, async (t) => {
    const server = await startServer();
    const from = { name: "", address: "alerts@carriers.example" };
    const mailer = new SmtpMailer({ url: `smtp://127.0.0.1:${server.port}`, from });
    const browser = await startChromium(["--enable-features=WebMCP"]);
    try {
      const folder = await builtSample();
      await using site = startSite(folder, { mailer, proxyHops: 1 });
      for (const [name, step] of Object.entries(steps)) {
        await t.step(name, async () => {
          const errors: string[] = [];
          const pages: Page[] = [];
          const open: Drive["open"] = async (target, options) => {
            // Its own network address: the rate limit is tested elsewhere.
            const client = crypto.getRandomValues(new Uint8Array(4)).join(".");
            const extraHTTPHeaders = { "X-Forwarded-For": client };
            const page = await browser.newPage({ viewport: WIDE, extraHTTPHeaders, ...options });
            pages.push(page);
            page.on("pageerror", (error) => errors.push(String(error)));
            page.on("console", (message) => {
              if (["error", "warning"].includes(message.type())) errors.push(message.text());
            });
            await page.goto(new URL(target, site.address).href);
            await focusesItself(page);
            return page;
          };
          try {
            await step({ address: site.address, folder, mails: server.mails, open });
          } finally {
            for (const page of pages) await page.close();
          }
          assert.deepEqual(errors.filter((text) => !/status of 4\d\d/.test(text)), []);
        });
      }
      for (const line of site.logged) assert.match(line, /^Emails: \d sent$/);
    } finally {
      await browser.close();
      await mailer.close();
      await server.close();
    }
  });
}
