/**
 * The browser that tests drive, if there is one.
 *
 * @module
 */

import axe from "axe-core";
import { existsSync } from "node:fs";
import { type Browser, chromium, type Frame, type Page } from "playwright-core";
import { missingTool } from "../missing_tool.ts";
import { until } from "../until.ts";

const PROGRAM = ["/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser"]
  .find(existsSync);

/** Whether there is a Chromium for the tests. In CI it is an error when there is none. */
export function hasChromium(): boolean {
  return PROGRAM !== undefined || !missingTool("Chromium");
}

/** Starts a browser for any number of pages. */
export function startChromium(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: PROGRAM!, args: ["--no-sandbox", ...args] });
}

/** The violations that axe finds in a page, one per line. */
export async function violations(page: Frame | Page): Promise<string[]> {
  // Loading its source takes as long as running it.
  if (!await page.evaluate("'axe' in window")) await page.evaluate(axe.source);
  return await page.evaluate(`axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes[0].html))`) as string[];
}

/**
 * Waits until a script in a page or frame returns a value. `waitForFunction` doesn't work: its second poll
 * calls `eval`, which our pages' policies forbid.
 */
export async function untilScript(
  page: { evaluate(script: string): Promise<unknown> },
  script: string,
  value: unknown,
): Promise<void> {
  await until(`${script} is ${value}`, async () => await page.evaluate(script) === value);
}
