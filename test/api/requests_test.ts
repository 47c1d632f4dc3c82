/**
 * The requests of the golden file: lines of `METHOD target | header: value < body`, of
 * `message PARTS CONFIGURATION MEMBERS` to A2A, or of `tool NAME ARGUMENTS` to MCP. `{x*3}` is `xxx`. Each is followed by the status, the code and
 * message of an error or else the beginning of the body, and headers that only some answers have.
 */

import assert from "node:assert/strict";
import { AskResponse } from "../../api/ask/answers/schemas.ts";
import { ERRORS } from "../../api/operations/errors.ts";
import { LISTED_TOOLS } from "../../mcp/server.ts";
import { openSource } from "../../pipeline/snapshot/sources/open_source.ts";
import { builtSample } from "../pipeline/sample/built_sample.ts";
import { message, RpcAnswer } from "./a2a/service.ts";
import { eventsIn } from "./ask/service.ts";
import { serviceOn } from "./discovery/contract.ts";
import { validator } from "../mcp/json_schema.ts";
import { type Answer, answerOf, BASE_URL, checkAnswer, from, requestOf } from "./http/service.ts";

const GOLDEN = new URL("./golden/requests.txt", import.meta.url);
const CORS = ["methods", "headers"].map((name) => `access-control-allow-${name}`);
const SHOWN = ["allow", "retry-after", "snapshot-id", ...CORS, "access-control-max-age"];
const CENSUS = "FMCSA's census of Oct 3, 2026";
const REPEATED = /\{([^{}]+)\*(\d+)\}/g;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

Deno.test("every request is answered or refused exactly as in the golden file", async () => {
  const app = serviceOn(openSource(await builtSample()));
  const said = new Set<string>();

  async function answered(line: string): Promise<string> {
    const { request, peer } = requestOf(expanded(line));
    const { method } = request;
    const target = request.url.slice(BASE_URL.length);
    const answer = await answerOf(await app.fetch(request, from(peer)));
    const { status, headers, body } = answer;
    if (target === "/mcp") return mcpAnswer(line, answer);
    if (body?.jsonrpc !== undefined) RpcAnswer.parse(body);
    else if (body?._meta !== undefined) AskResponse.parse(body);
    else if (headers.get("content-type")?.startsWith("text/event-stream")) {
      const events = eventsIn(answer.text).map(({ event, data: { _meta, index, error } }) =>
        `${event} ${error?.code ?? _meta?.response_type ?? index}`
      );
      return `  ${status} events: ${events.join(", ")}`;
    } else checkAnswer(answer, { method, target });
    const { error } = body ?? {};
    if (error) {
      assert.match(error.message, /^[\x20-\x7e]{1,220}$/, "safe to show");
      said.add(`${error.code}: ${error.message.replace("this sample", CENSUS)}`);
    }
    const { code, message, ...more } = error ?? {};
    const { _meta, ...rest } = body ?? {};
    const facts = error ? [`${code}: ${message}`, more] : _meta ? [_meta, rest] : [body];
    const shown = facts.map((fact) => typeof fact === "string" ? fact : jsonOf(fact));
    const own = SHOWN.filter((name) => headers.has(name))
      .map((name) => name === "snapshot-id" ? name : `${name}: ${headers.get(name)}`);
    return ["  " + [status, ...shown.filter((text) => text !== "")].join(" "), ...own].join(" | ");
  }

  const lines = (await Deno.readTextFile(GOLDEN)).split("\n")
    .filter((line) => !line.startsWith("  "));
  const now: string[] = [];
  for (const line of lines) {
    now.push(line);
    if (line !== "" && !line.startsWith("#")) now.push(await answered(line));
  }
  if (Deno.env.has("UPDATE_GOLDEN")) await Deno.writeTextFile(GOLDEN, now.join("\n"));
  assert.deepEqual(now, (await Deno.readTextFile(GOLDEN)).split("\n"));
  // The OpenAPI document's examples are what the service answers.
  for (const [code, { message }] of Object.entries(ERRORS)) {
    const elsewhere = ["invalid_host", "rate_limited", "internal_error", "upstream_unavailable"];
    if (!elsewhere.includes(code)) assert.ok(said.has(`${code}: ${message}`), message);
  }
});

/** The POST request for a line of `message` or `tool`. */
function expanded(line: string): string {
  const [, kind, given] = /^(message|tool) (.+)$/.exec(line) ?? [];
  if (kind === undefined) return line;
  const text = given!.replaceAll(REPEATED, (_, part, n) => part.repeat(Number(n)));
  const [first, ...rest] = text.split(/ (?=\{)/);
  const [second, more = {}] = rest.map((json) => JSON.parse(json));
  const [path, method, params] = kind === "tool"
    ? ["/mcp", "tools/call", { name: first, arguments: second }]
    : ["/a2a", "SendMessage", {
      message: message(JSON.parse(first!), more),
      configuration: second,
    }];
  return `POST ${path} < ${JSON.stringify({ jsonrpc: "2.0", id: 7, method, params })}`;
}

/**
 * An MCP answer as the golden file has it: a tool's text, after its structured content was validated, or else the
 * body.
 */
function mcpAnswer(line: string, { status, headers, body }: Answer): string {
  assert.notEqual(body?.id, null, "null is not an id");
  const allow = headers.has("allow") ? ` | allow: ${headers.get("allow")}` : "";
  const { isError, content, structuredContent } = body?.result ?? {};
  if (content === undefined) return `  ${status} ${jsonOf(body ?? {})}`.trimEnd() + allow;
  const tool = LISTED_TOOLS.find(({ name }) => line.split(" ")[1] === name)!;
  assert.equal(structuredContent === undefined, isError === true);
  if (!isError) validator(tool.outputSchema!)(structuredContent);
  assert.equal(content.length, 1);
  return `  ${isError ? "error: " : ""}${cut(content[0].text.replaceAll("\n", " / "), 900)}`;
}

/** JSON without what varies by sample or by request. Long texts are cut. */
function jsonOf(value: unknown): string {
  const text = JSON.stringify(value, (name, member) => {
    if (name === "snapshot") return undefined;
    return typeof member === "string" ? cut(member.replaceAll(UUID, "UUID"), 220) : member;
  }) ?? "";
  return text === "{}" ? "" : cut(text, 700);
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
