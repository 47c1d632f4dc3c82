import assert from "node:assert/strict";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { PAGE_TOOLS } from "../../site/assets/webmcp_tools.ts";
import { hasChromium, startChromium, violations } from "../chromium.ts";
import { documentOf, textOf } from "./document.ts";
import { startSite, withSample } from "./service.ts";

const driven = hasChromium();

type Ask = (target: string) => Promise<Response>;

/** What is checked without a browser. */
const ASKED: Record<string, (ask: Ask) => Promise<void>> = {};

/** What is done in a browser, each in a context of its own. */
const DRIVEN: Record<string, (drive: Drive) => Promise<void>> = {};

interface Drive {
  address: string;
  browser: Browser;
  /** Complaints that are meant to come. */
  meant: RegExp[];
  /** Opens a page; what else it complains of fails the step. */
  open(target: string, options?: Parameters<Browser["newContext"]>[0]): Promise<Page>;
}

function search(query: string, more = ""): string {
  return `/search?q=${encodeURIComponent(query)}${more}`;
}

ASKED["a number leads to its carrier, however it is written"] = async (ask) => {
  for (
    const [query, path] of [
      ["286764", "/carriers/286764"],
      ["00286764", "/carriers/286764"],
      ["USDOT 286764", "/carriers/286764"],
      ["dot#286764", "/carriers/286764"],
      ["MC 186800", "/carriers/286764"],
      ["mc-186800", "/carriers/286764"],
      // Nobody in the sample has it as a USDOT number, and the page says so.
      ["90999999", "/carriers/90999999"],
      // These digits are an MC number too, of another carrier.
      ["186800", "/carriers/186800?mc=186800"],
    ] as const
  ) {
    const { status, headers, body } = await ask(search(query));
    await body?.cancel();
    assert.deepEqual([status, headers.get("location")], [303, path], query);
  }
};

ASKED["an MC number that several carriers list is a choice, never a guess"] = async (ask) => {
  const document = await documentOf(await ask(search("MC 9800004")));
  const links = [...document.querySelectorAll(".found a")].map((link) => link.getAttribute("href"));
  assert.deepEqual(links, ["/carriers/90010017", "/carriers/90010018", "/carriers/90010016"]);
};

ASKED["a name leads to a list that tells namesakes apart"] = async (ask) => {
  const response = await ask(search("general transport akron"));
  assert.equal(response.status, 200);
  const document = await documentOf(response);
  const [first] = document.querySelectorAll(".found li");
  assert.match(
    first!.textContent.replace(/\s+/g, " "),
    /GENERAL TRANSPORT INC ?USDOT 286764 · AKRON, OH · 85 power units · active/,
  );
  assert.match(await textOf(await ask(search("inactive plain freight"))), /· not active/);
};

ASKED["a list has 25 carriers, and 50 for those who want more"] = async (ask) => {
  const few = await documentOf(await ask(search("transport")));
  assert.equal(few.querySelectorAll(".found li").length, 25);
  assert.equal(few.querySelector("a.button")!.getAttribute("href"), "/search?q=transport&limit=50");
  const many = await documentOf(await ask(search("transport", "&limit=50")));
  assert.equal(many.querySelectorAll(".found li").length, 50);
  assert.equal(many.querySelector("a.button")!.getAttribute("href"), "/search?q=transport");
};

ASKED["a search without results helps"] = async (ask) => {
  const text = await textOf(await ask(search("zzzzqqqq")));
  assert.match(text, /No carrier found.*does not show that the carrier does not exist/);
  assert.match(text, /spelling.*Leave words out.*SAFER Company Snapshot/);
  assert.match(
    await textOf(await ask(search("MC 99999999"))),
    /No carrier lists MC 99999999 in FMCSA/,
  );
};

ASKED["what cannot be searched for is told beside the box, which keeps it"] = async (ask) => {
  for (
    const [query, message] of [
      ["a", "at least 2 characters"],
      [" ", "at least 2 characters"],
      ["x".repeat(201), "at most 200 characters"],
      ["a b c d e f g h i j k l m", "at most 12 words"],
    ] as const
  ) {
    const response = await ask(search(query));
    assert.equal(response.status, 400, query);
    const document = await documentOf(response);
    const box = document.querySelector("#q")!;
    assert.equal(box.getAttribute("value"), query);
    assert.equal(box.getAttribute("aria-invalid"), "true");
    const told = document.querySelector(`#${box.getAttribute("aria-describedby")}`)!;
    assert.ok(told.textContent.includes(message), query);
  }
  assert.equal((await ask(search("acme", "&limit=51"))).status, 400);
  assert.equal((await ask("/search?q=a1&q=b2")).status, 400);
  assert.equal((await ask("/search")).status, 200);
};

ASKED["suggestions are few, small and JSON, and so are their errors"] = async (ask) => {
  const response = await ask("/suggest?q=transport");
  assert.equal(response.headers.get("ratelimit-limit"), "600");
  assert.ok(response.headers.get("snapshot-id"));
  const { results } = await response.json();
  assert.equal(results.length, 8);
  for (const result of results) {
    assert.deepEqual(Object.keys(result), ["dot", "name", "dba_name", "city", "state", "active"]);
  }
  const short = await ask("/suggest?q=a");
  assert.deepEqual([short.status, (await short.json()).error.code], [400, "invalid_query"]);
  const { results: [turned] } = await (await ask("/suggest?q=desrever")).json();
  assert.doesNotMatch(turned.name, /\p{C}/u);
};

