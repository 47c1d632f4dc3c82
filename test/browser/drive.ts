/**
 * What the steps of the browser test share: pages whose console must stay quiet, and how they must look.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Taken } from "../api/alerts/smtp_server.ts";
import { violations } from "./chromium.ts";

/** What a step works with. */
interface Drive {
  address: string;
  browser: Browser;
  /** The snapshot that is served. */
  folder: string;
  /** Emails sent so far. */
  mails: readonly Taken[];
  /** Console errors that the step expects. */
  expected: RegExp[];
  /** Opens a page in its own context; errors on its console fail the step. */
  open(target: string, options?: BrowserContextOptions): Promise<Page>;
}

/** Steps of the browser test by name. */
export type Steps = Record<string, (drive: Drive) => Promise<void>>;

export const WIDE = { width: 1200, height: 900 };
export const NARROW = { width: 360, height: 780 };

/** Each width and each theme once: no color depends on the width. */
const LOOKS = [[WIDE, "light"], [NARROW, "dark"]] as const;

/** Checks that axe finds nothing and that the page doesn't scroll sideways. */
export async function checkLooks(page: Page, where: string): Promise<void> {
  for (const [size, colorScheme] of LOOKS) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    assert.deepEqual(await violations(page), [], `${where}, ${colorScheme}, ${size.width}`);
    const width = await page.evaluate("document.scrollingElement.scrollWidth") as number;
    assert.ok(width <= size.width, `${where} scrolls sideways at ${size.width}: ${width}`);
  }
}

/** Runs steps, each with its own contexts. */
export async function runSteps(
  t: Deno.TestContext,
  steps: Steps,
  world: Pick<Drive, "address" | "browser" | "folder" | "mails">,
): Promise<void> {
  for (const [name, step] of Object.entries(steps)) {
    await t.step(name, async () => {
      const errors: string[] = [];
      const expected: RegExp[] = [/status of 4\d\d/];
      const pages: Page[] = [];
      const open: Drive["open"] = async (target, options) => {
        // Its own network address: the rate limit is tested elsewhere.
        const client = crypto.getRandomValues(new Uint8Array(4)).join(".");
        const extraHTTPHeaders = { "X-Forwarded-For": client };
        const page = await world.browser.newPage({ viewport: WIDE, extraHTTPHeaders, ...options });
        pages.push(page);
        page.on("pageerror", (error) => errors.push(String(error)));
        page.on("console", (message) => {
          if (["error", "warning"].includes(message.type())) errors.push(message.text());
        });
        await page.goto(new URL(target, world.address).href);
        return page;
      };
      try {
        await step({ ...world, expected, open });
      } finally {
        for (const page of pages) await page.close();
      }
      const others = errors.filter((text) => !expected.some((one) => one.test(text)));
      assert.deepEqual(others, []);
    });
  }
}
