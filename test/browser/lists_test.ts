/** Lists that the browser stores, and keyboard navigation in their rows. */

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { untilScript } from "./chromium.ts";
import { checkLooks, focusesItself, NO_SCRIPTS, reads, siteTest } from "./drive.ts";

const NUMBERS = ["USDOT 90010002", "MC 186800", "USDOT 99999999", "USDOT 295017"];

/** Sends a list by keyboard and waits for its result. */
async function check(page: Page, list: string): Promise<void> {
  await page.keyboard.insertText(list);
  for (const key of ["Tab", "Tab", "Enter"]) await page.keyboard.press(key);
  await page.getByRole("heading", { level: 2, name: /checked/ }).waitFor();
  await page.waitForURL(/\/bulk\/./);
  await focusesItself(page);
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

siteTest("kept lists in Chromium", {
  async "a list is saved under a name, checked again later, and says what changed, by keyboard"(
    { open },
  ) {
    const page = await open("/bulk");
    assert.equal(await page.getByRole("region", { name: "Your lists" }).isVisible(), false);
    await check(page, `Docket number,Name\n${NUMBERS.map((one) => `${one},"X, INC"`).join("\n")}`);
    await page.getByLabel("Save this list in this browser").focus();
    await page.keyboard.type("Lanes to <Ohio>");
    await press(page, "Enter");
    await page.getByText("Saved as “Lanes to <Ohio>”.").waitFor();
    // As if the list had been stored on an earlier day.
    await page.evaluate(`
      const [list] = JSON.parse(localStorage.lists);
      list.last.day = "2026-09-29";
      list.last.rows[0].result = "No issues";
      list.last.rows[0].verdict = "No issues found";
      list.last.rows[0].status = "active";
      localStorage.lists = JSON.stringify([list]);
    `);
    await page.goto(new URL("/bulk", page.url()).href);
    const lists = page.getByRole("region", { name: "Your lists" });
    await lists.getByText("4 numbers, last checked with data of Sep 29, 2026").waitFor();
    await checkLooks(page, "/bulk with a kept list");
    await lists.getByRole("button", { name: "Check again: Lanes to <Ohio>" }).press("Enter");
    await page.waitForURL(/\/bulk\/./);
    await page.getByRole("heading", { name: "Lanes to <Ohio>: 1 changed since the last check" })
      .waitFor();
    const row = page.locator("#since tbody tr");
    assert.deepEqual((await row.innerText()).split("\t"), [
      "INACTIVE PLAIN FREIGHT LLC (SYNTHETIC SAMPLE)",
      "No issues found; listed active",
      "Problem: Inactive (and 2 more); listed inactive",
    ]);
    assert.deepEqual(
      await page.locator("#since thead th").allInnerTexts(),
      ["Carrier", "Was (Sep 29, 2026)", "Is (Oct 3, 2026)"],
    );
    await checkLooks(page, "a list checked again");
    // The names in the list are compared again.
    assert.match(await page.locator("table.rows").innerText(), /X, INC/);
    await page.goto(new URL("/bulk", page.url()).href);
    await lists.getByRole("button", { name: "Check again: Lanes to <Ohio>" }).press("Enter");
    await page.getByRole("heading", { name: "Lanes to <Ohio>: nothing changed" }).waitFor();
    await page.goto(new URL("/bulk", page.url()).href);
    await lists.getByRole("button", { name: "Delete: Lanes to <Ohio>" }).press("Enter");
    await untilScript(page, "localStorage.lists === undefined", true);
    assert.equal(await lists.isVisible(), false);
  },

  async "another list is not mistaken for a saved one, and a list that can't be saved says so"(
    { open },
  ) {
    const page = await open("/bulk");
    await check(page, NUMBERS.join("\n"));
    await page.getByLabel("Save this list in this browser").fill("Four");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved as “Four”.").waitFor();
    await page.goto(new URL("/bulk", page.url()).href);
    await focusesItself(page);
    await check(page, [...NUMBERS.slice(1), "USDOT 90010001"].join("\n"));
    const asked = page.waitForResponse(/\.csv$/);
    await page.reload();
    await asked;
    assert.equal(await page.locator("#since").isVisible(), false);
    await page.evaluate("Storage.prototype.setItem = () => { throw new Error('full'); }");
    await page.getByLabel("Save this list in this browser").fill("Five");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("This browser has no room for another list").waitFor();
  },

  async "a list in which no carrier was found has an unknown day, and the 21st list is refused as such"(
    { open },
  ) {
    const page = await open("/bulk");
    await check(page, "USDOT 99999999");
    const save = async (name: string): Promise<void> => {
      await page.getByLabel("Save this list in this browser").fill(name);
      await page.getByRole("button", { name: "Save" }).click();
    };
    await save("Ghosts");
    await page.getByText("Saved as “Ghosts”.").waitFor();
    await page.evaluate(`
      const [list] = JSON.parse(localStorage.lists);
      const others = Array.from({ length: 19 }, (_, i) => ({ ...list, name: String(i) }));
      localStorage.lists = JSON.stringify([list, ...others]);
    `);
    // Regression: it said that the browser had no room.
    await save("One more");
    await page.getByText("20 lists are saved, the most that this site keeps").waitFor();
    // A saved name can be saved again.
    await save("Ghosts");
    await page.getByText("Saved as “Ghosts”.").waitFor();
    await page.goto(new URL("/bulk", page.url()).href);
    // Regression: it said "Invalid Date".
    await page.getByText("Ghosts: 1 number, last checked with data of an unknown day").waitFor();
  },

  async "j, k and the arrow keys move through the rows, also when sorted, and Enter opens the carrier"(
    { open },
  ) {
    const page = await open("/bulk");
    await check(page, NUMBERS.join("\n"));
    await page.getByText("j for the next row, k for the previous one").waitFor();
    const focused = async (): Promise<unknown> =>
      await page.evaluate("document.activeElement.closest('tr')?.cells[0].textContent");
    await press(page, "j");
    assert.equal(await focused(), "1");
    await press(page, "j", "ArrowDown");
    assert.equal(await focused(), "3");
    await press(page, "k");
    assert.equal(await focused(), "2");
    await press(page, "ArrowUp", "k");
    assert.equal(await focused(), "1");
    // The last row has no next one.
    await press(page, "j", "j", "j", "j");
    assert.equal(await focused(), "4");
    await page.getByRole("link", { name: "FMCSA name", exact: true }).press("Enter");
    await press(page, "j");
    assert.equal(await focused(), "2");
    await press(page, "Enter");
    await reads(page, "GENERAL TRANSPORT INC");
  },

  async "without scripts the page says what needs them, and Tab reaches its links"(
    { open },
  ) {
    const page = await open("/bulk", NO_SCRIPTS);
    await page.getByLabel("Paste USDOT numbers").fill(NUMBERS.join("\n"));
    await page.getByRole("button", { name: "Check the list" }).click();
    await page.getByText("With JavaScript, this browser can save the list").waitFor();
    assert.equal(await page.getByLabel("Save this list in this browser").isVisible(), false);
    assert.equal(await page.getByText("j for the next row").isVisible(), false);
    const link = page.getByRole("link", { name: "USDOT 90010002", exact: true });
    await page.getByRole("link", { name: "MCS-150 due", exact: true }).press("Tab");
    assert.ok(await link.evaluate((one) => one === one.ownerDocument.activeElement));
  },
});
