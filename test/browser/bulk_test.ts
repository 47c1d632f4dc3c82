/** Lists and calculators in a browser: by keyboard, by file, by drag and drop, and without scripts. */

import { parse } from "csv-parse/sync";
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { openSource } from "../../pipeline/snapshot/sources/open_source.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { startSite } from "../site/app.ts";
import { violations } from "./chromium.ts";
import { checkLooks, focusesItself, NARROW, NO_SCRIPTS, reads, siteTest } from "./drive.ts";

/** 200 numbers, some without a carrier. */
const DOTS = Array.from(
  { length: 200 },
  (_, i) => i < 3 ? [286764, 295017, 146793][i]! : 90_000_000 + i,
);
const LIST = DOTS.join("\n");
/** 60 rows: USDOT and MC numbers, one shared, one inactive carrier, some unknown, two without a number. */
const MIXED = [
  "USDOT 90010002",
  "MC 186800",
  "MC 9800004",
  "nobody",
  "carrier of the week",
  ...Array.from({ length: 55 }, (_, i) => `USDOT ${90_000_000 + i}`),
].join("\n");
const FILE = {
  name: "carriers.csv",
  mimeType: "text/csv",
  buffer: Buffer.from("Rate,USDOT\r\n" + DOTS.map((dot) => `3,${dot}\r\n`).join("")),
};

/** Checks the CSV file that an action downloads. */
async function checkDownload(page: Page, action: () => Promise<void>): Promise<void> {
  const [download] = await Promise.all([page.waitForEvent("download"), action()]);
  assert.match(download.suggestedFilename(), /^usdot-check-[\d-]+\.csv$/);
  const text = await Deno.readTextFile(await download.path());
  const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
  assert.deepEqual(rows.map(({ dot }) => Number(dot)), DOTS);
  assert.equal(rows[0]!.name, "GENERAL TRANSPORT INC");
}

/** Waits for the result with this headline. */
async function says(page: Page, headline: string | RegExp): Promise<void> {
  await page.getByRole("heading", { level: 2, name: headline }).waitFor();
  assert.deepEqual(await page.locator("h1").allInnerTexts(), ["Your list"]);
}

async function check(page: Page, list: string): Promise<void> {
  await page.getByLabel("Paste USDOT numbers").fill(list);
  await page.getByRole("button", { name: "Check the list" }).click();
}

