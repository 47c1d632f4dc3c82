/**
 * Every page, in the order to list them.
 *
 * @module
 */

import type { PageRoute } from "./page.ts";
import { aboutRoute } from "./pages/about.tsx";
import { developersRoute } from "./pages/developers.tsx";
import { homeRoute } from "./pages/home.tsx";
import { statusRoute } from "./pages/status.tsx";

/** The pages. */
export const ROUTES: readonly PageRoute[] = [
  homeRoute,
  statusRoute,
  developersRoute,
  aboutRoute,
];
