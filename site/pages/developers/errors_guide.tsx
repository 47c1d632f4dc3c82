/**
 * `/developers/errors`: errors and what to do about them, rate limits, API changes, and the deprecation policy.
 *
 * @module
 */

import { markdownTable } from "../../../api/discovery/limits.ts";
import { fill } from "../../../api/discovery/texts.ts";
import { API_VERSION, DEPRECATION } from "../../../api/operations/about.ts";
import { ERRORS } from "../../../api/operations/errors.ts";
import { Markdown } from "../../components/markdown.tsx";
import GUIDE from "../../content/errors_guide.md" with { type: "text" };
import PAGES from "../../content/pages.json" with { type: "json" };
import type { PageRoute } from "../route.ts";
import { LanguageChoice } from "./developers.tsx";

/** Statuses that may be transient, so that a retry of the same request may succeed. */
const RETRIED: ReadonlySet<number> = new Set([429, 500, 503]);

export const errorsGuideRoute: PageRoute = {
  path: "/developers/errors",
  listed: true,
  answer({ site: { baseUrl } }) {
    const text = fill(GUIDE, baseUrl, {
      version: API_VERSION,
      deprecation: DEPRECATION,
      error_table: markdownTable(
        ["Code", "Status", "When", "Retry"],
        Object.entries(ERRORS).map(([code, { status, when }]) => [
          `\`${code}\``,
          String(status),
          when,
          RETRIED.has(status) ? "yes" : "no",
        ]),
      ),
    });
    const [before, after] = text.split(/(?<=\n)(?=## When)/) as [string, string];
    return {
      ...PAGES.developers_errors,
      shared: true,
      style: "guide",
      scripts: ["copy.js"],
      body: (
        <>
          <div class="stacked">
            <Markdown text={before} />
          </div>
          <div class="choosing">
            <LanguageChoice />
            <Markdown text={after} />
          </div>
        </>
      ),
    };
  },
};
