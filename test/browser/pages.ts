/**
 * Every page in a browser: accessible, without sideways scrolling, usable by keyboard, in print, and
 * without scripts.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { PAGE_PATHS } from "../site/app.ts";
import { violations } from "./chromium.ts";
import { checkLooks, type Steps } from "./drive.ts";

/** States of pages that their bare paths don't show. */
const MORE_PATHS = [
  "/no/such/page",
  "/search?q=transport",
  "/search?q=zzzzqqqq",
  "/carriers/90010028",
  "/carriers/90010002?mc=1",
  "/mcs150?dot=286764&filed=2020-01-01",
  "/ucr?vehicles=4",
];

const PATHS = [
  ...PAGE_PATHS.filter((path) => !/\.\w+$|^\/suggest/.test(path)),
  ...MORE_PATHS,
];

/** Letter paper within the margins that browsers leave. */
const PAPER = { width: 720, height: 960 };

/** The steps. */
export const PAGE_STEPS: Steps = {
  async "every page is accessible in light and dark, fits 360 px, and needs no script"({ open }) {
    const page = await open("/");
    const plain = await open("/", { javaScriptEnabled: false });
    for (const path of PATHS) {
      await page.goto(new URL(path, page.url()).href);
      const text = await contentOf(page);
      await checkLooks(page, path);
      await plain.goto(page.url());
      assert.ok((await contentOf(plain)).length >= 0.7 * text.length, `${path} needs a script`);
    }
  },

  async "every page is used by keyboard: skip link first, focus always visible"({ open }) {
    const page = await open("/");
    for (const path of PAGE_PATHS.filter((path) => PATHS.includes(path))) {
      await page.goto(new URL(path, page.url()).href);
      await checkKeyboard(page);
    }
  },

  async "the top of a carrier's page fits one screen, and all of it is accessible when opened"(
    { open },
  ) {
    for (const dot of ["90002206", "90003264", "90002696"]) {
      const page = await open(`/carriers/${dot}`, { viewport: { width: 1280, height: 900 } });
      for (const part of [".chips", ".verdict", ".checks", ".charts"]) {
        const bottom = await page.evaluate(
          `document.querySelector("${part}").getBoundingClientRect().bottom`,
        ) as number;
        assert.ok(bottom <= 900, `${dot}: ${part} ends at ${bottom}`);
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
    for (const dot of ["286764", "90002206", "90002696"]) {
      await page.goto(new URL(`/carriers/${dot}/record`, page.url()).href);
      const pdf = (await page.pdf({ format: "Letter" })).toString("latin1");
      assert.equal(pdf.match(/\/Type \/Page\b/g)!.length, 1, dot);
    }
  },

  async "a call of /developers is copied by keyboard"({ open }) {
    const page = await open("/developers", { permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByRole("button", { name: "Copy" }).first().press("Enter");
    await page.getByRole("status").filter({ hasText: "Copied" }).first().waitFor({
      state: "attached",
    });
    const copied = await page.evaluate("navigator.clipboard.readText()");
    assert.equal(copied, await page.locator(".code:has([data-copy]) pre").first().textContent());
  },
};

interface Focus {
  id: string;
  tag: string;
  marked: boolean;
  there: boolean;
}

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

/** Checks that the first Tab reaches the skip link, that focus stays visible, and that Enter skips. */
async function checkKeyboard(page: Page): Promise<void> {
  // From an autofocused field the skip link is backwards.
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

async function contentOf(page: Page): Promise<string> {
  assert.ok(await page.locator("main h1").isVisible());
  return (await page.locator("main").innerText()).replaceAll(/\s+/g, " ");
}

async function focusOf(page: Page): Promise<Focus> {
  return await page.evaluate(FOCUS) as Focus;
}
