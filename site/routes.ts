/**
 * Every page, in the order to list them.
 *
 * @module
 */

import type { PageRoute } from "./page.ts";
import { aboutRoute } from "./pages/about.tsx";
import { alertLinkRoutes } from "./pages/alert_links.tsx";
import { alertsRoute, alertsSentRoute } from "./pages/alerts.tsx";
import { developersRoute } from "./pages/developers.tsx";
import { guaranteesRoute } from "./pages/guarantees.tsx";
import { homeRoute } from "./pages/home.tsx";
import { pricingRoute } from "./pages/pricing.tsx";
import { privacyRoute } from "./pages/privacy.tsx";
import { statusRoute } from "./pages/status.tsx";

/** The pages. */
export const ROUTES: readonly PageRoute[] = [
  homeRoute,
  statusRoute,
  developersRoute,
  pricingRoute,
  aboutRoute,
  alertsRoute,
  alertsSentRoute,
  ...alertLinkRoutes,
  guaranteesRoute,
  privacyRoute,
];

/** Paths of the pages that a search engine may list. */
export const LISTED_PAGES: readonly string[] = ROUTES.filter(({ listed }) => listed)
  .map(({ path }) => path);
