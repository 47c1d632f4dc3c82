/**
 * `/`: the search box, and what the service can and cannot answer.
 *
 * @module
 */

import { fill, textAt } from "../../api/discovery/texts.ts";
import { faultDetail } from "../../api/operations/errors.ts";
import { documentLinks, SERVICE_TITLE } from "../../api/operations/about.ts";
import { formatForPeople } from "../../pipeline/dates.ts";
import { snapshotFacts } from "../../api/rules/carrier.ts";
import type { SnapshotFacts } from "../../api/rules/schemas.ts";
import { Markdown } from "../components/markdown.tsx";
import { SearchBox } from "../components/search.tsx";
import { DataAge, Field } from "../components/blocks.tsx";
import HOME from "../content/home.md" with { type: "text" };
import PAGES from "../content/pages.json" with { type: "json" };
import { Examples, type ExampleSearches, exampleSearches } from "./examples.tsx";
import { type DayCounts, dayCounts, LastDay } from "./home_day.tsx";
import {
  currentSnapshot,
  historyDays,
  markdownAnswer,
  type PageRoute,
  prefersMarkdown,
} from "./route.ts";

/** The home page. A client that prefers Markdown gets the guide for agents instead. */
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
    const counts = current && await dayCounts(current, visit).catch((error) => {
      site.log(`home: ${faultDetail(error)}`);
      return undefined;
    });
    return {
      title: SERVICE_TITLE,
      ...PAGES.home,
      query: null,
      scripts: ["recent.js"],
      // Data that could not be read may be readable a moment later.
      shared: counts !== undefined,
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
          examples={await exampleSearches(current)}
          counts={counts ?? null}
          text={fill(HOME, site.baseUrl, {
            since: days === undefined ? "" : ` since ${formatForPeople(days.watched)}`,
            ...ofOrders(current?.manifest.orders_date),
          })}
        />
      ),
    };
  },
};

/** What is covered depends on whether the snapshot includes out-of-service orders. */
function ofOrders(day: string | undefined): { orders: string; not_orders: string } {
  return day === undefined
    ? { orders: "", not_orders: ", crash records and out-of-service orders" }
    : {
      orders: "\n- Does FMCSA's file list an out-of-service order, and was it rescinded?",
      not_orders: ` and crash records; out-of-service orders after ${formatForPeople(day)}`,
    };
}

function Home({ snapshot, examples, counts, text }: {
  snapshot: SnapshotFacts | undefined;
  examples: ExampleSearches;
  counts: DayCounts | null;
  text: string;
}) {
  return (
    <>
      <SearchBox query="" focus />
      <Examples examples={examples} />
      {snapshot === undefined
        ? <p>The carrier data can't be read at the moment; lookups fail until it can.</p>
        : <DataAge snapshot={snapshot} />}
      <section id="recent" aria-labelledby="recent-title" hidden>
        <h2 id="recent-title">
          Recent lookups <small>Saved in this browser only.</small>
        </h2>
        <ul></ul>
        <button type="button" class="quiet">Clear</button>
      </section>
      <Tools />
      {counts !== null && <LastDay counts={counts} />}
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

/** A list to paste, and the calculators, each with its first field. */
function Tools() {
  return (
    <div class="cards tools">
      <form action="/bulk" method="post" enctype="multipart/form-data" class="card">
        <Field
          id="text"
          label="Check a list"
          rows={3}
          input={{
            required: true,
            spellcheck: false,
            autocomplete: "off",
            placeholder: "One USDOT or MC number on each line",
          }}
        />
        <p class="actions">
          <button type="submit" class="quiet">Check the list</button>
        </p>
      </form>
      <form action="/mcs150" class="card">
        <Field
          id="dot"
          label="MCS-150 due date"
          hint="Enter a USDOT number"
          input={{ required: true, inputmode: "numeric", autocomplete: "off", maxlength: 40 }}
        />
        <p class="actions">
          <button type="submit" class="quiet">Show the date</button>
        </p>
      </form>
      <form action="/ucr" class="card">
        <Field
          id="vehicles"
          label="UCR fee"
          hint="Enter the number of commercial vehicles"
          input={{ required: true, inputmode: "numeric", autocomplete: "off", maxlength: 12 }}
        />
        <p class="actions">
          <button type="submit" class="quiet">Show the fee</button>
        </p>
      </form>
    </div>
  );
}
