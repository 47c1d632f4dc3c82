import assert from "node:assert/strict";
import { EXAMPLE_DAY } from "../../../api/discovery/examples.ts";
import { PUBLIC_LIMITS } from "../../../api/discovery/limits.ts";
import { ERROR_CODES } from "../../../api/operations/errors.ts";
import { BATCH_OPERATIONS, OPERATIONS } from "../../../api/operations/table.ts";
import { openSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { BASE_URL } from "../../api/http/service.ts";
import { missingTool } from "../../missing_tool.ts";
import { record, TestClock } from "../../pipeline/snapshot/memory.ts";
import { siteOf, siteOver, startSite } from "../app.ts";
import { documentOf, type Element, parse, textOf } from "../document.ts";
import { builtSample } from "../../pipeline/sample/built_sample.ts";
import { shownAnswer } from "../../../site/pages/developers/run.tsx";

const EXAMPLE_MOMENT = Date.parse(`${EXAMPLE_DAY}T16:00:00Z`);

/** The address of the snapshots. */
const SNAPSHOTS = "https://snapshots.example/root/";

/** The calls in a text, one per line. */
function callsOf(text: string): { url: string; init: RequestInit }[] {
  return Array.from(text.replaceAll("\\\n", " ").matchAll(/^curl .*$/gm), ([line]) => {
    const headers = [...line.matchAll(/-H '([^:]+): ([^']+)'/g)]
      .map(([, name, value]): [string, string] => [name!, value!]);
    const body = /-d '([^']+)'/.exec(line)?.[1];
    const init = { headers, ...body !== undefined && { method: "POST", body } };
    return { url: /https?:[^\s']+/.exec(line)![0], init };
  });
}

const codes = (element: Element, selector = "pre"): string[] =>
  [...element.querySelectorAll(selector)].map(({ textContent }) => textContent);

Deno.test("/developers names a lookup's caching headers, with and without a shared cache", async () => {
  for (const sharedCache of [false, true]) {
    const { visit } = siteOf(undefined, { sharedCache });
    const { headers } = await visit("/api/v1/carriers/295017");
    const sent = ["Cache-Control", "CDN-Cache-Control"].filter((name) => headers.has(name))
      .map((name) => `\`${name}: ${headers.get(name)}\``);
    assert.equal(sent.length, sharedCache ? 2 : 1);
    const guide = await (await visit("/developers.md")).text();
    assert.ok(
      guide.replaceAll(/\s+/g, " ").includes(`may be cached (${sent.join(" and ")})`),
      sent.join(),
    );
  }
});

Deno.test("/developers lists every operation, error and limit, with the same content as in Markdown", async () => {
  const { visit } = siteOf();
  const text = await textOf(await visit("/developers"));
  const markdown = await (await visit("/developers.md")).text();
  const asked = await visit("/developers", {
    headers: { Accept: "text/markdown, text/html;q=0.9" },
  });
  assert.equal(asked.headers.get("vary")?.includes("Accept"), true);
  assert.equal(await asked.text(), markdown);
  for (const { method, path } of [...OPERATIONS, ...BATCH_OPERATIONS]) {
    for (const shown of [text, markdown]) assert.ok(shown.includes(`${method} ${path}`), path);
  }
  for (const fact of [...ERROR_CODES, ...PUBLIC_LIMITS.flat()]) {
    for (const shown of [text, markdown]) assert.ok(shown.includes(fact), fact);
  }
  // The page and the Markdown have the same code blocks and headings.
  const html = await documentOf(await visit("/developers"));
  assert.deepEqual(
    codes(html),
    [...markdown.matchAll(/^```\w*\n(.*?)\n```$/gms)].map(([, it]) => it),
  );
  const settings = codes(html).filter((text) => text.startsWith("{"))
    .map((text) => JSON.parse(text));
  const servers = settings.flatMap((one) => Object.values(one.mcpServers ?? one.servers));
  const urls = (servers as { url?: string; httpUrl?: string }[])
    .flatMap(({ url, httpUrl }) => url ?? httpUrl ?? []);
  assert.deepEqual(urls, Array(3).fill(`${BASE_URL}/mcp`));
  assert.deepEqual(codes(html, "h2"), [...markdown.matchAll(/^## (.+)$/gm)].map(([, it]) => it));
});

Deno.test("every call on the developers' pages works as shown, with the answer shown", async () => {
  const folder = await builtSample();
  const { visit } = siteOver(openSource(folder), { clock: new TestClock(EXAMPLE_MOMENT) });
  const call = async (text: string): Promise<string[]> => {
    const answers: string[] = [];
    for (const { url, init } of callsOf(text)) {
      assert.ok(url.startsWith(`${BASE_URL}/`), url);
      const response = await visit(url.slice(BASE_URL.length), init);
      const answer = await response.text();
      // The examples' job doesn't exist here.
      const wanted = /\/jobs\/[0-9a-f-]+$/.test(url) ? [404] : [200, 202];
      assert.ok(wanted.includes(response.status), `${url}: ${response.status} ${answer}`);
      assert.doesNotMatch(answer, /"isError":true|"response_type":"failure"/, url);
      answers.push(answer);
    }
    return answers;
  };
  const guide = await (await visit("/developers.md")).text();
  assert.ok((await call(guide)).length >= 11);
  for (const { id } of [...OPERATIONS, ...BATCH_OPERATIONS]) {
    const page = await documentOf(await visit(`/developers/${id}`));
    const [command, shown] = codes(page);
    const [answer, ...others] = await call(command!);
    assert.deepEqual(others, []);
    if (!OPERATIONS.some((operation) => operation.id === id)) continue;
    const both = [answer!, shown!].map((text) => JSON.parse(text));
    // The examples' snapshot is another build of the same rows.
    for (const one of both) delete one.snapshot?.id;
    assert.deepEqual(both[0], both[1], id);
  }
  assert.equal((await visit("/developers/nothing")).status, 404);
});

Deno.test("the examples in TypeScript and Python run", async (t) => {
  const folder = await builtSample();
  await using site = startSite(folder);
  const guide = await (await fetch(`${site.address}/developers.md`)).text();
  const errors = await documentOf(await fetch(`${site.address}/developers/errors`));
  const python = await new Deno.Command("python3", { args: ["--version"] }).output()
    .then(({ success }) => success, () => false);
  const runners: Record<string, [program: string, ...args: string[]]> = {
    ts: [Deno.execPath(), "run", "--check", "--no-config", "--no-lock", "--allow-net", "-"],
    ...python || !missingTool("Python") ? { python: ["python3", "-"] } : {},
  };
  for (const [language, [program, ...args]] of Object.entries(runners)) {
    await t.step(language, async () => {
      const examples = guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)\n\`\`\`$`, "gms"));
      const all = Array.from(examples, ([, it]) => it!);
      all.push(...codes(errors, `.code[data-language=${language}] pre`));
      assert.equal(all.length, 3);
      // One process runs all the examples. In TypeScript each is in a block, so that their names don't clash.
      const blocks = all.map((it) => language === "ts" ? `{\n${it}\n}` : it);
      const process = new Deno.Command(program, { args, stdin: "piped", stdout: "piped" })
        .spawn();
      const writer = process.stdin.getWriter();
      await writer.write(new TextEncoder().encode(blocks.join("\n")));
      await writer.close();
      const { success, stdout } = await process.output();
      assert.ok(success, language);
      assert.match(
        new TextDecoder().decode(stdout),
        /^GENERAL TRANSPORT INC active .*2028-04-30.*\n286764 .+\n146793 .+\nGENERAL TRANSPORT INC\n$/s,
      );
    });
  }
});

Deno.test("a call is shown and run for a carrier in the snapshot, and its form needs no script", async () => {
  const { visit, source } = siteOf([record(31, { legal_name: "SOME CARRIER", city: "AKRON" })]);
  const page = await documentOf(await visit("/developers/lookupCarrier"));
  const [command, shown] = codes(page);
  assert.equal(command, `curl ${BASE_URL}/api/v1/carriers/31`);
  assert.equal(JSON.parse(shown!).name, "SOME CARRIER");
  const form = page.querySelector("form.call")!;
  assert.equal(form.querySelector("[name=dot]")!.getAttribute("value"), "31");
  const leads: Record<string, string> = {
    "/developers/lookupCarrier/run?dot=31&as_of=": "/api/v1/carriers/31",
    "/developers/lookupCarrier/run?dot=a%2Fb%3F": "/api/v1/carriers/a%2Fb%3F",
    "/developers/lookupCarrier/run": "/developers/lookupCarrier",
    "/developers/matchCarrier/run?dot=31&name=A+%26+B": "/api/v1/match?dot=31&name=A+%26+B",
    "/developers/listChangeFiles/run": "/api/v1/changes",
  };
  for (const [from, to] of Object.entries(leads)) {
    assert.equal((await visit(from)).headers.get("location"), to, from);
  }
  assert.equal((await visit("/developers/createJob/run")).status, 404);
  // Without data the documents' example is shown, and nothing is cached.
  source.fault = () => "error";
  const outage = await siteOver(source).visit("/developers/lookupCarrier");
  assert.equal(outage.headers.get("cache-control"), "no-store");
  assert.equal(JSON.parse(codes(await documentOf(outage))[1]!).dot, "286764");
});

Deno.test("an answer with long lists is cut, and says where", () => {
  const answer = { short: [{ a: 1 }], long: Array.from({ length: 9 }, (_, i) => ({ i })) };
  assert.deepEqual(JSON.parse(shownAnswer(answer)), {
    short: [{ a: 1 }],
    long: [{ i: 0 }, { i: 1 }, "and 7 more"],
  });
});

Deno.test("/developers names the snapshot's own URL, and no folder", async () => {
  const folder = await builtSample();
  const source = openSource(folder);
  const page = async (snapshotUrl: string): Promise<string> =>
    await (await siteOver(source, { snapshotUrl }).visit("/developers")).text();
  const text = await page(SNAPSHOTS);
  const [call, ...others] = callsOf(codes(parse(text)).join("\n"))
    .filter(({ url }) => url.startsWith(SNAPSHOTS));
  assert.deepEqual(others, []);
  assert.ok(await source.get(call!.url.slice(SNAPSHOTS.length)));
  assert.match(text, /&quot;mcp&quot;,&quot;https:\/\/snapshots\.example\/root&quot;/);
  assert.ok(!(await page(folder)).includes(folder));
});

Deno.test("no document for agents exceeds 8,000 tokens, except openapi.json", async () => {
  const { visit } = siteOf();
  const home = await documentOf(await visit("/", { headers: { Accept: "text/html" } }));
  const linked = new Set(
    [...home.querySelectorAll("a[href]")].map((link) => link.getAttribute("href")!),
  );
  assert.ok(linked.has("/agents.md") && linked.has("/llms.txt"), "found by a reader of HTML alone");
  const guide = await (await visit("/agents.md")).text();
  const paths = [...guide.matchAll(/https:\/\/carriers\.example(\/[\w./-]+)/g)]
    .map(([, path]) => path!.replace(/\.$/, ""))
    .filter((path) => /^\/\.well-known|\.(?:md|txt)$|card$/.test(path));
  assert.ok(paths.length > 8, paths.join());
  for (const path of new Set([...paths, "/agents.md", "/llms.txt", "/developers.md"])) {
    const response = await visit(path);
    const { length } = await response.text();
    assert.equal(response.status, 200, path);
    assert.ok(length / 4 <= 8_000, `${path}: ${length / 4} tokens`);
  }
});
