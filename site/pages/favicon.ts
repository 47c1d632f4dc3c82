/**
 * `/favicon.ico`: where browsers look for the icon of what is not a page, such as a text or JSON.
 *
 * @module
 */

import { assetPath } from "../assets.ts";
import type { PageRoute } from "../page.ts";
import { redirect } from "../redirect.ts";

/** Leads to the icon. */
export const faviconRoute: PageRoute = {
  path: "/favicon.ico",
  answer: () => redirect(assetPath("icon.svg")),
};
