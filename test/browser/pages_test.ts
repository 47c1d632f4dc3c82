/** Every page in a browser: accessible, without sideways scrolling, by keyboard, in print, without scripts. */

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { PAGE_PATHS } from "../site/app.ts";
import { parse } from "../site/document.ts";
import { untilScript, violations } from "./chromium.ts";
import { checkLooks, focusesItself, NARROW, siteTest, WIDE } from "./drive.ts";

/** States of pages that their bare paths don't show. */
const MORE_PATHS = [
  "/no/such/page",
  "/search?q=transport",
  "/search?q=shared+docket&status=active",
  "/search?q=zzqqxy+transport",
  "/search?q=zzzzqqqq",
  "/carriers/90010028",
  "/carriers/90010002?mc=1",
  "/carriers/90010775",
  "/carriers/90010775?as_of=2026-10-01",
  "/carriers/90010775?as_of=2026-09-01",
  "/carriers/90010775/record?as_of=2026-10-02",
  "/carriers/90010778",
  "/mcs150?dot=286764&filed=2020-01-01",
  "/ucr?vehicles=4",
];

const PATHS = PAGE_PATHS.filter((path) => !/\.\w+$|^\/suggest/.test(path));

/** Letter paper within the usual margins of browsers. */
const PAPER = { width: 720, height: 960 };

