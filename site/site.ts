/**
 * The site: its routes, which requests are its own, and how they are answered.
 *
 * @module
 */

import { type Context, Hono } from "hono";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { getPath } from "hono/utils/url";
import {
  type Admitted,
  type PageHandler,
  toServiceError,
  type Weight,
} from "../api/http/exchange.ts";
import { NewYorkDay } from "../api/rules/calendar.ts";
import { ServiceError } from "../api/operations/errors.ts";
import type { PageParts } from "../api/service.ts";
import { PAGE_COSTS } from "../api/state/rate_limit.ts";
import { SharedCache } from "../pipeline/snapshot/shared_cache.ts";
import { assetAt, assetPath } from "./assets/assets.ts";
import { UploadJobs } from "./bulk/jobs.ts";
import type { Page } from "./components/layout.tsx";
import { aboutRoute } from "./pages/about.tsx";
import { alertLinkRoutes } from "./pages/alert_links.tsx";
import { alertsRoute, alertsSentRoute } from "./pages/alerts.tsx";
import { bulkRoute, uploadRoute } from "./pages/bulk.tsx";
import { jobRoute } from "./pages/bulk_job.tsx";
import { carrierRoute, recordRoute } from "./pages/carrier/carrier.tsx";
import { developersRoute } from "./pages/developers/developers.tsx";
import { errorPage, forgedPage } from "./pages/error.tsx";
import { guaranteesRoute } from "./pages/guarantees.tsx";
import { homeRoute } from "./pages/home.tsx";
import { mcs150CalendarRoute, mcs150Route } from "./pages/mcs150.tsx";
import { pricingRoute } from "./pages/pricing.tsx";
import { privacyRoute } from "./pages/privacy.tsx";
import { type PageRoute, redirect } from "./pages/route.ts";
import { searchRoute, suggestRoute } from "./pages/search.tsx";
import { statusRoute } from "./pages/status.tsx";
import { ucrRoute } from "./pages/ucr.tsx";
import { render, siteHeaders } from "./render.ts";

/** Every page, in the order to list them. */
export const ROUTES: readonly PageRoute[] = [
  homeRoute,
  searchRoute,
  suggestRoute,
  carrierRoute,
  recordRoute,
  bulkRoute,
  uploadRoute,
  jobRoute,
  mcs150Route,
  mcs150CalendarRoute,
  ucrRoute,
  alertsRoute,
  alertsSentRoute,
  ...alertLinkRoutes,
  statusRoute,
  developersRoute,
  pricingRoute,
  aboutRoute,
  guaranteesRoute,
  privacyRoute,
  // Where browsers look for the icon of what is not a page, such as JSON.
  { path: "/favicon.ico", answer: () => redirect(assetPath("icon.svg")) },
];

/** Paths of the pages that a search engine may list. */
export const LISTED_PAGES: readonly string[] = ROUTES.filter(({ listed }) => listed)
  .map(({ path }) => path);

type SiteContext = Context<{ Bindings: Admitted }>;

/** A year: a path of an asset names its content. */
const FOR_EVER = "public, max-age=31536000, immutable";

/** Bytes of HTML to cache: a handful of long pages. */
const HTML_CACHE_BYTES = 4 * 1024 * 1024;

export function createSite(site: PageParts): PageHandler {
  const { baseUrl, clock, log } = site;
  const day = new NewYorkDay();
  const htmlCache = new SharedCache<string>(HTML_CACHE_BYTES);
  const uploads = new UploadJobs(site);
  const app = new Hono<{ Bindings: Admitted }>();

  function respond(page: Page, request: Request, requestId: string): Response {
    const { now, dayEnds } = day.at(clock.now());
    return render(page, { request, requestId, baseUrl, path: getPath(request), now, dayEnds });
  }

  function refuse(thrown: unknown, request: Request, requestId: string): Response {
    const error = toServiceError(thrown, { requestId, log });
    return respond(errorPage(error, { path: getPath(request) }), request, requestId);
  }

  const sameSite = csrf({ origin: new URL(baseUrl).origin, secFetchSite: ["same-origin", "none"] });
  app.get("/assets/*", (c) => {
    c.env.trace.route = "/assets/*";
    const asset = assetAt(c.req.path);
    if (asset === undefined) return c.notFound();
    return new Response(asset.text, {
      headers: [
        ...siteHeaders(c.env.requestId, baseUrl),
        ["Content-Type", asset.type],
        ["Cache-Control", FOR_EVER],
      ],
    });
  });
  for (const { path, method = "GET", fromAnywhere, answer } of ROUTES) {
    // Cross-site form posts are refused.
    if (method === "POST" && fromAnywhere !== true) app.use(path, sameSite);
    app.on(method, path, async (c) => {
      const { env: admitted, req } = c as SiteContext;
      const request = req.raw;
      admitted.trace.route = path;
      const answered = await answer({
        request,
        url: new URL(request.url),
        params: c.req.param() as Record<string, string>,
        admitted,
        today: day.at(clock.now()).today,
        site,
        htmlCache,
        uploads,
      });
      if (!(answered instanceof Response)) {
        return respond(answered, request, admitted.requestId);
      }
      for (const [name, value] of siteHeaders(admitted.requestId, baseUrl)) {
        if (!answered.headers.has(name)) answered.headers.set(name, value);
      }
      return answered;
    });
  }
  app.notFound((c: SiteContext) => {
    const allowed = methodsOf(c.req.path).join(", ");
    const error = allowed === ""
      ? new ServiceError("not_found", "There is no page at this address")
      : new ServiceError("method_not_allowed", "Cannot use this method on a page");
    const response = refuse(error, c.req.raw, c.env.requestId);
    if (allowed !== "") response.headers.set("Allow", allowed);
    return response;
  });
  app.onError((error, c: SiteContext) => {
    if (error instanceof HTTPException && error.status === 403) {
      return respond(forgedPage(), c.req.raw, c.env.requestId);
    }
    return refuse(error, c.req.raw, c.env.requestId);
  });

  return {
    takes(request) {
      const path = getPath(request);
      if (path.startsWith("/api/")) return false;
      return path.startsWith("/assets/") || methodsOf(path).length > 0;
    },
    weigh,
    fetch: (request, admitted) => Promise.resolve(app.fetch(request, admitted)),
    refuse,
  };
}

/** What a request takes up, by the processor time that it may need. */
function weigh(request: Request): Weight {
  const path = getPath(request);
  const large = path === "/bulk" && request.method === "POST";
  const cost = large
    ? PAGE_COSTS.upload
    : path === "/search" || path === "/suggest"
    ? PAGE_COSTS.search
    : path.startsWith("/bulk/")
    ? PAGE_COSTS.result
    : 1;
  return { cost, large };
}

const PATTERNS = ROUTES.map(({ path, method = "GET" }) => ({
  pattern: new RegExp(`^${path.split(/:\w+/).map(RegExp.escape).join("[^/]+")}$`),
  methods: method === "GET" ? ["GET", "HEAD"] : [method],
}));

/** The methods of a page, none where there is no page. */
function methodsOf(path: string): string[] {
  return PATTERNS.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
}
