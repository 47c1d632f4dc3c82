/**
 * What the methods are sent, as far as it is read; other members are ignored.
 *
 * @module
 */

import { z } from "zod";
import { firstIssue } from "../operations/errors.ts";
import { A2aError } from "./errors.ts";

const text = z.string();

/** A part of a message: exactly one of the four contents. */
const Part = z.object({
  text: text.nullish(),
  /** Base64. */
  raw: text.nullish(),
  url: text.nullish(),
  data: z.unknown().optional(),
  mediaType: text.nullish(),
}).refine(
  ({ text, raw, url, data }) => [text, raw, url, data].filter((one) => one != null).length === 1,
  { error: "it has not exactly one of text, raw, url and data" },
);

/** Params of `SendMessage`. */
export const SendMessageParams = z.object({
  message: z.object({
    messageId: text.min(1, "it is empty"),
    role: z.literal("ROLE_USER", { error: "it is not ROLE_USER" }),
    parts: z.array(Part).min(1, "there is none"),
    contextId: text.nullish(),
    taskId: text.nullish(),
    metadata: z.object({ prev: z.array(text).nullish() }).nullish(),
  }),
  configuration: z.object({
    acceptedOutputModes: z.array(text).nullish(),
    taskPushNotificationConfig: z.unknown().optional(),
  }).nullish(),
});

/** A message of a caller. */
export type Sent = z.infer<typeof SendMessageParams>["message"];

/** Params of the methods that name a task. */
export const TaskParams = z.object({ id: text.min(1, "it is empty") });

/** Params of `ListTasks`. */
export const ListTasksParams = z.object({
  pageSize: z.int().min(1).max(100).default(50),
  pageToken: z.literal("", { error: "no list has a second page" }).nullish(),
});

/**
 * Reads params.
 *
 * @throws {A2aError} `INVALID_PARAMS`, naming the member.
 */
export function readParams<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const { path, what } = firstIssue(parsed.error);
  const field = path === "" ? "params" : `params.${path}`;
  throw new A2aError("INVALID_PARAMS", `Cannot read ${field}: ${what}`, { field });
}
