/**
 * Searching and looking up in a browser: by keyboard, by pointer, without scripts, and by in-page tools.
 *
 * @module
 */

import assert from "node:assert/strict";
import { PAGE_TOOLS } from "../../site/assets/webmcp_tools.ts";
import { untilScript, violations } from "./chromium.ts";
import type { Steps } from "./drive.ts";

/** The steps. */
export const SEARCH_STEPS: Steps = {
  async "a name typed leads to the carrier, why, and its vetting record, by keyboard only"(
    { open },
  ) {
    const page = await open("/");
    await page.keyboard.type("general transport akron");
    await page.keyboard.press("Enter");
    const link = page.getByRole("link", { name: "GENERAL TRANSPORT INC" });
    await link.waitFor();
    const focused = async (): Promise<boolean> =>
      await page.evaluate("document.activeElement.textContent") === "GENERAL TRANSPORT INC";
    for (let n = 0; n < 20 && !await focused(); n++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "GENERAL TRANSPORT INC" }).waitFor();
    await page.locator("summary", { hasText: "Operating authority" }).press("Enter");
    await page.getByText("Docket status isn't operating authority").first().waitFor();
    await page.getByRole("link", { name: "Save vetting record" }).press("Enter");
    await page.getByRole("heading", { name: /^Vetting record: GENERAL/ }).waitFor();
    await page.getByRole("button", { name: "Print" }).waitFor();
  },

  async "without JavaScript the same, by mouse"({ open }) {
    const page = await open("/", { javaScriptEnabled: false });
    await page.getByRole("searchbox").fill("general transport akron");
    await page.getByRole("button", { name: "Look up" }).click();
    await page.getByRole("link", { name: "GENERAL TRANSPORT INC" }).click();
    await page.getByRole("heading", { name: /^No issues found; \d of 6 checks have no data/ })
      .waitFor();
    await page.locator("summary", { hasText: "MCS-150 update" }).click();
    await page.locator("#mcs150").getByText("Source: Company Census File").waitFor();
    await page.getByRole("link", { name: "Save vetting record" }).click();
    await page.getByRole("heading", { name: /^Vetting record: GENERAL/ }).waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("link", { name: "Save as text" }).click();
    const day = "2026-10-05";
    assert.equal((await saved).suggestedFilename(), `vetting-record-usdot-286764-${day}.txt`);
  },

  async "suggestions are chosen by keyboard"({ open }) {
    const page = await open("/");
    const box = page.getByRole("combobox");
    assert.equal(await box.getAttribute("aria-expanded"), "false");
    await page.keyboard.insertText("shared dock");
    const options = page.getByRole("option");
    await options.first().waitFor();
    assert.equal(await box.getAttribute("aria-expanded"), "true");
    await page.keyboard.press("Escape");
    assert.equal(await page.getByRole("listbox").isVisible(), false);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const marked = page.locator(`#${await box.getAttribute("aria-activedescendant")}`);
    assert.equal(await marked.getAttribute("aria-selected"), "true");
    assert.deepEqual(await violations(page), []);
    const name = await marked.locator("bdi").innerText();
    assert.equal(name, await options.nth(1).locator("bdi").innerText());
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name }).waitFor();
  },

  async "suggestions are chosen by pointer, in the head of a page too"({ open }) {
    const page = await open("/carriers/286764", { viewport: { width: 360, height: 700 } });
    await page.getByRole("combobox").pressSequentially("<script>");
    const option = page.getByRole("option", { name: "<script>alert(1)</script> FREIGHT" });
    await option.waitFor();
    assert.deepEqual(await violations(page), []);
    await option.click();
    await page.getByRole("heading", { level: 1, name: "<script>alert(1)</script>" }).waitFor();
  },

  async "an older question is given up for a newer one"({ open }) {
    const page = await open("/");
    // Never answered: only giving it up ends it.
    await page.route(/suggest\?q=blank$/, () => {});
    const asked = page.waitForRequest(/suggest\?q=blank$/);
    await page.keyboard.insertText("blank");
    await asked;
    const givenUp = page.waitForEvent(
      "requestfailed",
      (request) => request.url().endsWith("blank"),
    );
    await page.keyboard.insertText(" drivers");
    await givenUp;
    await page.getByRole("option", { name: "BLANK DRIVERS LLC" }).waitFor();
  },

  async "suggestions that were dismissed stay away"({ open }) {
    const page = await open("/");
    let release = (): void => {};
    const blocked = new Promise<void>((resolve) => release = resolve);
    await page.route(/suggest\?q=blank$/, async (route) => {
      await blocked;
      await route.continue().catch(() => {});
    });
    const asked = page.waitForRequest(/suggest\?q=blank$/);
    await page.keyboard.insertText("blank");
    await asked;
    // On a slow line the answer came after Escape and opened the list again.
    const givenUp = page.waitForEvent("requestfailed");
    await page.keyboard.press("Escape");
    await givenUp;
    release();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /carriers? found$/ }).waitFor();
  },

  async "a dated vetting record is copied"({ open, address }) {
    const page = await open("/carriers/286764/record", {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.getByRole("button", { name: "Copy as text" }).press("Enter");
    await page.getByRole("status").getByText("Copied").waitFor();
    const text = await page.evaluate("navigator.clipboard.readText()") as string;
    assert.match(text, /^Looked up: 2026-10-05T16:\d\d:\d\dZ/m);
    assert.ok(text.includes(`Page: ${address}/carriers/286764`));
  },

  async "the numbers and the link of a carrier are copied"({ open, address }) {
    const page = await open("/carriers/286764", {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    for (
      const [name, text] of [
        ["Copy USDOT number", "286764"],
        ["Copy MC number", "MC 186800"],
        ["Copy the link to this page", `${address}/carriers/286764`],
      ] as const
    ) {
      await page.getByRole("button", { name }).press("Enter");
      await page.getByRole("status").filter({ hasText: "Copied" }).waitFor({ state: "attached" });
      assert.equal(await page.evaluate("navigator.clipboard.readText()"), text);
    }
  },

  async "the key / goes to the search box, and types itself there"({ open }) {
    const page = await open("/about");
    await page.keyboard.press("/");
    await page.keyboard.type("a/b");
    assert.equal(await page.getByRole("combobox").inputValue(), "a/b");
  },

  async "recent lookups are listed on the home page until they are cleared"({ open }) {
    const page = await open("/carriers/286764");
    await page.goto(new URL("/", page.url()).href);
    const recent = page.getByRole("region", { name: "Recent lookups" });
    await recent.getByRole("link", { name: "GENERAL TRANSPORT INC" }).waitFor();
    assert.deepEqual(await violations(page), []);
    await recent.getByRole("button", { name: "Clear" }).click();
    assert.equal(await recent.isVisible(), false);
    await page.reload();
    assert.equal(await page.getByRole("region", { name: "Recent lookups" }).isVisible(), false);
  },

  async "in-page tools answer what the API answers, and go where they may"({ open, expected }) {
    expected.push(/status of 404/);
    const page = await open("/about");
    assert.deepEqual(
      (await page.webmcp.tools()).map(({ name }) => name).toSorted(),
      PAGE_TOOLS.map(({ name }) => name).toSorted(),
    );
    // deno-lint-ignore no-explicit-any -- answers of the API, checked elsewhere
    const tool = (name: string, input: any): Promise<any> =>
      page.webmcp.callTool(name, input) as Promise<unknown>;
    const carrier = await tool("check_dot_number", { dot_number: "286764" });
    assert.deepEqual([carrier.name, carrier.checks.length], ["GENERAL TRANSPORT INC", 6]);
    assert.equal((await tool("check_dot_number", { dot_number: "4" })).error.code, "not_found");
    const found = await tool("search_carriers", { q: "general transport akron", limit: 3 });
    assert.equal(found.results[0].dot, "286764");
    assert.equal((await tool("mcs150_due_date", { dot: "1234567" })).month, "July");
    assert.equal((await tool("ucr_fee", { vehicles: 4, year: 2026 })).fee_usd, 138);
    assert.match(await tool("get_pricing", {}), /^# Pricing/);
    const refused = await tool("navigate_to_page", { path: "//example.org/" });
    assert.equal(refused.error.code, "invalid_path");
    assert.deepEqual(await tool("navigate_to_page", { path: "/carriers/286764" }), {
      navigating_to: "/carriers/286764",
    });
    await page.waitForURL("**/carriers/286764");
  },

  async "in-page tools take the older entry point, and do without any"({ open }) {
    const page = await open("/about");
    await page.addInitScript(
      "Object.defineProperty(document, 'modelContext', { value: undefined })",
    );
    await page.goto(new URL("/", page.url()).href);
    await page.getByRole("combobox").waitFor();
    await page.addInitScript(`window.registered = [];
      Object.defineProperty(navigator, "modelContext", {
        value: { registerTool(tool) { registered.push(tool.name); throw new Error("refused"); } },
      })`);
    await page.reload();
    await untilScript(page, "registered.length", 6);
  },
};
