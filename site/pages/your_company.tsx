/**
 * `/your-company`, for the company itself: what others see first about it, and where to have FMCSA
 * correct its record.
 *
 * @module
 */

import { fill } from "../../api/discovery/texts.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import { lookupCarrier } from "../../api/operations/lookup.ts";
import { DATAQS, REGISTRATION, SAFER, saferOf, UCR } from "../../api/rules/official_sources.ts";
import { FiledText } from "../components/blocks.tsx";
import type { Page } from "../components/layout.tsx";
import { Markdown } from "../components/markdown.tsx";
import PAGES from "../content/pages.json" with { type: "json" };
import YOUR_COMPANY from "../content/your_company.md" with { type: "text" };
import { readDotField } from "../bulk/numbers.ts";
import { lookUp, type PageRoute, type Visit } from "./route.ts";

export const yourCompanyRoute: PageRoute = {
  path: "/your-company",
  listed: true,
  async answer(visit): Promise<Page> {
    const asked = visit.url.searchParams.get("dot");
    const found = asked === null ? undefined : await carrierOf(visit, asked);
    const dot = found?.dot;
    const { baseUrl } = visit.site;
    const text = fill(YOUR_COMPANY, baseUrl, {
      registration: REGISTRATION.url,
      registration_name: REGISTRATION.name,
      dataqs: DATAQS.url,
      ucr: UCR.url,
      ucr_name: UCR.name,
      ucr_fee: `${baseUrl}/ucr`,
      safer: dot === undefined ? SAFER.url : saferOf(dot).url,
      mcs150: `${baseUrl}/mcs150${dot === undefined ? "" : `?dot=${dot}`}`,
    });
    return {
      ...PAGES.your_company,
      shared: true,
      snapshotId: found?.snapshot.id,
      ...found !== undefined && { unlisted: true },
      body: (
        <>
          {found !== undefined && (
            <p class="notice">
              What people see first about{" "}
              <a href={`/carriers/${dot}`}>
                <FiledText text={found.name} />, USDOT {dot}
              </a>: <b>{found.verdict}</b>.
            </p>
          )}
          <Markdown text={text} />
        </>
      ),
    };
  },
};

/**
 * Returns the carrier with this number; undefined for one that is not in the data, because the page is
 * useful without it.
 */
async function carrierOf(visit: Visit, asked: string) {
  const read = readDotField(asked);
  if ("problem" in read) return undefined;
  try {
    return (await lookUp(visit, lookupCarrier, { dot: String(read.dot) })).answer;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "not_found") return undefined;
    throw error;
  }
}
