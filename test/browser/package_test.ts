import assert from "node:assert/strict";
import { builtPackage, serveFiles } from "../api/package/built_package.ts";
import { builtSample } from "../pipeline/sample/built_sample.ts";
import { hasChromium, startChromium } from "./chromium.ts";

Deno.test({
  name:
    "the package looks up, searches and checks in Chromium, from a static host of another origin",
  ignore: !hasChromium(),
  async fn() {
    await using built = await builtPackage();
    await using data = serveFiles({ data: await builtSample() });
    await using code = serveFiles({ npm: built.path });
    const browser = await startChromium();
    try {
      const page = await browser.newPage();
      const lookup = `(async () => {
        const { openCarriers } = await import("/npm/index.js");
        await openCarriers("${data.url}/data").carrier(286764);
      })()`;
      await page.goto(`${code.url}/npm/index.js`);
      await page.evaluate(lookup);
      // Search and rules were not loaded.
      assert.ok(!code.asked.some((path) => /search|rules/.test(path)), code.asked.join());
      const found = await page.evaluate(`(async () => {
        const { openCarriers } = await import("/npm/index.js");
        const carriers = openCarriers("${data.url}/data");
        const { carrier } = await carriers.carrier(286764);
        const { results } = await carriers.search("general transport akron");
        const { carrier: { verdict } } = await carriers.check(286764, { today: "2026-10-05" });
        const { match } = await carriers.match(286764, { name: "General Transport" });
        const past = await carriers.carrier(286764, { asOf: "2026-10-01" });
        return [carrier.legal_name, results[0].dot, verdict, match.result, past.snapshot.data_date];
      })()`) as unknown[];
      assert.match(String(found[2]), /^No issues found/);
      assert.deepEqual(found.toSpliced(2, 1), [
        "GENERAL TRANSPORT INC",
        286764,
        "match",
        "2026-10-01",
      ]);
    } finally {
      await browser.close();
    }
  },
});
