/**
 * Every page, in the order to list them.
 *
 * @module
 */

import type { PageRoute } from "./page.ts";
import { aboutRoute } from "./pages/about.tsx";
import { bulkRoute, sendListRoute } from "./pages/bulk.tsx";
import { homeRoute } from "./pages/home.tsx";
import { listRoute } from "./pages/list.tsx";
import { mcs150CalendarRoute, mcs150Route } from "./pages/mcs150.tsx";
import { ucrRoute } from "./pages/ucr.tsx";

/** The pages. */
export const ROUTES: readonly PageRoute[] = [
  homeRoute,
  bulkRoute,
  sendListRoute,
  listRoute,
  mcs150Route,
  mcs150CalendarRoute,
  ucrRoute,
  aboutRoute,
];
