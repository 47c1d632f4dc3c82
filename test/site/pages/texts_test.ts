import assert from "node:assert/strict";
import { INCLUDED, PUBLIC_LIMITS } from "../../../api/discovery/limits.ts";
import { siteOf } from "../app.ts";
import { type Element, mainOf } from "../document.ts";

async function main(path: string): Promise<Element> {
  return await mainOf(await siteOf().visit(path));
}

Deno.test("/pricing and /pricing.md say the same", async () => {
  const { textContent } = await main("/pricing");
  const markdown = await (await siteOf().visit("/pricing.md")).text();
  for (const fact of [INCLUDED, "higher limits", ...PUBLIC_LIMITS.flat()]) {
    assert.ok(textContent.includes(fact), fact);
    assert.ok(markdown.includes(fact), fact);
  }
});

Deno.test("/guarantees shows every promise in GUARANTEES.md, and no test names", async () => {
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
