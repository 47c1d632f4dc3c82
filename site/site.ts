/**
 * The site: its routes, protection against forged forms, and caches that pages share.
 *
 * @module
 */

import { getPath } from "hono/utils/url";
import { type OpenApi, openApi } from "../api/discovery/openapi.ts";
import type { Exchange, Mount, Pages } from "../api/http/exchange.ts";
import { ServiceError } from "../api/operations/errors.ts";
import type { PageParts } from "../api/service.ts";
import { SharedCache } from "../pipeline/snapshot/shared_cache.ts";
import type { SumsTree } from "../pipeline/snapshot/sums_tree.ts";
import { assetAt, assetPath } from "./assets/assets.ts";
import { UploadJobs } from "./bulk/jobs.ts";
import type { Page, PageFile } from "./components/layout.tsx";
import { alertLinkRoutes } from "./pages/alert_links.tsx";
import { alertsRoute, alertsSentRoute } from "./pages/alerts.tsx";
import { bulkRoute, uploadRoute } from "./pages/bulk.tsx";
import { correctRoute } from "./pages/bulk_fix.tsx";
import { jobRoute } from "./pages/bulk_job.tsx";
import { carrierRoute } from "./pages/carrier/carrier.tsx";
import { recordRoutes } from "./pages/carrier/record.tsx";
import { compareRoute } from "./pages/carrier/compare.tsx";
import { docketRoute } from "./pages/docket.tsx";
import { developersMdRoute, developersRoute } from "./pages/developers/developers.tsx";
import { errorsGuideRoute } from "./pages/developers/errors_guide.tsx";
import { operationRoute } from "./pages/developers/operation.tsx";
import { callRoute } from "./pages/developers/run.tsx";
import { errorPage, FORGED_PAGE } from "./pages/error.tsx";
import { carrierFeedRoute, listFeedRoute } from "./pages/feed.ts";
import { homeRoute } from "./pages/home.tsx";
import { mcs150CalendarRoute, mcs150Route } from "./pages/mcs150_calculator.tsx";
import { type PageRoute, redirect, type RenderedReport, type Visit } from "./pages/route.ts";
import { searchRoute, suggestRoute } from "./pages/search.tsx";
import { figureRoute, statusRoute } from "./pages/status.tsx";
import { textRoutes } from "./pages/texts.tsx";
import { ucrRoute } from "./pages/ucr_calculator.tsx";
import { yourCompanyRoute } from "./pages/your_company.tsx";
import { render, siteHeaders } from "./render.ts";

export const ROUTES: readonly PageRoute[] = [
  homeRoute,
  searchRoute,
  suggestRoute,
  docketRoute,
  carrierRoute,
  ...recordRoutes,
  carrierFeedRoute,
  listFeedRoute,
  bulkRoute,
  uploadRoute,
  jobRoute,
  correctRoute,
  compareRoute,
  mcs150Route,
  mcs150CalendarRoute,
  ucrRoute,
  alertsRoute,
  alertsSentRoute,
  ...alertLinkRoutes,
  yourCompanyRoute,
  statusRoute,
  figureRoute,
  developersRoute,
  developersMdRoute,
  errorsGuideRoute,
  operationRoute,
  callRoute,
  ...textRoutes,
  { path: "/assets/{file}", answer: asset },
  // Browsers request this path for the icon of responses that are not HTML, such as JSON.
  { path: "/favicon.ico", answer: () => redirect(assetPath("icon.svg")) },
];

/** Paths of the pages in the sitemap. */
export const LISTED_PAGES: readonly string[] = ROUTES.filter(({ listed }) => listed)
  .map(({ path }) => path);

/** Cached for a year, because an asset's path contains a hash of its content. */
const CACHE_FOREVER = "public, max-age=31536000, immutable";

/** Number of build reports to cache: the current and the previous one. */
const REPORTS = 2;

/** Bytes of hash trees to cache: two snapshots at 7 MB each for the national data. */
const SUMS_BYTES = 16 * 1024 * 1024;

function asset({ url }: Visit): Response {
  const found = assetAt(url.pathname);
  if (found === undefined) throw new ServiceError("not_found", "There is no page at this address");
  const headers = { "Content-Type": found.type, "Cache-Control": CACHE_FOREVER };
  return new Response(found.body, { headers });
}

export function createSite(site: PageParts): Pages {
  const { baseUrl } = site;
  let document: OpenApi | undefined;
  const shared = {
    site,
    reports: new SharedCache<RenderedReport>(REPORTS),
    sums: new SharedCache<SumsTree>(SUMS_BYTES),
    uploads: new UploadJobs(site),
    openApi: () => document ??= openApi(baseUrl),
  };

  function respond(page: Page | PageFile, { request, requestId, day }: Exchange): Response {
    const { enabled: alerts } = site.alerts;
    return render(page, { ...day, request, requestId, baseUrl, path: getPath(request), alerts });
  }

  function mountOf(route: PageRoute): Mount {
    const { method = "GET", fromAnywhere, answer } = route;
    async function fetch(request: Request, exchange: Exchange): Promise<Response> {
      if (method === "POST" && !fromAnywhere && isForged(request.headers, baseUrl)) {
        return respond(FORGED_PAGE, exchange);
      }
      const { today } = exchange.day;
      const visit = { ...exchange, ...shared, url: new URL(request.url), today };
      const answered = await answer(visit);
      if (!(answered instanceof Response)) return respond(answered, exchange);
      for (const [name, value] of siteHeaders(exchange.requestId, baseUrl)) {
        if (!answered.headers.has(name)) answered.headers.set(name, value);
      }
      return answered;
    }
    return { ...route, methods: [method], isPage: true, fetch };
  }

  return {
    routes: ROUTES.map(mountOf),
    refuse: (error, exchange) =>
      respond(errorPage(error, { path: getPath(exchange.request) }), exchange),
  };
}

/** The content types that a form on any site can send without a CORS preflight. */
const FORM_TYPES = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;

/** Whether a form may come from another site, that is, no header shows that it comes from this one. */
function isForged(headers: Headers, baseUrl: string): boolean {
  const isForm = FORM_TYPES.test(headers.get("content-type") || "text/plain");
  const isOurs = /^(?:same-origin|none)$/.test(headers.get("sec-fetch-site") ?? "") ||
    headers.get("origin") === new URL(baseUrl).origin;
  return isForm && !isOurs;
}
