/** Six tasks of visitors by mouse, by keyboard and without scripts, each with a maximum number of clicks and keys. */

import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { checkLooks, focusesItself, NO_SCRIPTS, reads, siteTest } from "./drive.ts";

/** A visitor whose clicks and keys are counted. A paste counts as one key. */
class Visitor {
  clicks = 0;
  keys = 0;
  constructor(readonly page: Page) {}

  async click(target: Locator): Promise<void> {
    this.clicks++;
    await target.click();
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.keys++;
      await this.page.keyboard.press(key);
    }
  }

  async type(text: string): Promise<void> {
    this.keys += text.length;
    await this.page.keyboard.type(text);
  }

  async paste(text: string): Promise<void> {
    this.keys++;
    await this.page.keyboard.insertText(text);
  }

  /** Presses Tab, or another key, until an element has the focus. */
  async reach(target: Locator, key = "Tab"): Promise<void> {
    await target.waitFor();
    const has = (): Promise<boolean> =>
      target.evaluate((one) => one === one.ownerDocument.activeElement);
    for (let n = 0; n < 150 && !await has(); n++) await this.press(key);
    assert.ok(await has(), "reached");
  }

  /** Activates a link or a button. */
  async follow(target: Locator, byMouse: boolean): Promise<void> {
    if (byMouse) return await this.click(target);
    await this.reach(target);
    await this.press("Enter");
  }

  takesAtMost(clicks: number, keys: number): void {
    const { page, ...taken } = this;
    assert.ok(
      page !== undefined && taken.clicks <= clicks && taken.keys <= keys,
      `${clicks} ${keys} ${JSON.stringify(taken)}`,
    );
  }
}

const NAME = "general transprt akron";

/** 60 rows as in emails; ten of them need fixing. */
const MESSY = Array.from(
  { length: 60 },
  (_, i) =>
    i % 6 === 5
      ? `DOT 14B79${i % 10}`
      : [`USDOT ${90_000_000 + i}`, `Dot# ${90_000_000 + i} (good)`, `MC-${186_800 + i}`][i % 3]!,
);

/** Finds a carrier, reads its verdict, and saves its record. */
async function findAndSave(visitor: Visitor, byMouse: boolean): Promise<void> {
  const { page } = visitor;
  await visitor.type(NAME);
  await visitor.press("Enter");
  await reads(page, /match/);
  const found = page.getByRole("link", { name: "GENERAL TRANSPORT INC" });
  if (byMouse) await visitor.click(found);
  else {
    await page.getByText("j for the next row").waitFor();
    await visitor.reach(found, "j");
    await visitor.press("Enter");
  }
  await reads(page, "GENERAL TRANSPORT INC");
  // What matters is on the first screen.
  await page.getByRole("heading", { name: /^No issues found/ }).waitFor();
  await visitor.follow(page.getByRole("link", { name: "Save vetting record" }), byMouse);
  await reads(page, /^Vetting record: GENERAL/);
  const saved = page.waitForEvent("download");
  await visitor.follow(page.getByRole("link", { name: "Save as text" }), byMouse);
  assert.match((await saved).suggestedFilename(), /^vetting-record-usdot-286764/);
}

/** Checks 60 rows and corrects ten of them. */
async function checkAndFix(visitor: Visitor, byMouse: boolean): Promise<void> {
  const { page } = visitor;
  await visitor.paste(MESSY.join("\n"));
  await visitor.follow(page.getByRole("button", { name: "Check the list" }), byMouse);
  await page.getByRole("heading", { level: 2, name: /10 rows need fixing$/ }).waitFor();
  await focusesItself(page);
  const fields = page.getByLabel(/^Row \d+: /);
  for (const [i, field] of (await fields.all()).entries()) {
    if (byMouse) {
      visitor.clicks++;
      await field.click({ clickCount: 3 });
    } else {
      // Tab selects a field's text.
      await visitor.reach(field);
    }
    await visitor.type(`DOT ${90_000_100 + i}`);
  }
  await visitor.press("Enter");
  await page.getByRole("heading", { level: 2, name: /^60 checked: [^.]*$/ }).waitFor();
}

/** Compares three carriers from a search. */
async function compareThree(visitor: Visitor, byMouse: boolean): Promise<void> {
  const { page } = visitor;
  await visitor.type("shared docket");
  await visitor.press("Enter");
  await reads(page, /match/);
  const boxes = page.getByRole("checkbox");
  for (const box of (await boxes.all()).slice(0, 3)) {
    if (byMouse) await visitor.click(box);
    else {
      await page.getByText("x to select it").waitFor();
      await visitor.press("j", "x");
      assert.ok(await box.isChecked());
    }
  }
  // Enter submits a form.
  if (byMouse) await visitor.click(page.getByRole("button", { name: "Compare selected" }));
  else await visitor.press("Enter");
  await reads(page, "Compare 3 carriers");
}

