/**
 * `/`: one box.
 *
 * @module
 */

import { documentLinks } from "../../api/discovery/links.ts";
import { SERVICE_TITLE } from "../../api/discovery/words.ts";
import type { PageRoute } from "../page.ts";
import { SearchBox } from "../parts/search_box.tsx";

/** The home page. */
export const homeRoute: PageRoute = {
  path: "/",
  listed: true,
  answer: ({ site }) => ({
    title: SERVICE_TITLE,
    description:
      "Look up a US motor carrier by USDOT number, MC number or name: six compliance checks, the MCS-150 deadline, inspections.",
    shared: true,
    headers: [["Link", documentLinks(site.baseUrl)]],
    body: (
      <>
        <h1>Is this carrier in order?</h1>
        <p class="lede">
          Six checks over public files of the US motor carrier safety regulator, each with its
          source and date. Free, no account.
        </p>
        <SearchBox query="" />
      </>
    ),
  }),
};
