/** Carriers with out-of-service orders in a browser: page, record, comparison and list, wide and narrow, light and dark. */

import assert from "node:assert/strict";
import { violations } from "./chromium.ts";
import { checkLooks, NARROW, NO_SCRIPTS, reads, siteTest, WIDE } from "./drive.ts";

/** The headlines of the sample's carriers with orders. */
const HEADLINES: Record<string, RegExp> = {
  90010780:
    /^Inactive; out-of-service order of Aug 13, 2026, no rescission recorded \(and \d more\)$/,
  90010781: /^Out-of-service order of May 6, 2014, no rescission recorded$/,
  90010782: /^No issues in the six checks; 1 fact to look at$/,
  90010783: /^Out-of-service order of Jul 20, 2026, no rescission recorded$/,
  90010784: /^Out-of-service order of Oct 1, 2026, no rescission recorded \(and 1 more\)$/,
  90010785: /^Out-of-service order with unusable dates$/,
  90010786: /^Out-of-service order of Sep 22, 2026, rescission dated Nov 2, 2026$/,
};

const DOTS = Object.keys(HEADLINES);

const LETTER = { format: "Letter" } as const;

siteTest("out-of-service orders in Chromium", {
  async "a page shows the order on its first screen, and is accessible with everything opened"(
    { open },
  ) {
    const page = await open("/");
    for (const [dot, headline] of Object.entries(HEADLINES)) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(new URL(`/carriers/${dot}`, page.url()).href);
      assert.match(await page.locator("#verdict").innerText(), headline);
      for (const part of [".chips", ".verdict", ".checks"]) {
        const { y, height } = (await page.locator(part).first().boundingBox())!;
        assert.ok(y + height <= 900, `${dot}: ${part} ends at ${y + height}`);
      }
      await page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)");
      await checkLooks(page, dot);
      // On the first screen of a phone.
      await page.setViewportSize(NARROW);
      const { y, height } = (await page.locator("#verdict").boundingBox())!;
      assert.ok(y + height <= NARROW.height, `${dot}: the headline ends at ${y + height}`);
      await page.emulateMedia({ forcedColors: "active", colorScheme: "light" });
      assert.deepEqual(await violations(page), [], dot);
      await page.emulateMedia({ forcedColors: "none" });
    }
  },

  async "a link to an order opens the list of orders"({ open }) {
    const page = await open("/carriers/90010784");
    assert.equal(await page.locator("#orders table").isVisible(), false);
    await page.getByRole("link", { name: "rescinded Mar 1, 2019" }).click();
    const rows = await page.locator("#orders tbody tr").allInnerTexts();
    assert.deepEqual(rows.map((row) => row.split(/\s*\t\s*/)), [
      ["Oct 1, 2026", "no rescission recorded", "Imminent Hazard"],
      ["Feb 4, 2019", "rescinded Mar 1, 2019", "Failure of safety audit"],
    ]);
    // Filed text is shown as text.
    await page.goto(new URL("/carriers/90010783#orders", page.url()).href);
    assert.ok(await page.locator("#orders td", { hasText: "<b>7</b>" }).isVisible());
  },

  async "a record prints on one page, with the order first"({ open }) {
    const page = await open("/");
    for (const [dot, headline] of Object.entries(HEADLINES)) {
      await page.goto(new URL(`/carriers/${dot}/record`, page.url()).href);
      assert.match(await page.locator(".record .notice h2").innerText(), headline);
      await checkLooks(page, `record of ${dot}`);
      await page.emulateMedia({ media: "print", colorScheme: "light" });
      assert.match(await page.locator(".record .notice h2").innerText(), headline);
      const pdf = (await page.pdf(LETTER)).toString("latin1");
      assert.equal(pdf.match(/\/Type \/Page\b/g)!.length, 1, dot);
      await page.emulateMedia({ media: "screen" });
    }
  },

  async "a comparison lists each carrier's orders, and needs no script"({ open }) {
    const path = "/compare?dot=90010780&dot=90010784&dot=90010782&dot=286764";
    const page = await open(path, NO_SCRIPTS);
    const row = page.getByRole("row", { name: /^Out-of-service orders/ });
    assert.deepEqual(await row.getByRole("cell").allInnerTexts(), [
      "Aug 13, 2026, no rescission recorded",
      "Oct 1, 2026, no rescission recorded and 1 more",
      "Mar 16, 2022, rescinded Mar 31, 2022",
      "None through Oct 1, 2026",
    ]);
    await checkLooks(await open(path), "a comparison with orders");
  },

  async "a list marks each order, with and without scripts"({ open }) {
    for (const options of [{ viewport: WIDE }, { viewport: NARROW, ...NO_SCRIPTS }]) {
      const page = await open("/bulk", options);
      await page.getByLabel("Paste USDOT numbers").fill(DOTS.join("\n"));
      await page.getByRole("button", { name: "Check the list" }).click();
      await reads(page, "Your list");
      await page.getByRole("heading", { level: 2, name: /^7 checked: 4 problems, 2 to review/ })
        .waitFor();
      const results = await page.locator("tbody tr td:nth-child(2)").allInnerTexts();
      assert.equal(results.length, DOTS.length);
      for (const [i, result] of results.entries()) {
        assert.match(result, /out-of-service order/i, DOTS[i]);
        assert.doesNotMatch(result, /No issues found/);
      }
      if (!("javaScriptEnabled" in options)) await checkLooks(page, "a list with orders");
    }
  },

  async "pages of carriers with orders need no script"({ open }) {
    for (const viewport of [WIDE, NARROW]) {
      const page = await open("/carriers/90010784", { viewport, ...NO_SCRIPTS });
      assert.match(await page.locator("#verdict").innerText(), HEADLINES[90010784]!);
      await page.locator("summary", { hasText: "Out-of-service orders" }).click();
      assert.ok(await page.getByText("A missing rescission doesn't prove").isVisible());
    }
  },
});
