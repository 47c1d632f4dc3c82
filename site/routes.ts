/**
 * Every page, in the order to list them.
 *
 * @module
 */

import type { PageRoute } from "./page.ts";
import { aboutRoute } from "./pages/about.tsx";
import { alertLinkRoutes } from "./pages/alert_links.tsx";
import { alertsRoute, alertsSentRoute } from "./pages/alerts.tsx";
import { bulkRoute, sendListRoute } from "./pages/bulk.tsx";
import { carrierRoute, recordRoute } from "./pages/carrier.tsx";
import { developersRoute } from "./pages/developers.tsx";
import { faviconRoute } from "./pages/favicon.ts";
import { guaranteesRoute } from "./pages/guarantees.tsx";
import { homeRoute } from "./pages/home.tsx";
import { listRoute } from "./pages/list.tsx";
import { mcs150CalendarRoute, mcs150Route } from "./pages/mcs150.tsx";
import { pricingRoute } from "./pages/pricing.tsx";
import { privacyRoute } from "./pages/privacy.tsx";
import { searchRoute } from "./pages/search.tsx";
import { statusRoute } from "./pages/status.tsx";
import { suggestRoute } from "./pages/suggest.ts";
import { ucrRoute } from "./pages/ucr.tsx";

/** The pages. */
export const ROUTES: readonly PageRoute[] = [
  homeRoute,
  searchRoute,
  suggestRoute,
  carrierRoute,
  recordRoute,
  bulkRoute,
  sendListRoute,
  listRoute,
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
  faviconRoute,
];

/** Paths of the pages that a search engine may list. */
export const LISTED_PAGES: readonly string[] = ROUTES.filter(({ listed }) => listed)
  .map(({ path }) => path);
