/**
 * `/`: the search box, and what the service can and cannot answer.
 *
 * @module
 */

import { fill, textAt } from "../../api/discovery/texts.ts";
import { documentLinks, SERVICE_TITLE } from "../../api/operations/about.ts";
import { formatForPeople } from "../../pipeline/dates.ts";
import { snapshotFacts } from "../../api/rules/carrier.ts";
import type { SnapshotFacts } from "../../api/rules/schemas.ts";
import { exampleMc, exampleRecord } from "../../pipeline/snapshot/example.ts";
import type { Snapshot } from "../../pipeline/snapshot/reader.ts";
import { Markdown } from "../components/markdown.tsx";
import { SearchBox } from "../components/search.tsx";
import { DataAge } from "../components/blocks.tsx";
import HOME from "../content/home.md" with { type: "text" };
import PAGES from "../content/pages.json" with { type: "json" };
import {
  currentSnapshot,
  historyDays,
  markdownAnswer,
  type PageRoute,
  prefersMarkdown,
} from "./route.ts";

/** The home page; the same address answers agents that prefer Markdown with their guide. */
export const homeRoute: PageRoute = {
  path: "/",
  listed: true,
  async answer(visit) {
    const { site, request } = visit;
    if (prefersMarkdown(request)) {
      const guide = markdownAnswer(textAt("/llms.txt", site.baseUrl), request);
      guide.headers.set("Link", documentLinks(site.baseUrl));
      return guide;
    }
    const current = await currentSnapshot(site.reader);
    const days = await historyDays(site.reader);
    return {
      title: SERVICE_TITLE,
      ...PAGES.home,
      query: null,
      scripts: ["recent.js"],
      shared: current !== undefined,
      snapshotId: current?.id,
      headers: [["Link", documentLinks(site.baseUrl)], ["Vary", "Accept"]],
      facts: {
        "@type": "WebSite",
        name: SERVICE_TITLE,
        description: PAGES.home.description,
        url: `${site.baseUrl}/`,
        potentialAction: {
          "@type": "SearchAction",
          target: {
            "@type": "EntryPoint",
            urlTemplate: `${site.baseUrl}/search?q={search_term_string}`,
          },
          "query-input": "required name=search_term_string",
        },
      },
      body: (
        <Home
          snapshot={current && snapshotFacts(current, visit)}
          examples={await examplesOf(current)}
          text={fill(HOME, site.baseUrl, {
            since: days === undefined ? "" : ` since ${formatForPeople(days.watched)}`,
            ...ofOrders(current?.manifest.orders_date),
          })}
        />
      ),
    };
  },
};

/** Searches that find a carrier of this snapshot, with what they are; none when it cannot be read. */
async function examplesOf(
  snapshot: Snapshot | undefined,
): Promise<[what: string, query: string][]> {
  const example = snapshot && await exampleRecord(snapshot).catch(() => null);
  if (!example) return [];
  const { dot, legal_name = "", city = "" } = example;
  const mc = exampleMc(example);
  const name = `${legal_name} ${city}`.trim().toLowerCase();
  return [
    ["a USDOT number", String(dot)],
    ...mc === undefined ? [] : [["an MC number", `MC ${mc}`] as [string, string]],
    ...legal_name === "" || name.length > LONGEST_EXAMPLE
      ? []
      : [["a name and a city", name] as [string, string]],
  ];
}

const LONGEST_EXAMPLE = 60;

/** What is covered depends on whether the snapshot includes out-of-service orders. */
function ofOrders(day: string | undefined): { orders: string; not_orders: string } {
  return day === undefined
    ? { orders: "", not_orders: ", crash records and out-of-service orders" }
    : {
      orders: "\n- Does FMCSA's file list an out-of-service order, and was it rescinded?",
      not_orders: ` and crash records; out-of-service orders after ${formatForPeople(day)}`,
    };
}

function Home({ snapshot, examples, text }: {
  snapshot: SnapshotFacts | undefined;
  examples: readonly [what: string, query: string][];
  text: string;
}) {
  return (
    <>
      <SearchBox query="" focus />
      {examples.length > 0 && (
        <p class="hint">
          For example {examples.map(([what, query], at) => (
            <>
              {at === 0 ? "" : at === examples.length - 1 ? " or " : ", "}
              {what},{" "}
              <a href={`/search?q=${encodeURIComponent(query)}`}>
                <bdi>{query}</bdi>
              </a>
            </>
          ))}.
        </p>
      )}
      {snapshot === undefined
        ? <p>The carrier data can't be read at the moment; lookups fail until it can.</p>
        : <DataAge snapshot={snapshot} />}
      <section id="recent" aria-labelledby="recent-title" hidden>
        <h2 id="recent-title">
          Recent lookups <small>Kept in this browser only.</small>
        </h2>
        <ul></ul>
        <button type="button" class="quiet">Clear</button>
      </section>
      <div class="cards">
        {text.split(/^(?=## )/m).map((text) => (
          <section class="card">
            <Markdown text={text} />
          </section>
        ))}
      </div>
    </>
  );
}
