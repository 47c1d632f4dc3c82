/**
 * From an HTTP request to a question with the way it wants to be answered.
 *
 * @module
 */

import type { z } from "zod";
import { firstIssue } from "../operations/issues.ts";
import { show } from "../operations/numbers.ts";
import { AskRequest, type Failure, MODES, RESPONSE_FORMAT, RESPONSE_FORMATS } from "./schemas.ts";

/** A question. */
export interface Question {
  /** Empty when there is none, as in a probe. */
  query: string;
  /** Earlier questions, the oldest first. */
  prev: string[];
  streaming: boolean;
  summarize: boolean;
  requestId?: string;
}

/** A request that cannot be read, with the status to answer. */
export class RequestProblem extends Error {
  override readonly name = "RequestProblem";

  /** Codes other than `INVALID_REQUEST` name what is not offered. */
  constructor(
    readonly status: 400 | 405 | 413 | 415,
    message: string,
    readonly code: Failure["code"] = "INVALID_REQUEST",
  ) {
    super(message);
  }
}

/** Bytes of a request body at most. */
export const MAX_BODY = 64 * 1024;

/**
 * Reads a request: JSON by POST, `?query=` by GET. A missing query is none.
 *
 * @throws {RequestProblem} When it cannot be read or asks for what is not offered.
 */
export async function readQuestion(request: Request): Promise<Question> {
  const { method, headers } = request;
  if (method !== "POST" && method !== "GET" && method !== "HEAD") {
    throw new RequestProblem(405, "Cannot use this method here: the methods are POST and GET");
  }
  const parsed = AskRequest.safeParse(
    method === "POST" ? await readBody(request) : readAddress(request.url),
  );
  if (!parsed.success) throw new RequestProblem(400, explain(parsed.error));
  const { query, context, prefer, meta, prev, streaming, mode } = parsed.data;
  const modes = (prefer?.mode ?? mode ?? "list").split(",").map((one) => one.trim());
  const unknown = modes.find((one) => !(MODES as readonly string[]).includes(one));
  if (unknown !== undefined) {
    const message = `Cannot answer in mode ${show(unknown)}: the modes are ${MODES.join(" and ")}`;
    throw new RequestProblem(400, message, "UNSUPPORTED_MODE");
  }
  const format = prefer?.response_format;
  if (format !== undefined && !RESPONSE_FORMATS.includes(format)) {
    const message = `Cannot answer in format ${show(format)}: the format is ${RESPONSE_FORMAT}`;
    throw new RequestProblem(400, message, "UNSUPPORTED_FORMAT");
  }
  const earlier = context?.prev ?? prev ?? [];
  const requestId = meta?.request_id;
  return {
    query: (typeof query === "string" ? query : query?.text ?? "").trim(),
    prev: typeof earlier === "string" ? [earlier] : earlier,
    streaming: prefer?.streaming ?? streaming ?? /text\/event-stream/i.test(
      headers.get("accept") ?? "",
    ),
    summarize: modes.includes("summarize"),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

async function readBody(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type");
  if (type !== null && !/^\s*application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i.test(type)) {
    throw new RequestProblem(415, "Cannot read the body: send it as application/json");
  }
  const text = await readText(request).catch((error) => {
    if (error instanceof RequestProblem) throw error;
    throw new RequestProblem(400, "Cannot read the body: it broke off");
  });
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestProblem(400, "Cannot read the body: it is not JSON");
  }
}

async function readText(request: Request): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BODY) {
      throw new RequestProblem(413, `Cannot read the body: it has more than ${MAX_BODY} bytes`);
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The older form, all in the address. */
function readAddress(url: string): unknown {
  const { searchParams } = new URL(url);
  const streaming = searchParams.get("streaming");
  const mode = searchParams.get("mode");
  return {
    query: searchParams.get("query"),
    prev: searchParams.getAll("prev").flatMap(listOf),
    ...(streaming === null ? {} : { streaming: streaming === "true" || streaming === "1" }),
    ...(mode === null ? {} : { mode }),
  };
}

/** One question, or a JSON array of them. */
function listOf(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list.filter((item) => typeof item === "string");
  } catch {
    // Not JSON: a question as it is.
  }
  return [text];
}

function explain(error: z.ZodError): string {
  const { path, what } = firstIssue(error);
  return path === ""
    ? "Cannot read the body: it is not a JSON object"
    : `Cannot read ${path}: ${what}`;
}