siteTest("every page in Chromium", {
  async "is accessible in light and dark, fits 360 px, works by keyboard, and needs no script"(
    { open },
  ) {
    const page = await open("/");
    for (const path of [...PATHS, ...MORE_PATHS]) {
      await page.setViewportSize(WIDE);
      const response = await page.goto(new URL(path, page.url()).href);
      assert.ok(await page.locator("main h1").isVisible(), path);
      const shown = await page.locator("main").textContent();
      const sent = parse(await response!.text()).querySelector("main")!.textContent;
      assert.ok(sent.length >= 0.7 * shown!.length, `${path} needs a script`);
      if (PATHS.includes(path)) await checkKeyboard(page);
      await checkLooks(page, path);
    }
  },

  // The worst case of each page: its font and scripts arrive after the first paint, and the font is shown however late
  // it is. With font-display: optional it is shown only within 100 ms, so some runs saw no shift.
  async "has a layout shift of at most 0.05 on a first visit, when its font and scripts arrive after the first paint"(
    { open, address },
  ) {
    for (const viewport of [{ width: 1280, height: 900 }, NARROW]) {
      const page = await open("/", { viewport });
      await page.addInitScript(WATCH_SHIFTS);
      await page.route(/\.css$/, async (route) => {
        const response = await route.fetch();
        const css = await response.text();
        assert.match(css, /font-display: ?optional/);
        await route.fulfill({ response, body: css.replace(/(font-display: ?)optional/, "$1swap") });
      });
      for (const path of [...PATHS, ...MORE_PATHS]) {
        const painted = Promise.withResolvers<void>();
        await page.route(/\.(?:woff2|js)$/, async (route) => {
          await painted.promise;
          await route.continue();
        });
        // As on a first visit, each time.
        await page.goto("about:blank");
        await page.goto(new URL(path, address).href, { waitUntil: "commit" });
        await afterPaint(page);
        painted.resolve();
        await page.waitForLoadState("load");
        await page.evaluate("document.fonts.ready.then(() => 0)");
        await checkShifts(page, `${path} at ${viewport.width}`);
        await page.unroute(/\.(?:woff2|js)$/);
      }
    }
  },

  // On a phone the verdict is shown above the facts, which come before it in the HTML: the facts moved by 0.12 when the
  // first packets ended between the two.
  async "has no such shift when the rest of a carrier's page arrives after the first paint"(
    { open, address },
  ) {
    const whole = await fetch(new URL("/carriers/286764", address));
    const [html, headers] = [await whole.text(), new Headers(whole.headers)];
    headers.delete("content-length");
    headers.delete("content-encoding");
    headers.set("cache-control", "no-store");
    let arriving: { cut: number; rest: Promise<void> };
    await using server = Deno.serve({ port: 0, onListen() {} }, (request) => {
      const { pathname } = new URL(request.url);
      if (!pathname.startsWith("/carriers/")) return fetch(new URL(pathname, address));
      const { cut, rest } = arriving;
      const parts = async function* () {
        yield html.slice(0, cut);
        await rest;
        yield html.slice(cut);
      };
      return new Response(ReadableStream.from(parts()).pipeThrough(new TextEncoderStream()), {
        headers,
      });
    });
    const ends = [...html.matchAll(/<(?:section|dl|details)\b|<div class="actions/g)];
    assert.ok(ends.length > 10);
    const page = await open("/", { viewport: NARROW });
    await page.addInitScript(WATCH_SHIFTS);
    for (const { index } of ends) {
      const painted = Promise.withResolvers<void>();
      arriving = { cut: index, rest: painted.promise };
      await page.goto(`http://127.0.0.1:${server.addr.port}/carriers/286764`, {
        waitUntil: "commit",
      });
      await afterPaint(page);
      painted.resolve();
      await page.waitForLoadState("load");
      await checkShifts(page, `In two parts from ${html.slice(index, index + 30)}`);
    }
  },

  async "the top of a carrier's page fits one screen, and everything is accessible when opened"(
    { open },
  ) {
    for (const dot of ["90002206", "90003264", "90002696"]) {
      const page = await open(`/carriers/${dot}`, { viewport: { width: 1280, height: 900 } });
      // A first visit may show the fallback font.
      await page.evaluate("document.fonts.load('1em Inter').then(() => 0)");
      await page.reload();
      for (const part of [".chips", ".verdict", ".checks", ".charts"]) {
        const { y, height } = (await page.locator(part).first().boundingBox())!;
        assert.ok(y + height <= 900, `${dot}: ${part} ends at ${y + height}`);
      }
      await page.emulateMedia({ forcedColors: "active" });
      await page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)");
      assert.deepEqual(await violations(page), []);
    }
  },

  async "a link to a check opens it"({ open }) {
    const page = await open("/carriers/286764#mcs150");
    assert.ok(await page.getByText("Last MCS-150 filed Jan 23, 2026").isVisible());
  },

  async "a carrier's page prints without navigation, and its record on one page"({ open }) {
    const page = await open("/carriers/286764", { viewport: PAPER });
    await page.emulateMedia({ media: "print" });
    for (const hidden of [".masthead nav", "form", ".actions"]) {
      assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
    }
    assert.ok(await page.getByRole("heading", { name: "Six checks" }).isVisible());
    assert.ok(await page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"));
    for (const path of ["/carriers/90002206", "/compare?dot=286764,90000193,295017,90010002"]) {
      await page.goto(new URL(path, page.url()).href);
      const pdf = (await page.pdf({ format: "Letter" })).toString("latin1");
      assert.equal(pdf.match(/\/Type \/Page\b/g)!.length, 1, path);
    }
    const day = "90010775/record?as_of=2026-10-02";
    for (const dot of ["286764", "90002206", "90002696", "90010775", "90010776"]) {
      await page.goto(new URL(`/carriers/${dot}/record`, page.url()).href);
      const pdf = (await page.pdf({ format: "Letter" })).toString("latin1");
      assert.equal(pdf.match(/\/Type \/Page\b/g)!.length, 1, dot);
    }
    await page.goto(new URL(`/carriers/${day}`, page.url()).href);
    assert.ok(await page.getByText("the record of that day, not today's").isVisible());
  },

  async "a comparison of four is accessible, fits 360 px, and prints without its form"({ open }) {
    const page = await open("/compare?dot=286764&dot=90000193&dot=295017&dot=90010002");
    await checkLooks(page, "a comparison");
    // In dark mode axe misreads a button that is white on black.
    await page.emulateMedia({ forcedColors: "active", colorScheme: "light" });
    assert.deepEqual(await violations(page), []);
    // Gray rows get their color from the system.
    const colors = await page.evaluate(`[".same td", "tr:not(.same) td"].map((selector) =>
      getComputedStyle(document.querySelector("tbody " + selector)).color)`) as string[];
    assert.notEqual(colors[0], colors[1]);
    await page.goto(new URL("/search?q=docket", page.url()).href);
    assert.deepEqual(await violations(page), []);
    await page.goBack();
    await page.emulateMedia({ forcedColors: "none" });
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator("main form").isVisible(), false);
    assert.ok(await page.getByRole("table").isVisible());
    // On the smallest phone the names stay beside the values.
    await page.emulateMedia({ media: "screen" });
    await page.setViewportSize({ width: 320, height: 640 });
    await page.getByRole("rowheader", { name: "Location" }).scrollIntoViewIfNeeded();
    for (const dot of ["286764", "90000193", "295017", "90010002"]) {
      const { y, height } = (await page.locator(`thead a[href="/carriers/${dot}"]`).boundingBox())!;
      assert.ok(y >= 0 && y + height <= 640, `${dot} at ${y}`);
    }
    assert.ok(await page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"));
  },
});

/** Waits until the page is painted. */
const WATCH_SHIFTS = `new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) {
    window.shifted = (window.shifted ?? 0) + value;
    const moved = sources.map(({ node }) => (node?.outerHTML ?? node?.data)?.slice(0, 60));
    (window.moved ??= []).push(moved.join(" "));
  }
}).observe({ type: "layout-shift", buffered: true });`;

async function afterPaint(page: Page): Promise<void> {
  await untilScript(page, 'performance.getEntriesByName("first-contentful-paint").length', 1);
  await twoFrames(page);
}

/** Checks a loaded page that runs `WATCH_SHIFTS`. */
async function checkShifts(page: Page, where: string): Promise<void> {
  await twoFrames(page);
  const shifted = await page.evaluate("window.shifted ?? 0") as number;
  const moved = await page.evaluate("window.moved?.join()");
  assert.ok(shifted <= 0.05, `${where}: ${shifted} of ${moved}`);
}

async function twoFrames(page: Page): Promise<void> {
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
  );
}

/** Elements without a visible focus. */
const UNSEEN = `[...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
  .filter((element) => element.checkVisibility()).flatMap((element) => {
    element.focus();
    if (document.activeElement !== element) return [];
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const { width, height, right } = element.getBoundingClientRect();
    const marked = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
    return marked && width > 0 && height > 0 && right > 0 ? [] : [element.outerHTML.slice(0, 80)];
  })`;

/** Checks that the first Tab reaches the skip link, that focus is always visible, and that Enter skips. */
async function checkKeyboard(page: Page): Promise<void> {
  const focused = (): Promise<unknown> =>
    page.evaluate("document.activeElement.id || document.activeElement.className");
  // From an autofocused field the skip link is reached backward.
  const back = await page.locator("[autofocus]").count() > 0;
  await focusesItself(page);
  for (let i = 0; i < (back ? 15 : 1) && await focused() !== "skip"; i++) {
    await page.keyboard.press(back ? "Shift+Tab" : "Tab");
  }
  assert.equal(await focused(), "skip");
  assert.deepEqual(await page.evaluate(UNSEEN), [], page.url());
  await page.locator("a.skip").focus();
  await page.keyboard.press("Enter");
  assert.equal(await focused(), "content");
}
