/**
 * The pages that are documents: about, privacy, pricing, guarantees.
 *
 * @module
 */

import { COUNTED_MS, LIFE_MS as UNCONFIRMED_MS } from "../../api/alerts/records.ts";
import { DECLINES } from "../../api/ask/declines.ts";
import { exampleCarrier } from "../../api/discovery/examples.ts";
import { hours, INCLUDED } from "../../api/discovery/limits.ts";
import { fill, pricingMd } from "../../api/discovery/texts.ts";
import PROMISES from "../../api/GUARANTEES.md" with { type: "text" };
import { formatForPeople } from "../../api/rules/calendar.ts";
import { DUE_SOON_DAYS } from "../../api/rules/mcs150.ts";
import { CENSUS, DATAQS, INSPECTIONS, REGISTRATION } from "../../api/rules/official_sources.ts";
import { AVERAGES_SOURCE, COMPARABLE_INSPECTIONS } from "../../api/rules/out_of_service.ts";
import type { CheckId } from "../../api/rules/schemas.ts";
import { QUOTA, storedMs } from "../../api/state/rate_limit.ts";
import type { Manifest } from "../../pipeline/snapshot/manifest.ts";
import type { Page } from "../components/layout.tsx";
import { Markdown } from "../components/markdown.tsx";
import ABOUT from "../content/about.md" with { type: "text" };
import PRIVACY from "../content/privacy.md" with { type: "text" };
import { currentSnapshot, type PageRoute, type Visit } from "./route.ts";

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
    registration: REGISTRATION.url,
    dataqs: DATAQS.url,
    in_use: current === undefined
      ? "The data can't be read at the moment."
      : inUse(current.manifest),
    checks: checks(site.baseUrl),
    unknown: UNKNOWN.map((topic) => {
      const { text, where } = DECLINES[topic];
      return `- ${text}: ${where.map(({ name, url }) => `[${name}](${url})`).join(", ")}`;
    }).join("\n"),
  });
  return {
    title: "About",
    description:
      "Independent lookups over two public FMCSA files: what each check is based on, and what they don't show.",
    shared: current !== undefined,
    snapshotId: current?.id,
    body: <Markdown text={text} />,
  };
}

/** Topics people ask about most that the files don't cover. */
const UNKNOWN = [
  "insurance",
  "licensing",
  "crashes",
  "oos_order",
  "scores",
  "ucr_payment",
  "drivers",
] as const;

function inUse({ data_date, window: { from, to } }: Manifest): string {
  const [census, first, last] = [data_date, from, to].map(formatForPeople);
  return `In use: the census of ${census}, inspections from ${first} to ${last}.`;
}

const MEANINGS: Readonly<Record<CheckId, string>> = {
  usdot_status:
    "Active is OK, inactive is a problem, pending needs review. Active means the number is in use, not that the carrier complies.",
  mcs150:
    `OK when filed for the last scheduled date, review when due within ${DUE_SOON_DAYS} days, a problem when missed by a carrier that certainly owes it. A filing never moves the schedule.`,
  operating_authority:
    "Whether what the carrier filed needs federal authority, and which dockets the census lists. Docket status isn't authority, so this is never OK and never a problem.",
  safety_rating:
    "The rating of the last compliance review, with its date: it may be decades old. Satisfactory is OK, Conditional needs review, Unsatisfactory is a problem. Most carriers were never rated.",
  oos_rates:
    `Roadside inspections of 24 months that ended out of service, against the national averages (last checked ${
      formatForPeople(AVERAGES_SOURCE.lastChecked)
    }). Above the average by more than a single finding needs review; fewer than ${COMPARABLE_INSPECTIONS} inspections of a kind are not called below it.`,
  ucr:
    "An estimate of the fee from roles and power units in the census. Who has registered is in no public file, so there is no verdict.",
};

/** Each check with its meaning, its file and its citation, a list item each. */
function checks(baseUrl: string): string {
  // The checks of an example, for their labels and citations.
  const { checks } = exampleCarrier(baseUrl);
  return checks.map(({ id, label, basis: { file, citation, url } }) => {
    const cited = citation === null || url === null ? "" : `, [${citation}](${url})`;
    return `- **${label}.** ${MEANINGS[id]} Source: ${file}${cited}`;
  }).join("\n");
}

function pricing({ site }: Visit): Page {
  return {
    title: "Pricing",
    description:
      "Free for everyone: no account, no key, no payment details. Limits, and what is not offered.",
    shared: true,
    facts: { "@type": "Offer", price: "0", priceCurrency: "USD", description: INCLUDED },
    body: <Markdown text={pricingMd(site.baseUrl)} />,
  };
}

function guarantees(): Page {
  // Without the names of their tests.
  const promises = PROMISES.slice(PROMISES.indexOf("\n1. ")).replaceAll(/^ +- `.*\n/gm, "");
  const text = `# Guarantees\n\nEach of these has tests that run with every change.\n${promises}`;
  return {
    title: "Guarantees",
    description:
      "What this service promises of its answers and its limits; each promise is tested.",
    shared: true,
    body: <Markdown text={text} />,
  };
}

function privacy({ site }: Visit): Page {
  const text = fill(PRIVACY, site.baseUrl, {
    count_seconds: QUOTA.windowMs / 1000,
    cleared_minutes: storedMs(QUOTA.windowMs) / 60_000,
    unconfirmed_hours: hours(UNCONFIRMED_MS),
    sign_up_hours: hours(COUNTED_MS),
  });
  return {
    title: "Privacy",
    description: "What this service keeps of its visitors, for how long, and what it never keeps.",
    shared: true,
    body: <Markdown text={text} />,
  };
}
