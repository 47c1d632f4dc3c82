/**
 * Tasks of a stranger, by keyboard and by mouse: find and compare carriers, read why, use the guide.
 *
 * @module
 */

import assert from "node:assert/strict";
import { checkLooks, NARROW, type Steps } from "./drive.ts";

/** The steps. */
export const TASK_STEPS: Steps = {
  async "a carrier is found by name and compared with its namesake, by keyboard only"({ open }) {
    const page = await open("/");
    await page.getByRole("combobox").first().focus();
    await page.keyboard.type("inactive plain freight");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "2 carriers found" }).waitFor();
    await page.getByRole("checkbox", { name: "Compare USDOT 90010002" }).press("Space");
    await page.getByRole("checkbox", { name: "Compare USDOT 90010001" }).press("Space");
    await page.getByRole("button", { name: "Compare selected" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Compare 2 carriers" }).waitFor();
    const status = page.getByRole("row", { name: /^USDOT number/ });
    assert.match(await status.innerText(), /differs[^]*(?:Problem|OK)[^]*Inactive/);
  },

  async "a shared MC number is named, and its holders are compared by mouse at 360 px"({ open }) {
    const page = await open("/", { viewport: NARROW, javaScriptEnabled: false });
    await page.getByRole("searchbox").first().fill("MC 9800004");
    await page.getByRole("button", { name: "Look up" }).first().click();
    await page.getByRole("heading", { level: 1, name: "MC 9800004 is shared by 3 carriers" })
      .waitFor();
    await page.getByRole("link", { name: "Compare them" }).click();
    await page.getByRole("heading", { level: 1, name: "Compare 3 carriers" }).waitFor();
    assert.ok(await page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"));
    // Why: the reason is beside the verdict, and the carrier's page has the rest.
    await page.getByRole("link", { name: /SHARED DOCKET INACTIVE/ }).click();
    await page.getByRole("heading", { level: 1, name: /SHARED DOCKET INACTIVE/i }).waitFor();
  },

  async "a comparison of four is accessible, fits 360 px, and prints without its form"({ open }) {
    const page = await open("/compare?dot=286764&dot=90000193&dot=295017&dot=90010002");
    await checkLooks(page, "a comparison");
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator("main form").isVisible(), false);
    assert.ok(await page.getByRole("table").isVisible());
    await page.emulateMedia({ media: "screen", forcedColors: "active" });
    assert.ok(await page.getByText("differs", { exact: true }).first().isVisible());
  },

  async "the guide for developers shows one language at a time, without scripts, its contents in view"(
    { open },
  ) {
    const page = await open("/developers", { javaScriptEnabled: false });
    const shown = (language: string) => page.locator(`[data-language=${language}]:visible`);
    assert.deepEqual([await shown("ts").count(), await shown("python").count()], [0, 0]);
    await page.getByRole("radio", { name: "curl" }).focus();
    await page.keyboard.press("ArrowRight");
    assert.deepEqual([await shown("ts").count(), await shown("python").count()], [2, 0]);
    await page.getByRole("radio", { name: "Python" }).check();
    assert.deepEqual([await shown("ts").count(), await shown("python").count()], [0, 2]);
    await page.getByRole("link", { name: "Errors", exact: true }).click();
    assert.ok(await page.getByText("invalid_dot_number").isVisible());
    const contents = (await page.getByRole("navigation", { name: "On this page" }).boundingBox())!;
    assert.ok(contents.y >= 0 && contents.y < 300, "the contents stay in view");
    await page.getByRole("link", { name: "For agents" }).click();
    await page.waitForURL("**/agents.md");
  },
};
