import assert from "node:assert/strict";
import { INCLUDED, LIMITS } from "../../../api/discovery/limits.ts";
import { CHECK_IDS } from "../../../api/rules/schemas.ts";
import { siteOf } from "../app.ts";
import { type Element, mainOf } from "../document.ts";

async function main(path: string): Promise<Element> {
  return await mainOf(await siteOf().visit(path));
}

Deno.test("/pricing and /pricing.md say the same", async () => {
  const { textContent } = await main("/pricing");
  const markdown = await (await siteOf().visit("/pricing.md")).text();
  for (const fact of [INCLUDED, "higher limits", ...LIMITS.flat()]) {
    assert.ok(textContent.includes(fact), fact);
    assert.ok(markdown.includes(fact), fact);
  }
});

Deno.test("/about names the files with their dates, each check, and where to look for the rest", async () => {
  const page = await main("/about");
  assert.match(page.textContent, /Oct 3, 2026.*Oct 4, 2024 to Oct 3, 2026/s);
  const checks = page.textContent.match(/Source: /g)!;
  assert.equal(checks.length, CHECK_IDS.length);
  assert.match(page.textContent, /not endorsed by/);
  const links = [...page.querySelectorAll("a")].map((link) => link.getAttribute("href")!);
  for (const host of ["safer.fmcsa.dot.gov", "dataqs.fmcsa.dot.gov", "www.ucr.gov"]) {
    assert.ok(links.some((link) => new URL(link, "https://x.example").host === host), host);
  }
});

Deno.test("/guarantees shows every promise of GUARANTEES.md, and no test names", async () => {
  const text = await Deno.readTextFile(new URL("../../../api/GUARANTEES.md", import.meta.url));
  const promises = text.match(/^\d+\. \*\*/gm)!;
  const items = [...(await main("/guarantees")).querySelectorAll("ol li")];
  assert.equal(items.length, promises.length);
  for (const item of items) {
    const sentence = item.querySelector("strong")!.textContent;
    assert.match(sentence, /^[A-Z]/);
    assert.doesNotMatch(item.textContent, /\*\*|\(\) | {2}/);
  }
});

Deno.test("/privacy says how long each thing is kept", async () => {
  const rows = [...(await main("/privacy")).querySelectorAll("li")]
    .map((row) => row.textContent);
  assert.equal(rows.length, 4);
  for (const [i, fact] of ["60 seconds", "1 hour", "24 hours", "unsubscribe"].entries()) {
    assert.ok(rows[i]!.includes(fact), rows[i]);
  }
});
