/**
 * Calls to `/a2a`; every answer is checked for its invariants.
 *
 * @module
 */

import assert from "node:assert/strict";
import { z } from "zod";
import { a2a, type A2aDeps } from "../../../api/a2a/http.ts";
import { type Answer, answerOf } from "../http/service.ts";

const Part = z.union([
  z.strictObject({ text: z.string().min(1), mediaType: z.literal("text/plain") }),
  z.strictObject({
    data: z.record(z.string(), z.unknown()),
    mediaType: z.literal("application/json"),
  }),
]);

/** A `SendMessageResponse` of A2A 1.0 that contains a message, not a task. */
export const MessageResult = z.strictObject({
  message: z.strictObject({
    messageId: z.uuid(),
    contextId: z.string().min(1),
    role: z.literal("ROLE_AGENT"),
    parts: z.array(Part).min(1),
  }),
});

/** A JSON-RPC response. */
export const RpcAnswer = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.int(), z.null()]),
  result: z.unknown().optional(),
  error: z.strictObject({
    code: z.int(),
    message: z.string().regex(/^[A-Z].*[^.]$/),
    data: z.array(z.looseObject({ "@type": z.string().startsWith("type.googleapis.com/") }))
      .min(1).optional(),
  }).optional(),
}).refine((answer) => ("result" in answer) !== ("error" in answer));

/** Posts a string unchanged, or any other value as JSON. The answer must conform to JSON-RPC and A2A. */
export async function post(
  deps: A2aDeps,
  body: unknown,
  init: RequestInit = {},
): Promise<Answer> {
  const response = await a2a(
    new Request("http://localhost/a2a", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...init,
    }),
    deps,
  );
  const answer = await answerOf(response);
  assert.equal(answer.headers.get("content-type"), "application/json");
  assert.equal(answer.headers.get("cache-control"), "no-store");
  RpcAnswer.parse(answer.body);
  return answer;
}

/** Calls a method. */
export function call(deps: A2aDeps, method: string, params?: unknown): Promise<Answer> {
  return post(deps, { jsonrpc: "2.0", id: 7, method, ...params !== undefined && { params } });
}

/** A message from a user, from its text or its parts. */
export function message(
  content: string | unknown[],
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const parts = typeof content === "string" ? [{ text: content }] : content;
  return { messageId: "m-1", role: "ROLE_USER", parts, ...more };
}
