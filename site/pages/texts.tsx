/**
 * The pages that are documents: about, privacy, pricing, guarantees.
 *
 * @module
 */

import { DECLINES } from "../../api/ask/plan/asked/intents.ts";
import { COUNTED_MS, LIFE_MS as UNCONFIRMED_MS } from "../../api/alerts/records.ts";
import { exampleCarrier } from "../../api/discovery/examples.ts";
import { hours, INCLUDED } from "../../api/discovery/limits.ts";
import { fill, textAt } from "../../api/discovery/texts.ts";
import PROMISES from "../../api/GUARANTEES.md" with { type: "text" };
import { formatForPeople } from "../../pipeline/dates.ts";
import { HISTORY_MONTHS, watchedWords } from "../../api/rules/changes.ts";
import { DUE_SOON_DAYS } from "../../api/rules/mcs150.ts";
import {
  CENSUS,
  DATAQS,
  INSPECTIONS,
  ORDERS,
  REGISTRATION,
} from "../../api/rules/official_sources.ts";
import { ORDER_MONTHS } from "../../api/rules/orders.ts";
import { AVERAGES_SOURCE, COMPARABLE_INSPECTIONS } from "../../api/rules/out_of_service.ts";
import { STORED_MS, WINDOW_MS } from "../../api/state/rate_limit.ts";
import type { Manifest } from "../../pipeline/snapshot/manifest.ts";
import type { Page } from "../components/layout.tsx";
import { Markdown } from "../components/markdown.tsx";
import ABOUT from "../content/about.md" with { type: "text" };
import PAGES from "../content/pages.json" with { type: "json" };
import PRIVACY from "../content/privacy.md" with { type: "text" };
import {
  currentSnapshot,
  type HistoryDays,
  historyDays,
  type PageRoute,
  type Visit,
} from "./route.ts";

export const textRoutes: readonly PageRoute[] = [
  { path: "/about", listed: true, answer: about },
  { path: "/pricing", listed: true, answer: pricing },
  { path: "/guarantees", listed: true, answer: guarantees },
  { path: "/privacy", listed: true, answer: privacy },
];

async function about({ site }: Visit): Promise<Page> {
  const current = await currentSnapshot(site.reader);
  const text = fill(ABOUT, site.baseUrl, {
    census: CENSUS.url,
    inspections: INSPECTIONS.url,
    orders: ORDERS.url,
    order_rule: current?.manifest.orders_date === undefined
      ? "Out-of-service orders are not included."
      : ORDER_RULE,
    registration: REGISTRATION.url,
    dataqs: DATAQS.url,
    in_use: current === undefined
      ? "The data can't be read at the moment."
      : inUse(current.manifest),
    due_soon_days: DUE_SOON_DAYS,
    averages_checked: formatForPeople(AVERAGES_SOURCE.lastChecked),
    comparable_inspections: COMPARABLE_INSPECTIONS,
    ...sources(site.baseUrl),
    history_months: HISTORY_MONTHS,
    history_days: historyWords(await historyDays(site.reader)),
    unknown: UNKNOWN.filter((topic) =>
      topic !== "oos_order" || current?.manifest.orders_date === undefined
    ).map((topic) => {
      const { text, where } = DECLINES[topic];
      return `- ${text}: ${where.map(({ name, url }) => `[${name}](${url})`).join(", ")}`;
    }).join("\n"),
  });
  return {
    ...PAGES.about,
    shared: current !== undefined,
    snapshotId: current?.id,
    style: "guide",
    body: <Markdown text={text} />,
  };
}

/** Topics people ask about most that the files don't cover. */
const UNKNOWN = [
  "insurance",
  "licensing",
  "crashes",
  "oos_order",
  "ucr_payment",
  "drivers",
] as const;

const ORDER_RULE =
  `An out-of-service order without a recorded rescission is a problem for ${ORDER_MONTHS} months and ` +
  "needs review after that; a rescinded one is a fact. Only the order's dates decide. A missing " +
  "rescission doesn't prove that an order stands.";

function inUse({ data_date, orders_date, window: { from, to } }: Manifest): string {
  const [census, first, last] = [data_date, from, to].map(formatForPeople);
  const orders = orders_date === undefined
    ? "out-of-service orders aren't included"
    : `out-of-service orders through ${formatForPeople(orders_date)}`;
  return `In use: the census of ${census}, inspections from ${first} to ${last}; ${orders}.`;
}

function historyWords(days: HistoryDays | undefined): string {
  if (days === undefined) return "The first day can't be read at the moment.";
  const { watched, kept } = days;
  return `${watchedWords({ since: watched })}. The first day that can be shown is ${
    formatForPeople(kept[0]!)
  }; for a day that isn't kept, the one kept before it is shown.`;
}

function sources(baseUrl: string): Record<string, string> {
  // The sources and citations are those of an example carrier's checks.
  const { checks } = exampleCarrier(baseUrl);
  return Object.fromEntries(checks.map(({ id, basis: { file, citation, url } }) => {
    const cited = citation === null || url === null ? "" : `, [${citation}](${url})`;
    return [id, `Source: ${file}${cited}`];
  }));
}

function pricing({ site }: Visit): Page {
  return {
    ...PAGES.pricing,
    shared: true,
    facts: { "@type": "Offer", price: "0", priceCurrency: "USD", description: INCLUDED },
    style: "guide",
    body: <Markdown text={textAt("/pricing.md", site.baseUrl)} />,
  };
}

function guarantees(): Page {
  // Removes the names of the tests below each guarantee.
  const promises = PROMISES.slice(PROMISES.indexOf("\n1. ")).replaceAll(/^ +- `.*\n/gm, "");
  const text = `# Guarantees\n\nEach of these has tests that run with every change.\n${promises}`;
  return { ...PAGES.guarantees, style: "guide", shared: true, body: <Markdown text={text} /> };
}

function privacy({ site }: Visit): Page {
  const text = fill(PRIVACY, site.baseUrl, {
    count_seconds: WINDOW_MS / 1000,
    cleared_minutes: STORED_MS / 60_000,
    unconfirmed_hours: hours(UNCONFIRMED_MS),
    sign_up_hours: hours(COUNTED_MS),
  });
  return { ...PAGES.privacy, style: "guide", shared: true, body: <Markdown text={text} /> };
}