DRIVEN["a name typed leads to the carrier, by keyboard only"] = async ({ open }) => {
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
};

DRIVEN["without JavaScript the same"] = async ({ open }) => {
  const page = await open("/", { javaScriptEnabled: false });
  await page.getByRole("searchbox").fill("general transport akron");
  await page.getByRole("button", { name: "Look up" }).click();
  await page.getByRole("link", { name: "GENERAL TRANSPORT INC" }).click();
  await page.getByRole("heading", { name: /^No issues found; \d of 6 checks have no data/ })
    .waitFor();
  await page.getByRole("link", { name: "Vetting record as text" }).click();
  assert.match(await page.locator("pre").innerText(), /^Vetting record of/);
};

DRIVEN["suggestions are chosen by keyboard"] = async ({ open }) => {
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
};

DRIVEN["suggestions are chosen by pointer, in the head of a page too"] = async ({ open }) => {
  const page = await open("/carriers/286764", { viewport: { width: 360, height: 700 } });
  await page.getByRole("combobox").pressSequentially("<script>");
  const option = page.getByRole("option", { name: "<script>alert(1)</script> FREIGHT" });
  await option.waitFor();
  assert.deepEqual(await violations(page), []);
  await option.click();
  await page.getByRole("heading", { level: 1, name: "<script>alert(1)</script>" }).waitFor();
};

DRIVEN["an older question is given up for a newer one"] = async ({ open }) => {
  const page = await open("/");
  // Never answered: only giving it up ends it.
  await page.route(/suggest\?q=blank$/, () => {});
  const asked = page.waitForRequest(/suggest\?q=blank$/);
  await page.keyboard.insertText("blank");
  await asked;
  const givenUp = page.waitForEvent("requestfailed", (request) => request.url().endsWith("blank"));
  await page.keyboard.insertText(" drivers");
  await givenUp;
  await page.getByRole("option", { name: "BLANK DRIVERS LLC" }).waitFor();
};

DRIVEN["suggestions that were dismissed stay away"] = async ({ open }) => {
  const page = await open("/");
  let release = (): void => {};
  const held = new Promise<void>((resolve) => release = resolve);
  await page.route(/suggest\?q=blank$/, async (route) => {
    await held;
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
  await page.getByRole("heading", { name: "Search" }).waitFor();
};

DRIVEN["a dated vetting record is copied"] = async ({ open, address }) => {
  const page = await open("/carriers/286764", {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await page.getByRole("button", { name: "Copy the vetting record" }).press("Enter");
  await page.getByRole("status").getByText("Copied").waitFor();
  const text = await page.evaluate("navigator.clipboard.readText()") as string;
  assert.match(text, /^Looked up: 2026-10-05T16:\d\d:\d\dZ/m);
  assert.ok(text.includes(`Page: ${address}/carriers/286764`));
};

DRIVEN["pages pass axe and need no sideways scrolling, wide and narrow, light and dark"] = async (
  { open },
) => {
  for (const [width, colorScheme] of [[1200, "light"], [360, "dark"]] as const) {
    const page = await open("/", { viewport: { width, height: 800 }, colorScheme });
    for (
      const path of [
        "/",
        search("transport"),
        search("zzzzqqqq"),
        "/carriers/90010028",
        "/carriers/90010002?mc=1",
      ]
    ) {
      await page.goto(new URL(path, page.url()).href);
      const where = `${path} ${width} ${colorScheme}`;
      assert.deepEqual(await violations(page), [], where);
      assert.ok(await page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), where);
    }
  }
};

DRIVEN["in-page tools answer what the API answers, and go where they may"] = async (
  { open, meant },
) => {
  meant.push(/status of 404/);
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
};

DRIVEN["in-page tools take the older entry point, and do without any"] = async (
  { browser, address },
) => {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const complaints = listen(page);
    await page.addInitScript(
      "Object.defineProperty(document, 'modelContext', { value: undefined })",
    );
    await page.goto(address);
    await page.getByRole("combobox").waitFor();
    await page.addInitScript(`window.told = [];
      Object.defineProperty(navigator, "modelContext", {
        value: { registerTool(tool) { told.push(tool.name); throw new Error("refused"); } },
      })`);
    await page.goto(address);
    await page.waitForFunction("told.length === 6");
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
};

function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return complaints;
}

Deno.test("looking a carrier up over the sample", async (t) => {
  await withSample(async (folder) => {
    await using site = startSite(folder);
    const { address } = site;
    const ask: Ask = (target) => fetch(address + target, { redirect: "manual" });
    for (const [name, check] of Object.entries(ASKED)) await t.step(name, () => check(ask));
    if (!driven) return;
    const browser = await startChromium(["--enable-features=WebMCP"]);
    try {
      for (const [name, work] of Object.entries(DRIVEN)) {
        await t.step(name, async () => {
          const contexts: BrowserContext[] = [];
          const complaints: string[][] = [];
          const meant: RegExp[] = [];
          try {
            await work({
              address,
              browser,
              meant,
              async open(target, options) {
                const context = await browser.newContext(options);
                contexts.push(context);
                const page = await context.newPage();
                complaints.push(listen(page));
                await page.goto(address + target);
                return page;
              },
            });
            const others = complaints.flat().filter((text) => !meant.some((it) => it.test(text)));
            assert.deepEqual(others, []);
          } finally {
            for (const context of contexts) await context.close();
          }
        });
      }
    } finally {
      await browser.close();
    }
  });
});
