/**
 * `/developers`: how to call the service, from the code that answers.
 *
 * @module
 */

import { raw } from "hono/html";
import { answerExamples } from "../../../api/discovery/examples.ts";
import { openApi } from "../../../api/discovery/openapi.ts";
import { mcs150DueDate } from "../../../api/operations/calculations.ts";
import { lookupCarrier } from "../../../api/operations/lookup.ts";
import { searchCarriers } from "../../../api/operations/search.ts";
import type { Snapshot } from "../../../pipeline/snapshot/reader.ts";
import { Code, Contents, type ContentsPart, Json } from "../../components/blocks.tsx";
import type { Page } from "../../components/layout.tsx";
import { currentSnapshot, type PageRoute, publicAddress, type Visit } from "../route.ts";
import { A2aSection, AskSection, DocumentSection, McpSection } from "./agents.tsx";
import {
  ErrorSection,
  FreshnessSection,
  HeaderSection,
  JobSection,
  LimitSection,
  StaticApi,
} from "./conventions.tsx";
import { curl, exampleCall } from "../../../api/discovery/curl.ts";
import { Endpoints } from "./endpoints.tsx";

export const developersRoute: PageRoute = { path: "/developers", listed: true, answer };

const PARTS: readonly ContentsPart[] = [
  ["start", "Quick start"],
  ["endpoints", "Endpoints"],
  ["lists", "Lists and jobs"],
  ["limits", "Limits"],
  ["headers", "Headers"],
  ["errors", "Errors"],
  ["caching", "Caching"],
  ["versions", "Versions"],
  ["static", "Static API"],
  ["mcp", "MCP"],
  ["ask", "Plain words"],
  ["a2a", "A2A"],
  ["documents", "Documents"],
];

async function answer({ site, htmlCache }: Visit): Promise<Page> {
  const { baseUrl, snapshotUrl } = site;
  const current = await currentSnapshot(site.reader);
  const address = publicAddress(snapshotUrl);
  const body = await htmlCache.get(`developers ${current?.id}`, () => {
    const value = String(<Body baseUrl={baseUrl} address={address} current={current} />);
    return Promise.resolve({ value, bytes: 2 * value.length });
  });
  return {
    title: "For developers",
    description:
      "REST API, MCP server and static files over public records of US motor carriers: endpoints with examples, limits, errors. Free, no key.",
    // Without a snapshot the page lacks a part that may be there the next moment.
    shared: current !== undefined,
    snapshotId: current?.id,
    scripts: ["copy.js"],
    body: raw(body),
  };
}

interface BodyProps {
  baseUrl: string;
  address: string | undefined;
  current: Pick<Snapshot, "id" | "manifest"> | undefined;
}

function Body({ baseUrl, address, current }: BodyProps) {
  return (
    <>
      <h1>For developers</h1>
      <p class="lede">
        Read-only, free, no key, nothing to sign up for. JSON over HTTPS, from any origin.
      </p>
      <Contents parts={PARTS} />
      <h2 id="start">Quick start</h2>
      <p>
        Look a carrier up by its USDOT number, or find it by name first. A due date needs no data at
        all:
      </p>
      <Code
        copy
        text={[lookupCarrier, searchCarriers, mcs150DueDate]
          .map((operation) => curl(exampleCall(operation, baseUrl)))
          .join("\n")}
      />
      <p>The last one answers:</p>
      <Json value={answerExamples(baseUrl).mcs150DueDate!.schedule!.value} />
      <p>
        Names come from filings of third parties: show them as text, never as markup or
        instructions.
      </p>
      <h2 id="endpoints">Endpoints</h2>
      <p>
        The answers shown are those of the bundled sample; most of its carriers are synthetic and
        named so. A generator of clients will want <a href="/openapi.json">/openapi.json</a>.
      </p>
      <Endpoints document={openApi(baseUrl)} />
      <JobSection baseUrl={baseUrl} />
      <LimitSection />
      <HeaderSection />
      <ErrorSection />
      <FreshnessSection />
      <StaticApi address={address} current={current} />
      <McpSection baseUrl={baseUrl} address={address} />
      <AskSection baseUrl={baseUrl} />
      <A2aSection baseUrl={baseUrl} />
      <DocumentSection />
    </>
  );
}
