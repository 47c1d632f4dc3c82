/**
 * A walk over the whole site: by fetch along every link, and in a browser over every page.
 */

import assert from "node:assert/strict";
import type { BrowserContextOptions, Page } from "playwright-core";
import { ROUTES } from "../../site/site.ts";
import { hasChromium, startChromium, violations } from "../chromium.ts";
import { PAGE_PATHS } from "./app.ts";
import { parse } from "./document.ts";
import { type RunningSite, startSite, withSample } from "./service.ts";

/** Pages of one route to follow at most: carriers lead to carriers without end. */
const MOST_OF_ROUTE = 5;

const ignore = !hasChromium();

/** Each width and each theme once: no colour depends on the width. */
const WINDOWS = [[1200, "light"], [360, "dark"]] as const;

/** Asks as a browser does, each time from another address: what is tested here is not the limit. */
async function visit(site: RunningSite, target: string): Promise<Response> {
  const address = crypto.getRandomValues(new Uint8Array(4)).join(".");
  return await fetch(site.address + target, {
    headers: { Accept: "text/html", "X-Forwarded-For": address },
  });
}

/** The pattern of the page that answers a path. */
function routeOf(path: string): string | undefined {
  return ROUTES.find((route) =>
    new RegExp(`^${route.path.replaceAll(/:\w+/g, "[^/]+")}$`).test(path)
  )?.path;
}

Deno.test("every link of every page leads somewhere, and every asset loads", async () => {
  await withSample(async (folder) => {
    await using site = startSite(folder, { proxyHops: 1 });
    const ids = new Map<string, Set<string>>();
    const fragments: { from: string; path: string; id: string }[] = [];
    const followed = new Set<string>();
    const visits = new Map<string, number>();
    const queue = PAGE_PATHS.map((target) => ({ from: "the routes", target }));
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { from, target } = next;
      const path = target.split("?")[0]!;
      const route = routeOf(path);
      const count = (visits.get(route ?? target) ?? 0) + 1;
      if (followed.has(target) || count > MOST_OF_ROUTE) continue;
      followed.add(target);
      visits.set(route ?? target, count);
      const response = await visit(site, target);
      const text = await response.text();
      // A page that needs an input says so when it is opened without.
      if (from !== "the routes" || ROUTES.find(({ path }) => path === route)?.listed) {
        assert.equal(response.status, 200, `${from} links to ${target}`);
      }
      if (!/^text\/html/.test(response.headers.get("content-type") ?? "")) continue;
      const document = parse(text);
      ids.set(target, new Set([...document.querySelectorAll("[id]")].map(({ id }) => id)));
      const links = [
        ...[...document.querySelectorAll("a[href]")].map((one) => one.getAttribute("href")!),
        ...[...document.querySelectorAll("link[rel=icon], link[rel=canonical], link[rel=manifest]")]
          .map((one) => one.getAttribute("href")!),
        ...[...document.querySelectorAll("[src]")].map((one) => one.getAttribute("src")!),
      ];
      for (const link of links) {
        const url = new URL(link, site.address + target);
        if (url.origin !== site.address) {
          assert.match(url.protocol, /^(?:https|mailto|tel):$/, `${target} links to ${link}`);
          continue;
        }
        const path = url.pathname + url.search;
        if (url.hash !== "") fragments.push({ from: target, path, id: url.hash.slice(1) });
        queue.push({ from: target, target: path });
      }
    }
    for (const { from, path, id } of fragments) {
      const known = ids.get(path);
      if (known === undefined) continue;
      assert.ok(known.has(decodeURIComponent(id)), `${from} links to ${path}#${id}`);
    }
    const sitemap = await (await visit(site, "/sitemap.xml")).text();
    for (const { path, listed } of ROUTES) {
      if (listed) assert.ok(sitemap.includes(`<loc>${site.address}${path}</loc>`), path);
    }
  });
});