siteTest("lists and calculators in Chromium", {
  async "a list of 200 by keyboard only: paste, send, download"({ open }) {
    const page = await open("/bulk");
    await page.keyboard.insertText(LIST);
    for (const key of ["Tab", "Tab", "Enter"]) await page.keyboard.press(key);
    await says(page, "200 checked");
    await focusesItself(page);
    await checkDownload(page, () => page.keyboard.press("Enter"));
  },

  async "a list of 200 as a file, without scripts"({ open }) {
    const page = await open("/bulk", NO_SCRIPTS);
    await page.getByLabel("Or choose a file").setInputFiles(FILE);
    await page.getByRole("button", { name: "Check the list" }).click();
    await says(page, "200 checked");
    await checkDownload(page, () => page.getByText("Download the CSV file").click());
    await page.getByRole("link", { name: /^Not found/ }).click();
    await page.getByRole("link", { name: "Number", exact: true }).click();
    await page.waitForURL(/sort=dot&show=missing/);
    assert.equal(await page.locator("th[aria-sort=ascending]").innerText(), "Number");
  },

  async "a list dropped on the page is sent, and its table is sorted in place"({ open }) {
    const page = await open("/bulk");
    await page.getByText("You can also drop a file").waitFor();
    await page.evaluate(`
      const data = new DataTransfer();
      data.items.add(new File([${JSON.stringify(DOTS.slice(0, 40).join("\n"))}], "carriers.csv"));
      document.body.dispatchEvent(
        new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }),
      );
    `);
    await says(page, "40 checked");
    const url = page.url();
    const names = (): Promise<string[]> =>
      page.locator("tbody td:nth-child(4):visible").allInnerTexts();
    const before = await names();
    const heading = page.getByRole("link", { name: "FMCSA name", exact: true });
    await heading.click();
    assert.equal(await page.locator("th[aria-sort]").getAttribute("aria-sort"), "ascending");
    const { compare } = new Intl.Collator("en", { numeric: true });
    const [known, blank] = [true, false].map((is) => before.filter((name) => (name !== "") === is));
    assert.deepEqual(await names(), [...known!.toSorted(compare), ...blank!]);
    await heading.press("Enter");
    assert.equal(await page.locator("th[aria-sort]").getAttribute("aria-sort"), "descending");
    assert.equal(page.url(), url);
  },

  async "the question about columns is answered by keyboard at 360 px, and the result is visible"(
    { open },
  ) {
    const page = await open("/bulk", { ...NO_SCRIPTS, viewport: NARROW });
    await page.getByLabel("Paste USDOT numbers").fill("Carrier,Number\nGeneral,186800\nNobody,4");
    await page.getByRole("button", { name: "Check the list" }).press("Enter");
    await reads(page, "What is in your list?");
    await page.getByRole("combobox", { name: "Column 2, “Number”" }).focus();
    await page.keyboard.type("MC");
    for (const key of ["Tab", "Tab", "Enter"]) await page.keyboard.press(key);
    await says(page, "2 checked");
    const [row] = await page.locator("tbody tr:visible").all();
    assert.match(await row!.innerText(), /MC 186800.*USDOT 286764.*GENERAL TRANSPORT.*General/s);
    const result = (await row!.locator("td:nth-child(2)").boundingBox())!;
    assert.ok(result.x + result.width <= NARROW.width, "the result is seen without scrolling");
  },

  async "a file that is too large is refused before it is sent"({ open }) {
    const page = await open("/bulk");
    const buffer = Buffer.alloc(5 * 1024 * 1024, "1\n");
    await page.getByLabel("Or choose a file").setInputFiles({ ...FILE, buffer });
    await page.getByRole("button", { name: "Check the list" }).click();
    await page.getByRole("alert").getByText("This file is too big").waitFor();
  },

  async "the MCS-150 date, its calendar file and the UCR fee by keyboard, without scripts"(
    { open },
  ) {
    const page = await open("/mcs150", NO_SCRIPTS);
    await page.getByLabel("USDOT number", { exact: true }).focus();
    await page.keyboard.type("286764");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "USDOT 286764: due by Apr 30, 2028" }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByText("Add to a calendar").press("Enter"),
    ]);
    assert.equal(download.suggestedFilename(), "mcs150-286764.ics");
    await page.goto(new URL("/ucr", page.url()).href);
    await page.getByLabel("Commercial vehicles").focus();
    await page.keyboard.type("25");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "$1,163 for 2027" }).waitFor();
  },

  async "the question and the result are accessible and fit 360 px"({ open }) {
    const page = await open("/bulk");
    await check(page, "Carrier,Number,Fleet\nGeneral,186800,5");
    await reads(page, "What is in your list?");
    await checkLooks(page, "a question");
    await page.getByRole("link", { name: "Start over" }).click();
    await check(page, `${DOTS.slice(0, 9).join("\n")}\nnobody\n<b>x</b>`);
    await says(page, "9 checked");
    await checkLooks(page, "a result");
  },

  async "60 mixed numbers are checked by mouse at 360 px: verdicts are visible, and the worst come first"(
    { open },
  ) {
    const page = await open("/bulk", { viewport: NARROW });
    await check(page, MIXED);
    await says(page, /^58 checked.*2 rows need fixing/);
    await page.getByRole("link", { name: "Worst first" }).click();
    await page.waitForURL(/sort=result/);
    const rows = page.locator("tbody tr");
    assert.match(await rows.first().innerText(), /Problem: Inactive/);
    await page.getByText("MC 9800004 is shared by 3 USDOT numbers").waitFor();
    for (const row of (await rows.all()).slice(0, 5)) {
      const { x, width } = (await row.locator(".state").first().boundingBox())!;
      assert.ok(x >= 0 && x + width <= NARROW.width, "the verdict is seen without scrolling");
      const safer = row.getByRole("link", { name: /^SAFER/ });
      assert.match(await safer.getAttribute("href") ?? "", /query_string=\d+$/);
    }
    await page.getByRole("navigation", { name: "Pages", exact: true })
      .getByRole("link", { name: "Next" }).click();
    await page.getByText("Page 2 of 2").first().waitFor();
  },

  async "rows are corrected in place by keyboard at 360 px, without scripts, and lead to a new result"(
    { open },
  ) {
    const page = await open("/bulk", { ...NO_SCRIPTS, viewport: NARROW });
    await check(page, "USDOT 295017\nDOT 14B793\nMC 1 or MC 2\nUSDOT 99999999");
    await says(page, /^2 checked: .* 2 rows need fixing$/);
    const first = page.url();
    await page.getByLabel("Row 2: ").focus();
    assert.equal(await page.getByLabel("Row 2: ").inputValue(), "DOT 14B793");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("146793");
    for (const key of ["Tab", "Tab", "Enter"]) await page.keyboard.press(key);
    await says(page, /^3 checked: .* 1 row needs fixing$/);
    assert.notEqual(page.url(), first);
    const rows = await page.locator("tbody tr:visible").allInnerTexts();
    assert.deepEqual(rows.map((row) => /USDOT \d+|MC 1 or MC 2/.exec(row)?.[0]), [
      "USDOT 295017",
      "USDOT 146793",
      "MC 1 or MC 2",
      "USDOT 99999999",
    ]);
    await page.getByRole("link", { name: "Needs fixing (1)" }).click();
    await page.waitForURL(/show=/);
    assert.equal(await page.locator("tbody tr:visible").count(), 1);
    await page.goto(first);
    await says(page, /^2 checked/);
  },

  async "rows with other words lead to one question, then are corrected with scripts"({ open }) {
    const page = await open("/bulk");
    await check(page, "USDOT 286764\nDE FILIPPIS TRANSPORT 106690\nFAHNER CONCRETE (19903)");
    await reads(page, "What is in your list?");
    await page.getByText("Did you mean USDOT 106690 for").waitFor();
    await checkLooks(page, "rows with other words");
    await page.getByLabel("No, I'll correct these rows").check();
    await page.getByRole("button", { name: "Check the list" }).click();
    await says(page, "1 checked: 1 no issues. 2 rows need fixing");
    await checkLooks(page, "rows to fix");
    await page.getByLabel("Row 3: ").fill("MC 186800");
    await page.getByRole("button", { name: "Check the corrected rows" }).click();
    await says(page, /^2 checked: .*1 row needs fixing/);
    assert.match(await page.locator("tbody tr").nth(2).innerText(), /MC 186800.*USDOT 286764/s);
  },

  async "the rows of one group are shown and downloaded, without scripts"({ open }) {
    const page = await open("/bulk", NO_SCRIPTS);
    await check(page, MIXED);
    await page.getByRole("link", { name: /^Problem \(/ }).click();
    await page.waitForURL(/show=/);
    const problems = await page.locator("tbody tr").count();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByText("Only these rows as CSV").click(),
    ]);
    const rows: Record<string, string>[] = parse(
      await Deno.readTextFile(await download.path()),
      { bom: true, columns: true },
    );
    assert.equal(rows.length, problems);
    for (const { result, findings } of rows) {
      assert.equal(result, "Problem");
      assert.match(findings!, /^Problem: /);
    }
  },

  async "a result prints its rows with the table head on every page, and says which rows they are"(
    { open },
  ) {
    const page = await open("/bulk", { viewport: { width: 720, height: 960 } });
    await check(page, MIXED);
    await says(page, /^58 checked/);
    await page.emulateMedia({ media: "print" });
    // The table head is repeated on each printed page.
    const head = await page.evaluate(
      `[getComputedStyle(document.querySelector(".rows thead")).display,
      getComputedStyle(document.querySelector(".rows thead th")).position]`,
    );
    assert.deepEqual(head, ["table-header-group", "static"]);
    await page.getByText("Rows 1 to 50 of 60").waitFor();
    assert.equal(await page.locator(".rows tbody tr:visible").count(), 50);
    assert.ok(await page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"));
    const pdf = (await page.pdf({ format: "Letter" })).toString("latin1");
    assert.ok(pdf.match(/\/Type \/Page\b/g)!.length <= 3);
  },

  async "progress is shown while a list is looked up"({ folder, open }) {
    // Carriers can't be read until the gate opens.
    const gate = Promise.withResolvers<void>();
    const { name, get } = openSource(folder);
    const reader = new SnapshotReader({
      name,
      async get(path, signal) {
        if (path.includes("/carriers/")) await gate.promise;
        return await get(path, signal);
      },
    }, { clock: SYSTEM_CLOCK });
    await using site = startSite(folder, { reader });
    const page = await open(`${site.address}/bulk`);
    await check(page, LIST);
    await page.getByRole("progressbar", { name: "Rows checked" }).waitFor();
    await page.locator("main").getByText("0 of 200 checked").waitFor();
    await page.getByRole("link", { name: "Cancel" }).waitFor();
    assert.deepEqual(await violations(page), []);
    gate.resolve();
    await says(page, "200 checked");
    await page.getByRole("heading", { name: "Checking your list" }).waitFor({ state: "hidden" });
    assert.equal(await page.locator("progress:visible").count(), 0);
    await page.close();
  },
});
