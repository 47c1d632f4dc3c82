/**
 * `/developers`: how to call the service, as a page and as Markdown.
 *
 * @module
 */

import { NLWEB_VERSION } from "../../../api/ask/answers/schemas.ts";
import { EXAMPLE_JOB } from "../../../api/discovery/examples.ts";
import { markdownTable } from "../../../api/discovery/limits.ts";
import { fill } from "../../../api/discovery/texts.ts";
import { cachingFor, sharedCaching } from "../../../api/http/headers.ts";
import { AGENT_CARD, API_VERSION } from "../../../api/operations/about.ts";
import { changeIndex } from "../../../api/operations/changes.ts";
import { BATCH_OPERATIONS, OPERATIONS } from "../../../api/operations/table.ts";
import type { PageParts } from "../../../api/service.ts";
import { TOOLS } from "../../../mcp/tools.ts";
import { FORMAT } from "../../../pipeline/snapshot/documents.ts";
import { POINTER_PATH, snapshotPath } from "../../../pipeline/snapshot/paths.ts";
import { TableOfContents } from "../../components/blocks.tsx";
import { LANGUAGES, Markdown, partsOf } from "../../components/markdown.tsx";
import DEVELOPERS from "../../content/developers.md" with { type: "text" };
import PAGES from "../../content/pages.json" with { type: "json" };
import { markdownAnswer, type PageRoute, prefersMarkdown, publicAddress } from "../route.ts";

export const developersRoute: PageRoute = {
  path: "/developers",
  listed: true,
  answer({ site, request }) {
    if (prefersMarkdown(request)) return markdownAnswer(developersMd(site), request);
    return {
      ...PAGES.developers,
      shared: true,
      headers: [["Vary", "Accept"]],
      style: "guide",
      scripts: ["copy.js"],
      body: <Guide text={developersMd(site)} />,
    };
  },
};

function Guide({ text }: { text: string }) {
  const parts = text.indexOf("\n## ");
  return (
    <>
      <Markdown text={text.slice(0, parts)} />
      <div class="beside choosing">
        <div class="side">
          <LanguageChoice />
          <TableOfContents parts={partsOf(text)} />
        </div>
        <div>
          <Markdown text={text.slice(parts)} />
        </div>
      </div>
    </>
  );
}

export const developersMdRoute: PageRoute = {
  path: "/developers.md",
  listed: true,
  answer: ({ site, request }) => markdownAnswer(developersMd(site), request),
};

/** The choice of a language for the examples; the style sheet hides the others. */
export function LanguageChoice() {
  return (
    <fieldset class="languages">
      <legend>Examples in</legend>
      {LANGUAGES.map(([language, name], i) => (
        <label>
          <input type="radio" name="language" value={language} checked={i === 0} /> {name}
        </label>
      ))}
    </fieldset>
  );
}

type Described = Pick<PageParts, "baseUrl" | "snapshotUrl" | "sharedCache">;

function developersMd({ baseUrl, snapshotUrl, sharedCache }: Described): string {
  const address = publicAddress(snapshotUrl);
  return fill(DEVELOPERS, baseUrl, {
    endpoints: markdownTable(
      ["Call", "What it does"],
      [...OPERATIONS, ...BATCH_OPERATIONS, changeIndex].map(({ id, method, path, summary }) => [
        `[\`${method} ${path}\`](${baseUrl}/developers/${id})`,
        summary,
      ]),
    ),
    caching: cachingFor(sharedCache, sharedCaching({ now: 0, dayEnds: Infinity }))
      .map(([name, value]) => `\`${name}: ${value}\``).join(" and "),
    version: API_VERSION,
    job: EXAMPLE_JOB,
    tool_count: TOOLS.length,
    nlweb_version: NLWEB_VERSION,
    agent_card: AGENT_CARD,
    pointer: POINTER_PATH,
    format: FORMAT,
    snapshot_path: snapshotPath("{id}"),
    static_example: address === undefined
      ? "This service reads its snapshot from a folder, so there is no public address to try."
      : `\`\`\`sh\ncurl ${address}/${POINTER_PATH}\n\`\`\``,
    stdio: JSON.stringify({
      mcpServers: {
        "carrier-compliance": {
          command: "npx",
          args: [
            ..."-y deno@VERSION task --quiet --cwd PATH mcp".replace("VERSION", Deno.version.deno)
              .split(" "),
            address ?? "--sample",
          ],
        },
      },
    }),
  });
}
