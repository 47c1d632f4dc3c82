/**
 * For models and agents: MCP, `/ask`, A2A, and the documents for programs.
 *
 * @module
 */

import { EXAMPLES, FOLLOW_UP } from "../../../api/ask/schemas.ts";
import { NLWEB_VERSION } from "../../../api/ask/schemas.ts";
import { A2A_CALL, MCP_CALL } from "../../../api/discovery/examples.ts";
import { SKILLS } from "../../../api/discovery/skills.ts";
import { AGENT_CARD } from "../../../api/operations/about.ts";
import { OPERATIONS } from "../../../api/operations/table.ts";
import { Code, Json } from "../../components/blocks.tsx";
import { curl } from "../../../api/discovery/curl.ts";

/** Name of the server in a client's settings. */
const NAME = "carrier-compliance";

/** How to add the MCP server to clients. */
export function McpSection({ baseUrl, address }: { baseUrl: string; address: string | undefined }) {
  const url = `${baseUrl}/mcp`;
  return (
    <>
      <h2 id="mcp">MCP</h2>
      <p>
        The same {OPERATIONS.length}{" "}
        lookups and calculations as read-only tools, over streamable HTTP at{" "}
        <code>{url}</code>. No key, no session. Clients that can show apps get a card for a carrier.
        {" "}
        <a href="/mcp/server-card">Server card</a>.
      </p>
      <h3 id="mcp-claude-code">Claude Code</h3>
      <Code copy text={`claude mcp add --transport http ${NAME} ${url}`} />
      <h3 id="mcp-claude">Claude (web and desktop), ChatGPT</h3>
      <p>
        Add a custom connector in the settings and give it the address{" "}
        <code>{url}</code>, without authentication. Their servers must be able to reach it.
      </p>
      <h3 id="mcp-cursor">Cursor</h3>
      <p>
        In <code>~/.cursor/mcp.json</code>, or <code>.cursor/mcp.json</code> in a project:
      </p>
      <Json copy value={{ mcpServers: { [NAME]: { url } } }} />
      <h3 id="mcp-vs-code">VS Code</h3>
      <p>
        In <code>.vscode/mcp.json</code>:
      </p>
      <Json copy value={{ servers: { [NAME]: { type: "http", url } } }} />
      <h3 id="mcp-codex">Codex</h3>
      <Code copy text={`codex mcp add ${NAME} --url ${url}`} />
      <h3 id="mcp-gemini">Gemini CLI</h3>
      <p>
        In <code>~/.gemini/settings.json</code>:
      </p>
      <Json copy value={{ mcpServers: { [NAME]: { httpUrl: url } } }} />
      <h3 id="mcp-stdio">Over standard input and output</h3>
      <p>
        For a client that only starts programs, from a checkout of the source (put its path for
        PATH):
      </p>
      <Json
        copy
        value={{
          mcpServers: {
            [NAME]: {
              command: "npx",
              args: [
                "-y",
                `deno@${Deno.version.deno}`,
                "run",
                "-A",
                "PATH/mcp/stdio.ts",
                address ?? "--sample",
              ],
            },
          },
        }}
      />
      <h3 id="mcp-call">By hand</h3>
      <Code
        copy
        text={curl({ url, ...MCP_CALL })}
      />
    </>
  );
}

const DOCUMENTS = [
  ["/openapi.json", "OpenAPI 3.1: every operation, member, header and error"],
  ["/agents.md", "The guide for agents: calls to copy, limits, errors"],
  ["/llms.txt", "The short guide, for a model's context"],
  ["/auth.md", "That no credential exists"],
  ["/pricing.md", "That it is free"],
  ["/.well-known/api-catalog", "Endpoints as a set of links (RFC 9727)"],
  ["/.well-known/ard.json", "What agents can use here"],
  [AGENT_CARD, "The A2A agent"],
] as const;

/** What programs can read of the service. */
export function DocumentSection() {
  return (
    <>
      <h2 id="documents">Documents for programs</h2>
      <ul>
        {DOCUMENTS.map(([path, text]) => (
          <li>
            <a href={path}>{path}</a>: {text}
          </li>
        ))}
        {SKILLS.map(({ path, title }) => (
          <li>
            <a href={path}>{path}</a>: skill, {title}
          </li>
        ))}
      </ul>
    </>
  );
}

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
        understood. It declines topics that the files don't cover by name.
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
