/** A new visitor's tasks in a browser: find, compare, watch, copy; by keyboard, by pointer, without scripts. */

import assert from "node:assert/strict";
import { PAGE_TOOLS } from "../../site/assets/webmcp_tools.ts";
import { until } from "../until.ts";
import { untilScript, violations } from "./chromium.ts";
import { checkLooks, focusesItself, NARROW, NO_SCRIPTS, reads, siteTest } from "./drive.ts";

const CLIPBOARD = { permissions: ["clipboard-read", "clipboard-write"] };

siteTest("tasks in Chromium", {
  async "a typed name leads to the carrier, the reasons, and its vetting record, by keyboard only"(
    { open },
  ) {
    const page = await open("/");
    await page.keyboard.type("general transport akron");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "GENERAL TRANSPORT INC" }).waitFor();
    const focused = async (): Promise<boolean> =>
      await page.evaluate("document.activeElement.textContent") === "GENERAL TRANSPORT INC";
    for (let n = 0; n < 20 && !await focused(); n++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await reads(page, "GENERAL TRANSPORT INC");
    await page.locator("summary", { hasText: "Operating authority" }).press("Enter");
    await page.getByText("Docket status isn't operating authority").first().waitFor();
    await page.getByRole("link", { name: "Save vetting record" }).press("Enter");
    await reads(page, /^Vetting record: GENERAL/);
    await page.getByRole("button", { name: "Print" }).waitFor();
  },

  async "the same without JavaScript, by mouse"({ open }) {
    const page = await open("/", NO_SCRIPTS);
    await page.getByRole("searchbox").fill("general transport akron");
    await page.getByRole("button", { name: "Look up" }).click();
    await page.getByRole("link", { name: "GENERAL TRANSPORT INC" }).click();
    await page.getByRole("heading", { name: /^No issues found/ })
      .waitFor();
    await page.locator("summary", { hasText: "MCS-150 update" }).click();
    await page.locator("#mcs150").getByText("Source: Company Census File").waitFor();
    await page.getByRole("link", { name: "Save vetting record" }).click();
    await reads(page, /^Vetting record: GENERAL/);
    const saved = page.waitForEvent("download");
    await page.getByRole("link", { name: "Save as text" }).click();
    assert.match((await saved).suggestedFilename(), /^vetting-record-usdot-286764-.*\.txt$/);
  },

  async "a past day's record is chosen and saved without JavaScript, and links to today's"(
    { open },
  ) {
    const page = await open("/carriers/90010775", NO_SCRIPTS);
    await page.getByLabel("Show this record as of").fill("2026-10-01");
    await page.getByRole("button", { name: "Show" }).press("Enter");
    await reads(page, /^FORMER NAME HAULING/);
    await page.getByText("the record of that day, not today's").waitFor();
    await page.getByRole("link", { name: "Save vetting record" }).click();
    await reads(page, /^Vetting record: FORMER NAME/);
    const saved = page.waitForEvent("download");
    await page.getByRole("link", { name: "Save as text" }).click();
    const name = (await saved).suggestedFilename();
    assert.equal(name, "vetting-record-usdot-90010775-as-of-2026-10-01.txt");
    await page.getByRole("link", { name: "Back to today" }).click();
    await reads(page, /^Vetting record: NAME AND PHONE CHANGED/);
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
    await reads(page, name);
  },

  async "suggestions are chosen by pointer, also in a page's header"({ open }) {
    const page = await open("/carriers/286764", { viewport: NARROW });
    await page.getByRole("combobox").pressSequentially("<script>");
    const option = page.getByRole("option", { name: "<script>alert(1)</script> FREIGHT" });
    await option.waitFor();
    assert.deepEqual(await violations(page), []);
    await option.click();
    await reads(page, "<script>alert(1)</script>");
  },

  async "a newer query aborts an older one, and dismissed suggestions stay closed"(
    { open },
  ) {
    const page = await open("/");
    // Never answered: it ends only when the page aborts it.
    await page.route(/suggest\?q=blank$/, () => {});
    let asked = page.waitForRequest(/suggest\?q=blank$/);
    await page.keyboard.insertText("blank");
    await asked;
    let givenUp = page.waitForEvent("requestfailed");
    await page.keyboard.insertText(" drivers");
    await givenUp;
    await page.getByRole("option", { name: "BLANK DRIVERS LLC" }).waitFor();
    await page.getByRole("combobox").fill("");
    // Regression: on a slow line the answer came after Escape and opened the list again.
    asked = page.waitForRequest(/suggest\?q=blank$/);
    await page.keyboard.insertText("blank");
    await asked;
    givenUp = page.waitForEvent("requestfailed");
    await page.keyboard.press("Escape");
    await givenUp;
    await page.keyboard.press("Enter");
    await reads(page, /match(?:es)? for “blank”$/);
  },

  async "a vetting record, a carrier's numbers and a call from /developers can be copied"(
    { open, address },
  ) {
    const page = await open("/carriers/286764/record", CLIPBOARD);
    const copied = async (name: string): Promise<string> => {
      // The message is shown for two seconds. A busy machine may miss it, so an observer records it.
      await page.evaluate(`said = "";
        new MutationObserver((changes) => {
          for (const { target } of changes) if (target.role === "status") said ||= target.textContent;
        }).observe(document.body, { childList: true, subtree: true });
        navigator.clipboard.writeText("")`);
      await page.getByRole("button", { name }).first().press("Enter");
      await untilScript(page, "said", "Copied");
      let text = "";
      await until(`${name} copies`, async () => {
        text = await page.evaluate("navigator.clipboard.readText()") as string;
        return text !== "";
      });
      return text;
    };
    const text = await copied("Copy as text");
    assert.match(text, /^Looked up: 2026-10-05T16:\d\d:\d\dZ/m);
    assert.ok(text.includes(`Page: ${address}/carriers/286764`));
    await page.goto(`${address}/carriers/286764/record?as_of=2026-10-01`);
    assert.match(await copied("Copy as text"), /^As of: Oct 1, 2026/m);
    await page.goto(`${address}/carriers/286764`);
    assert.equal(await copied("Copy USDOT number"), "286764");
    assert.equal(await copied("Copy MC number"), "MC 186800");
    const shared = await copied("Copy the link to this day's record");
    assert.equal(shared, `${address}/carriers/286764?as_of=2026-10-05`);
    await page.goto(`${address}/developers`);
    const code = page.locator(".code:has([data-copy]) pre").first();
    assert.equal(await copied("Copy"), await code.textContent());
  },

  async "the / key focuses the search box, and types a slash inside it"({ open }) {
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
    assert.equal(await recent.isVisible(), false);
  },

  async "in-page tools return what the API answers, and navigate only within the site"({ open }) {
    const page = await open("/about");
    assert.deepEqual(
      (await page.webmcp.tools()).map(({ name }) => name).toSorted(),
      PAGE_TOOLS.map(({ name }) => name).toSorted(),
    );
    // deno-lint-ignore no-explicit-any -- API answers, checked elsewhere
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

  async "in-page tools use the older entry point, and pages work without any"({ open }) {
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

  async "a carrier is found by name and compared with its namesake, by keyboard only"({ open }) {
    const page = await open("/");
    await page.getByRole("combobox").first().focus();
    await page.keyboard.type("inactive plain freight");
    await page.keyboard.press("Enter");
    await reads(page, "2 matches for “inactive plain freight”");
    await page.getByRole("checkbox", { name: "Compare USDOT 90010002" }).press("Space");
    await page.getByRole("checkbox", { name: "Compare USDOT 90010001" }).press("Space");
    await page.getByRole("button", { name: "Compare selected" }).press("Enter");
    await reads(page, "Compare 2 carriers");
    const status = page.getByRole("row", { name: /^USDOT number/ });
    assert.match(await status.innerText(), /(?:Problem|OK)[^]*Inactive/);
  },

  async "results are filtered without scripts, and can be compared from any row, by mouse at 360 px"(
    { open },
  ) {
    const page = await open("/search?q=docket", { viewport: NARROW, ...NO_SCRIPTS });
    await reads(page, /^\d+ matches for “docket”$/);
    await page.getByRole("combobox", { name: "Status" }).selectOption("Inactive or pending");
    await page.getByRole("combobox", { name: "Order" }).selectOption("By name");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.waitForURL(/status=inactive&sort=name$/);
    await page.getByRole("checkbox", { name: "Compare USDOT 90010003" }).check();
    await page.getByRole("checkbox", { name: "Compare USDOT 90010016" }).check();
    // The button stays visible, whatever row was chosen.
    await page.evaluate("scrollTo(0, 0)");
    const button = page.getByRole("button", { name: "Compare selected" });
    const { y, height } = (await button.boundingBox())!;
    assert.ok(y >= 0 && y + height <= NARROW.height, `${y}`);
    await button.click();
    await reads(page, "Compare 2 carriers");
  },

  async "a phone number and a name that is too short get an explanation, by keyboard"({ open }) {
    const page = await open("/");
    await page.keyboard.type("(330) 555-0123");
    await page.keyboard.press("Enter");
    await reads(page, "That looks like a phone number");
    await checkLooks(page, "a phone number");
    await focusesItself(page);
    await page.keyboard.press("Control+A");
    await page.keyboard.type("a");
    await page.keyboard.press("Enter");
    await page.getByText("at least 2 letters of a name").waitFor();
  },

  async "a shared MC number is recognized, and its holders are compared by mouse at 360 px"(
    { open },
  ) {
    const page = await open("/", { viewport: NARROW, ...NO_SCRIPTS });
    await page.getByRole("searchbox").first().fill("MC 9800004");
    await page.getByRole("button", { name: "Look up" }).first().click();
    await reads(page, "MC 9800004 is shared by 3 carriers");
    await page.getByRole("link", { name: "Compare them" }).click();
    await reads(page, "Compare 3 carriers");
    assert.ok(await page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"));
    // The reason is beside the verdict; the carrier's page has the rest.
    await page.getByRole("link", { name: /SHARED DOCKET INACTIVE/ }).click();
    await reads(page, /SHARED DOCKET INACTIVE/i);
  },

  async "the developer guide shows one language at a time, without scripts, with its contents visible"(
    { open },
  ) {
    const page = await open("/developers", NO_SCRIPTS);
    const shown = async (): Promise<number[]> =>
      await Promise.all(
        ["ts", "python"].map((language) =>
          page.locator(`[data-language=${language}]:visible`).count()
        ),
      );
    assert.deepEqual(await shown(), [0, 0]);
    await page.getByRole("radio", { name: "curl" }).focus();
    await page.keyboard.press("ArrowRight");
    assert.deepEqual(await shown(), [2, 0]);
    await page.getByRole("radio", { name: "Python" }).check();
    assert.deepEqual(await shown(), [0, 2]);
    await page.getByRole("link", { name: "Errors", exact: true }).click();
    assert.ok(await page.getByText("invalid_dot_number").isVisible());
    const contents = (await page.getByRole("navigation", { name: "On this page" }).boundingBox())!;
    assert.ok(contents.y >= 0 && contents.y < 300, "the contents stay in view");
    await page.getByRole("link", { name: "For agents" }).click();
    await page.waitForURL("**/agents.md");
  },

  async "a carrier is watched from its page, without scripts, and the email's link confirms it"(
    { open, mails },
  ) {
    const page = await open("/carriers/90010002", NO_SCRIPTS);
    await page.getByRole("link", { name: "Watch" }).press("Enter");
    await page.getByText("For INACTIVE PLAIN FREIGHT LLC").waitFor();
    await page.locator("#dot").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.type("some.body+alerts@mail.example");
    await page.keyboard.press("Enter");
    await reads(page, "Check your email");
    const sent = await mails(1);
    await page.goto(/http:\S+\/alerts\/confirm\/\S+/.exec(sent.at(-1)!.mail.text!)![0]);
    await page.getByRole("button", { name: "Yes, send me alerts" }).press("Enter");
    await reads(page, "You get email alerts on USDOT 90010002");
  },

  async "compared carriers are watched with one sign-up, by keyboard only"({ open, mails }) {
    const page = await open("/compare?dot=286764,90010002");
    await page.getByRole("link", { name: "Watch these carriers" }).press("Enter");
    await page.locator("#dot").press("Control+End");
    await page.keyboard.type("\n1 FF 300005");
    await page.keyboard.press("Tab");
    await page.keyboard.type("any.body@mail.example");
    await page.keyboard.press("Enter");
    await page.getByText("We left out USDOT 1 (not in the data).").waitFor();
    await checkLooks(page, "/alerts with a problem and a choice");
    // The first of the two carriers with the docket.
    await page.locator("#dot").press("Tab");
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await reads(page, "Check your email");
    const sent = await mails(2);
    await page.goto(/http:\S+\/alerts\/confirm\/\S+/.exec(sent.at(-1)!.mail.text!)![0]);
    await checkLooks(page, "/alerts/confirm");
    await page.getByRole("button", { name: "Yes, send me alerts" }).press("Enter");
    await reads(page, "You get email alerts on 3 carriers");
  },
});
