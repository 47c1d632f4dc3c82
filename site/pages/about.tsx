/**
 * `/about`: whose service this is, what it rests on, and what it cannot know.
 *
 * @module
 */

import type { PageRoute } from "../page.ts";

/** The page. */
export const aboutRoute: PageRoute = {
  path: "/about",
  listed: true,
  answer: () => ({
    title: "About",
    description: "What this service is made from, and what it cannot know.",
    shared: true,
    body: (
      <>
        <h1>About</h1>
        <p class="lede">
          Independent: not part of, and not endorsed by, the US motor carrier safety regulator.
        </p>
      </>
    ),
  }),
};
