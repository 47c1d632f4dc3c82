/**
 * Every page, in the order to list them.
 *
 * @module
 */

import type { PageRoute } from "./page.ts";
import { aboutRoute } from "./pages/about.tsx";
import { alertLinkRoutes } from "./pages/alert_links.tsx";
import { alertsRoute, alertsSentRoute } from "./pages/alerts.tsx";
import { homeRoute } from "./pages/home.tsx";

/** The pages. */
export const ROUTES: readonly PageRoute[] = [
  homeRoute,
  aboutRoute,
  alertsRoute,
  alertsSentRoute,
  ...alertLinkRoutes,
];