Deno.test({
  name:
    "every page stands in a browser: light and dark, narrow and wide, by keyboard, without scripts",
  ignore,
  async fn(t) {
    await withSample(async (folder) => {
      await using site = startSite(folder);
      const browser = await startChromium();
      /** Opens a page in a window of its own; what the console says is a failure. */
      const open = async (
        path: string,
        options: BrowserContextOptions,
        work: (page: Page) => Promise<void>,
      ): Promise<void> => {
        const context = await browser.newContext(options);
        try {
          const page = await context.newPage();
          const said: string[] = [];
          page.on("console", (message) => {
            if (message.type() === "error") said.push(message.text());
          });
          page.on("pageerror", (error) => said.push(String(error)));
          const response = await page.goto(site.address + path, { waitUntil: "load" });
          if (!/^text\/html/.test(response!.headers()["content-type"] ?? "")) return;
          await work(page);
          // A browser tells of any page that is not a 200; that is no fault of the page.
          const faults = said.filter((text) => !/status of 4\d\d/.test(text));
          assert.deepEqual(faults, []);
        } finally {
          await context.close();
        }
      };
      try {
        for (const path of [...PAGE_PATHS, "/no/such/page"]) {
          await t.step(path, async () => {
            const texts: string[] = [];
            await open(path, { reducedMotion: "reduce" }, async (page) => {
              await checkKeyboard(page);
              texts.push(await contentOf(page));
              for (const [width, colorScheme] of WINDOWS) {
                await page.setViewportSize({ width, height: 800 });
                await page.emulateMedia({ colorScheme });
                const wide = await page.evaluate("document.scrollingElement.scrollWidth");
                assert.equal(wide, width, "no sideways scrolling of the page");
                assert.deepEqual(await violations(page), [], `${width} ${colorScheme}`);
              }
            });
            await open(path, { javaScriptEnabled: false }, async (page) => {
              texts.push(await contentOf(page));
            });
            const [scripted = "", plain = ""] = texts;
            assert.ok(plain.length >= 0.7 * scripted.length, "the content needs no script");
          });
        }
        await t.step("a call of /developers is copied by keyboard", async () => {
          const permissions = ["clipboard-read", "clipboard-write"];
          await open("/developers", { permissions }, async (page) => {
            const button = page.getByRole("button", { name: "Copy" }).first();
            await button.press("Enter");
            await page.getByRole("status").filter({ hasText: "Copied" }).first().waitFor({
              state: "attached",
            });
            const copied = await page.evaluate("navigator.clipboard.readText()");
            assert.equal(copied, await page.locator("[data-copy]").first().textContent());
          });
        });
      } finally {
        await browser.close();
      }
    });
  },
});

/** What {@link FOCUS} finds. */
interface Focus {
  id: string;
  tag: string;
  marked: boolean;
  there: boolean;
}

/** What has the focus, and whether that can be seen. */
const FOCUS = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { width, height, right } = element.getBoundingClientRect();
  return {
    id: element.id || element.className,
    tag: element.outerHTML.slice(0, 80),
    marked: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
    there: width > 0 && height > 0 && right > 0,
  };
})()`;

/** Steps of the Tab key to follow. */
const TABS = 15;

/** The first Tab reaches the skip link, and what has the focus is marked all the way; Enter skips. */
async function checkKeyboard(page: Page): Promise<void> {
  // Where a field has the focus from the beginning, the way leads back from there.
  const step = await page.locator("[autofocus]").count() > 0 ? "Shift+Tab" : "Tab";
  await page.keyboard.press(step);
  for (let i = 0; step !== "Tab" && i < TABS && (await focusOf(page)).id !== "skip"; i++) {
    await page.keyboard.press(step);
  }
  assert.equal((await focusOf(page)).id, "skip");
  for (let i = 0; i < TABS; i++) {
    const focus = await focusOf(page);
    assert.ok(focus.marked && focus.there, `the focus cannot be seen on ${focus.tag}`);
    await page.keyboard.press("Tab");
  }
  await page.locator("a.skip").focus();
  await page.keyboard.press("Enter");
  assert.equal((await focusOf(page)).id, "content");
}

/** The text that a person sees under the heading of the page. */
async function contentOf(page: Page): Promise<string> {
  assert.ok(await page.locator("main h1").isVisible());
  return (await page.locator("main").innerText()).replaceAll(/\s+/g, " ");
}

async function focusOf(page: Page): Promise<Focus> {
  return await page.evaluate(FOCUS) as Focus;
}
