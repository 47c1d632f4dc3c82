/**
 * Questions in plain words: over `/ask`, and between agents.
 *
 * @module
 */

import { EXAMPLES, FOLLOW_UP } from "../../api/ask/examples.ts";
import { NLWEB_VERSION } from "../../api/ask/schemas.ts";
import { A2A_CALL } from "../../api/discovery/examples.ts";
import { AGENT_CARD } from "../../api/operations/about.ts";
import { Code } from "../parts/code.tsx";
import { curl } from "./curl.ts";

/** How a question in plain words is asked. */
export function AskSection({ baseUrl }: { baseUrl: string }) {
  const [query] = EXAMPLES.lookupCarrier;
  const url = `${baseUrl}/ask`;
  return (
    <>
      <h2 id="ask">Questions in plain words</h2>
      <p>
        <code>/ask</code> speaks NLWeb{" "}
        {NLWEB_VERSION}. It understands questions on carriers, deadlines and fees by rules, not by a
        language model: the same question always means the same, and the answer says what it
        understood. What the files do not tell it declines by name.
      </p>
      <Code
        copy
        text={[
          curl({ url: `${url}?${new URLSearchParams({ query })}` }),
          curl({ url, body: { query: FOLLOW_UP.query, context: { prev: [FOLLOW_UP.prev] } } }),
          curl({ url, body: { query, prefer: { streaming: true } } }),
        ].join("\n")}
      />
      <p>
        <code>_meta.response_type</code> says what comes: <code>answer</code> with{" "}
        <code>results</code>, each with its sources in <code>grounding</code>;{" "}
        <code>elicitation</code> when something has to be asked back; <code>failure</code> with an
        {" "}
        <code>error</code>. With <code>prefer.streaming</code> it comes as server-sent events.
      </p>
    </>
  );
}

/** How another agent asks. */
export function A2aSection({ baseUrl }: { baseUrl: string }) {
  const url = `${baseUrl}/a2a`;
  return (
    <>
      <h2 id="a2a">A2A</h2>
      <p>
        An A2A 1.0 agent over JSON-RPC at <code>{url}</code>, with its{" "}
        <a href={AGENT_CARD}>agent card</a>. It answers the same questions as <code>/ask</code>{" "}
        with one message: a text, and the answer as data. There are no tasks, no streams and no push
        notifications, and nothing is remembered.
      </p>
      <Code copy text={curl({ url, ...A2A_CALL })} />
    </>
  );
}