/** Goes from the home page to an API answer for the visitor's own number. */
async function integrate(visitor: Visitor, byMouse: boolean): Promise<Page> {
  const { page } = visitor;
  const nav = page.getByRole("navigation", { name: "Sections" });
  const api = nav.getByRole("link", { name: "API" });
  if (byMouse) await visitor.click(api);
  else {
    await visitor.reach(api, "Shift+Tab");
    await visitor.press("Enter");
  }
  await reads(page, "For developers");
  const call = page.getByRole("link", { name: "GET /api/v1/carriers/{dot}", exact: true });
  await visitor.follow(call, byMouse);
  await reads(page, "Look up one carrier");
  const dot = page.getByLabel("dot", { exact: true });
  if (byMouse) {
    visitor.clicks++;
    await dot.click({ clickCount: 3 });
  } else await visitor.reach(dot);
  await visitor.type("295017");
  await visitor.press("Enter");
  return page;
}

siteTest("six tasks in Chromium", {
  async "a half-remembered name, why, and the saved record: by mouse"({ open }) {
    const visitor = new Visitor(await open("/"));
    await findAndSave(visitor, true);
    visitor.takesAtMost(3, NAME.length + 1);
  },

  async "a half-remembered name, why, and the saved record: by keyboard"({ open }) {
    const visitor = new Visitor(await open("/"));
    await findAndSave(visitor, false);
    visitor.takesAtMost(0, NAME.length + 34);
  },

  async "a half-remembered name, why, and the saved record: without scripts"({ open }) {
    const visitor = new Visitor(await open("/", NO_SCRIPTS));
    await findAndSave(visitor, true);
    visitor.takesAtMost(3, NAME.length + 1);
  },

  async "60 messy rows, 10 of them fixed: by mouse"({ open }) {
    const visitor = new Visitor(await open("/bulk"));
    await checkAndFix(visitor, true);
    visitor.takesAtMost(11, 122);
  },

  async "60 messy rows, 10 of them fixed: by keyboard"({ open }) {
    const visitor = new Visitor(await open("/bulk"));
    await checkAndFix(visitor, false);
    visitor.takesAtMost(0, 150);
  },

  async "60 messy rows, 10 of them fixed: without scripts"({ open }) {
    const visitor = new Visitor(await open("/bulk", NO_SCRIPTS));
    await checkAndFix(visitor, true);
    visitor.takesAtMost(11, 122);
  },

  async "three carriers compared: by mouse"({ open }) {
    const visitor = new Visitor(await open("/"));
    await compareThree(visitor, true);
    visitor.takesAtMost(4, 14);
  },

  async "three carriers compared: by keyboard"({ open }) {
    const visitor = new Visitor(await open("/"));
    await compareThree(visitor, false);
    visitor.takesAtMost(0, 21);
  },

  async "three carriers compared: without scripts"({ open }) {
    const visitor = new Visitor(await open("/", NO_SCRIPTS));
    await compareThree(visitor, true);
    visitor.takesAtMost(4, 14);
  },

  async "an API call with the visitor's own number: by mouse"({ open }) {
    const visitor = new Visitor(await open("/"));
    const page = await integrate(visitor, true);
    await page.getByRole("heading", { name: "Answer: 200" }).waitFor();
    assert.equal(JSON.parse(await page.locator("#answer pre").innerText()).dot, "295017");
    visitor.takesAtMost(3, 7);
    // An invalid number is answered, too.
    await page.getByLabel("dot", { exact: true }).fill("4x");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("heading", { name: "Answer: 400" }).waitFor();
    await checkLooks(page, "a call that was run");
  },

  async "an API call with the visitor's own number: by keyboard"({ open }) {
    const visitor = new Visitor(await open("/"));
    const page = await integrate(visitor, false);
    await page.getByRole("heading", { name: "Answer: 200" }).waitFor();
    visitor.takesAtMost(0, 110);
  },

  async "an API call with the visitor's own number: without scripts"({ open }) {
    const visitor = new Visitor(await open("/", NO_SCRIPTS));
    const page = await integrate(visitor, true);
    await page.waitForURL("**/api/v1/carriers/295017");
    visitor.takesAtMost(3, 7);
  },
});
