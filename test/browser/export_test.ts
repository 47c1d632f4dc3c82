import assert from "node:assert/strict";
import { serveFiles } from "../api/package/built_package.ts";
import { buildFiles, censusCsv, manyRows, tempDir } from "../pipeline/compile/files.ts";
import { serveRanges } from "../pipeline/export/ranges.ts";
import { hasChromium, startChromium } from "./chromium.ts";

Deno.test({
  name:
    "a page in Chromium reads one carrier from the Parquet file of a static host, with hyparquet",
  ignore: !hasChromium(),
  async fn() {
    await using dir = await tempDir();
    const bundled = await new Deno.Command(Deno.execPath(), {
      args: ["bundle", "--quiet", "--lock=test/deno.lock", "--platform=browser"]
        .concat(`--output=${dir.path}/parquet.js`, "test/browser/parquet.ts"),
    }).output();
    assert.ok(bundled.success, new TextDecoder().decode(bundled.stderr));
    const { entry } = await buildFiles(dir.path, { census: censusCsv(manyRows()) }, {
      force: "a test",
      search: false,
      export: true,
    });
    const file = `${dir.path}/out/s/${entry.snapshot}/export/carriers.parquet`;
    await using data = serveRanges(await Deno.readFile(file));
    await using code = serveFiles({ code: dir.path });
    const browser = await startChromium();
    try {
      const page = await browser.newPage();
      await page.goto(`${code.url}/code/parquet.js`);
      const found = await page.evaluate(`(async () => {
        const { asyncBufferFromUrl, compressors, parquetReadObjects } = await import("/code/parquet.js");
        const file = await asyncBufferFromUrl({ url: "${data.url}/carriers.parquet" });
        const columns = ["dot", "legal_name", "state"];
        return await parquetReadObjects({ file, compressors, columns, filter: { dot: { $eq: 1234 } } });
      })()`);
      assert.deepEqual(found, [{ dot: 1234, legal_name: "CARRIER 1234", state: "OH" }]);
    } finally {
      await browser.close();
    }
  },
});
