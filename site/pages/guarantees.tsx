/**
 * `/guarantees`: what the service promises, from the list that the tests verify.
 *
 * @module
 */

import PROMISES_TEXT from "../../api/GUARANTEES.md" with { type: "text" };
import type { PageRoute } from "./route.ts";
import { Prose } from "../components/text.tsx";

/** A promise: a sentence, and what else is to be said of it. */
interface Promised {
  sentence: string;
  more: string;
}

const PROMISES = promisesOf(PROMISES_TEXT);

/** The page. */
export const guaranteesRoute: PageRoute = {
  path: "/guarantees",
  listed: true,
  answer: () => ({
    title: "What is promised",
    description:
      "What this service promises of its answers and of its limits; each promise is held by tests.",
    shared: true,
    body: (
      <>
        <h1>What is promised</h1>
        <p class="lede">
          For developers who build on it. Each of these is held by tests that run with every change.
        </p>
        <ol class="promises">
          {PROMISES.map(({ sentence, more }) => (
            <li>
              <strong>
                <Prose text={sentence} />
              </strong>{" "}
              <Prose text={more} />
            </li>
          ))}
        </ol>
        <p>
          What is not promised stands with the <a href="/pricing#not-offered">pricing</a>.
        </p>
      </>
    ),
  }),
};

/** The promises of the list, without the names of their tests. */
function promisesOf(markdown: string): Promised[] {
  return markdown.split(/^\d+\. /m).slice(1).map((item) => {
    const text = item.replace(/^ +- `.*$/gm, "").replaceAll(/\s+/g, " ").trim();
    const [, sentence = "", more = ""] = /^\*\*(.+?)\*\*(.*)$/.exec(text) ?? [];
    // The sentence may end after the bold part; "1.0" does not end one.
    const end = /[.!]$/.test(sentence) ? "" : /^.*?\.(?=\s|$)/.exec(more)?.[0] ?? "";
    return { sentence: sentence + end, more: more.slice(end.length).trim() };
  });
}
