/**
 * `/guarantees`: the promises of GUARANTEES.md.
 *
 * @module
 */

import PROMISES_TEXT from "../../api/GUARANTEES.md" with { type: "text" };
import { Prose } from "../components/text.tsx";
import type { PageRoute } from "./route.ts";

interface Promised {
  sentence: string;
  more: string;
}

const PROMISES = promisesOf(PROMISES_TEXT);

export const guaranteesRoute: PageRoute = {
  path: "/guarantees",
  listed: true,
  answer: () => ({
    title: "Guarantees",
    description:
      "What this service promises of its answers and of its limits; each promise is tested.",
    shared: true,
    body: (
      <>
        <h1>Guarantees</h1>
        <p class="lede">
          For developers who build on it. Each of these has tests that run with every change.
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
          What is not promised: see <a href="/pricing#not-offered">pricing</a>.
        </p>
      </>
    ),
  }),
};

/** The promises, without the names of their tests. */
function promisesOf(markdown: string): Promised[] {
  return markdown.split(/^\d+\. /m).slice(1).map((item) => {
    const text = item.replace(/^ +- `.*$/gm, "").replaceAll(/\s+/g, " ").trim();
    const [, sentence = "", more = ""] = /^\*\*(.+?)\*\*(.*)$/.exec(text) ?? [];
    // The sentence may end after the bold part; "1.0" does not end one.
    const end = /[.!]$/.test(sentence) ? "" : /^.*?\.(?=\s|$)/.exec(more)?.[0] ?? "";
    return { sentence: sentence + end, more: more.slice(end.length).trim() };
  });
}
