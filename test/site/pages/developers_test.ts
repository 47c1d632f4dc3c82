import assert from "node:assert/strict";
import { EXAMPLE_DAY } from "../../../api/discovery/examples.ts";
import { LIMITS } from "../../../api/discovery/limits.ts";
import { ERROR_STATUS } from "../../../api/operations/errors.ts";
import { BATCH_OPERATIONS, OPERATIONS } from "../../../api/operations/table.ts";
import { openSource } from "../../../pipeline/snapshot/open_source.ts";
import { BASE_URL } from "../../api/http/service.ts";
import { TestClock } from "../../pipeline/snapshot/memory.ts";
import { siteOf, siteOver } from "../app.ts";
import { documentOf, type Element, parse } from "../document.ts";
import { withSample } from "../service.ts";

const EXAMPLE_MOMENT = Date.parse(`${EXAMPLE_DAY}T16:00:00Z`);

/** Where snapshots are said to be. */
const SNAPSHOTS = "https://snapshots.example/root/";

/** A command, taken apart as a shell would. */
function commandsOf(text: string): { url: string; init: RequestInit }[] {
  return text.replaceAll("\\\n", " ").split("\n").filter((line) => line.startsWith("curl ")).map(
    (line) => {
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) =>
        (quoted ?? bare)!
      );
      const after = (name: string): string[] => words.filter((_, i) => words[i - 1] === name);
      const headers = after("-H").map((one): [string, string] => {
        const colon = one.indexOf(": ");
        return [one.slice(0, colon), one.slice(colon + 2)];
      });
      const [body] = after("-d");
      return {
        url: words.find((word) => word.startsWith("http"))!,
        init: { headers, ...(body === undefined ? {} : { method: "POST", body }) },
      };
    },
  );
}

const codes = (element: Element, selector: string): string[] =>
  [...element.querySelectorAll(selector)].map(({ textContent }) => textContent);

Deno.test("/developers lists every operation, error and limit", async () => {
  const document = await documentOf(await siteOf().visit("/developers"));
  for (const { id, method, path } of [...OPERATIONS, ...BATCH_OPERATIONS]) {
    const section = document.querySelector(`section[aria-labelledby=${id}]`)!;
    assert.ok(codes(section, ".route").includes(`${method} ${path}`), id);
    assert.equal(commandsOf(codes(section, "[data-copy]").join("\n")).length, 1, id);
  }
  const text = document.querySelector("main")!.textContent;
  for (const [code, status] of Object.entries(ERROR_STATUS)) {
    assert.match(
      document.querySelector(`#${code}`)!.closest("tr")!.textContent,
      new RegExp(`${status}`),
    );
  }
  for (const fact of LIMITS.flat()) assert.ok(text.includes(fact), fact);
});

Deno.test("every call of /developers works as shown, with the answer shown", async () => {
  await withSample(async (folder) => {
    const { visit } = siteOver(openSource(folder), { clock: new TestClock(EXAMPLE_MOMENT) });
    const document = await documentOf(await visit("/developers"));
    const all = commandsOf(codes(document, "[data-copy]").join("\n"));
    assert.ok(all.length > 12, String(all.length));
    for (const { url, init } of all) {
      assert.ok(url.startsWith(`${BASE_URL}/`), url);
      const response = await visit(url.slice(BASE_URL.length), init);
      const text = await response.text();
      // The job of the examples was never made here.
      const wanted = /\/jobs\/[0-9a-f-]+$/.test(url) ? [404] : [200, 202];
      assert.ok(wanted.includes(response.status), `${url}: ${response.status} ${text}`);
      assert.doesNotMatch(text, /"isError":true|"response_type":"failure"/, url);
    }
    for (const { id } of OPERATIONS) {
      const section = document.querySelector(`section[aria-labelledby=${id}]`)!;
      const [{ url } = assert.fail(id)] = commandsOf(codes(section, "[data-copy]").join("\n"));
      const answer = await (await visit(url.slice(BASE_URL.length))).json();
      const shown = JSON.parse(codes(section, "details pre")[0]!);
      // The snapshot of the examples is another build of the same rows.
      for (const one of [answer, shown]) delete one.snapshot?.id;
      assert.deepEqual(shown, answer, id);
    }
  });
});

Deno.test("/developers has calls for the snapshot's own address, and names no folder", async () => {
  await withSample(async (folder) => {
    const source = openSource(folder);
    const page = async (snapshotUrl: string): Promise<string> =>
      await (await siteOver(source, { snapshotUrl }).visit("/developers")).text();
    const text = await page(SNAPSHOTS);
    const paths = commandsOf(codes(parse(text), "[data-copy]").join("\n"))
      .filter(({ url }) => url.startsWith(SNAPSHOTS))
      .map(({ url }) => url.slice(SNAPSHOTS.length));
    assert.equal(paths.length, 3);
    for (const path of paths) assert.ok(await source.get(path), path);
    assert.match(text, /stdio\.ts&quot;,\s+&quot;https:\/\/snapshots\.example\/root&quot;/);
    assert.ok(!(await page(folder)).includes(folder));
  });
});

Deno.test("/developers has settings for MCP clients that are JSON and name the service", async () => {
  const document = await documentOf(await siteOf().visit("/developers"));
  const settings = codes(document, "[data-copy]").filter((text) => text.startsWith("{"))
    .map((text) => JSON.parse(text));
  const urls = settings.flatMap((one) =>
    Object.values(one.mcpServers ?? one.servers).map((server) => {
      const { url, httpUrl } = server as { url?: string; httpUrl?: string };
      return url ?? httpUrl;
    })
  );
  assert.deepEqual(urls.filter((url) => url !== undefined), Array(3).fill(`${BASE_URL}/mcp`));
});
