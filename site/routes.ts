/**
 * Every page, in the order to list them.
 *
 * @module
 */

import type { PageRoute } from "./page.ts";
import { aboutRoute } from "./pages/about.tsx";
import { carrierRoute, recordRoute } from "./pages/carrier.tsx";
import { faviconRoute } from "./pages/favicon.ts";
import { homeRoute } from "./pages/home.tsx";
import { searchRoute } from "./pages/search.tsx";
import { suggestRoute } from "./pages/suggest.ts";

/** The pages. */
export const ROUTES: readonly PageRoute[] = [
  homeRoute,
  searchRoute,
  suggestRoute,
  carrierRoute,
  recordRoute,
  aboutRoute,
  faviconRoute,
];
