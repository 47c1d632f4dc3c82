/**
 * The methods of A2A 1.0. `SendMessage` answers a question as `/ask` does, immediately and with a message.
 * The agent creates no tasks and stores nothing, so the methods for tasks, streams and push notifications
 * return what the specification requires of an agent without those capabilities.
 *
 * @module
 */

import { z } from "zod";
import { MAX_QUESTION } from "../ask/tokens/tokens.ts";
import type { SurfaceDeps } from "../operations/operation.ts";
import { collectAnswer } from "../ask/http.ts";
import { inWords } from "../ask/in_words.ts";
import { RPC_CODES, type RpcMessage } from "../http/rpc.ts";
import { firstIssue } from "../operations/errors.ts";
import { show } from "../operations/numbers.ts";

/** Error codes by A2A reason. Codes above -32100 are A2A's own; the others are JSON-RPC's. */
const CODES = {
  ...RPC_CODES,
  TASK_NOT_FOUND: -32001,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32003,
  UNSUPPORTED_OPERATION: -32004,
  CONTENT_TYPE_NOT_SUPPORTED: -32005,
  VERSION_NOT_SUPPORTED: -32009,
} as const;
export type A2aReason = keyof typeof CODES;

/** An error whose message is sent to the caller as is. */
export class A2aError extends Error {
  constructor(
    readonly reason: A2aReason,
    message: string,
    readonly options: {
      /** HTTP status. @default {200} */
      status?: number;
      /** Path of the invalid member, e.g. `params.message.parts`. */
      field?: string;
      /** Seconds to wait before a retry. */
      retryAfter?: number | undefined;
      metadata?: Record<string, string>;
    } = {},
  ) {
    super(message);
  }

  /** The JSON-RPC error object. */
  body(): object {
    const { reason, message, options: { field, retryAfter, metadata } } = this;
    const code = CODES[reason];
    const data: object[] = [];
    const detail = (type: string, facts: object): void =>
      void data.push({ "@type": `type.googleapis.com/google.rpc.${type}`, ...facts });
    if (code > -32100) detail("ErrorInfo", { reason, domain: "a2a-protocol.org", metadata });
    if (field !== undefined) {
      detail("BadRequest", { fieldViolations: [{ field, description: message }] });
    }
    if (retryAfter !== undefined) detail("RetryInfo", { retryDelay: `${retryAfter}s` });
    return { code, message, ...data.length > 0 && { data } };
  }
}

type Method = (params: unknown, deps: SurfaceDeps) => unknown;

const METHODS: Readonly<Record<string, Method>> = {
  SendMessage: sendMessage,
  SendStreamingMessage: () => refuse("Cannot stream: use SendMessage, or /ask for events"),
  GetTask: findTask,
  ListTasks: listTasks,
  CancelTask: findTask,
  SubscribeToTask: () => refuse("Cannot subscribe: every message is answered at once"),
  CreateTaskPushNotificationConfig: refusePush,
  GetTaskPushNotificationConfig: refusePush,
  ListTaskPushNotificationConfigs: refusePush,
  DeleteTaskPushNotificationConfig: refusePush,
  GetExtendedAgentCard: () => refuse("Cannot return another agent card: the public one is all"),
};

/** Calls a method and returns its result. @throws {A2aError} When the method is unknown or refuses the call. */
export async function call({ method, params }: RpcMessage, deps: SurfaceDeps): Promise<unknown> {
  if (Object.hasOwn(METHODS, method)) return await METHODS[method]!(params, deps);
  throw new A2aError(
    "METHOD_NOT_FOUND",
    `Cannot find method ${show(method)}: send a question with SendMessage, as A2A 1.0 has it`,
  );
}

const text = z.string();

// The schemas list only the members we read; other members are ignored.
const Part = z.object({
  text: text.nullish(),
  raw: text.nullish(),
  url: text.nullish(),
  data: z.unknown().optional(),
  mediaType: text.nullish(),
}).refine(
  ({ text, raw, url, data }) => [text, raw, url, data].filter((one) => one != null).length === 1,
  { error: "it has not exactly one of text, raw, url and data" },
);
const SendMessageParams = z.object({
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
const TaskParams = z.object({ id: text.min(1, "it is empty") });
const ListTasksParams = z.object({
  pageSize: z.int().min(1).max(100).default(50),
  pageToken: z.literal("", { error: "no list has a second page" }).nullish(),
});

function readParams<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const { path, what } = firstIssue(parsed.error);
  const field = path === "" ? "params" : `params.${path}`;
  throw new A2aError("INVALID_PARAMS", `Cannot read ${field}: ${what}`, { field });
}

/** Media types of the message parts we accept. */
export const INPUT_MODES = ["text/plain"] as const;

/** Media types of the parts of an answer. */
export const OUTPUT_MODES = ["text/plain", "application/json"] as const;

async function sendMessage(params: unknown, deps: SurfaceDeps): Promise<unknown> {
  const { message, configuration } = readParams(SendMessageParams, params);
  if (message.taskId) refuseTask(message.taskId);
  if (configuration?.taskPushNotificationConfig != null) refusePush();
  const modes = outputModes(configuration?.acceptedOutputModes ?? []);
  const response = await collectAnswer({
    query: questionOf(message),
    prev: message.metadata?.prev ?? [],
  }, deps);
  const parts = [
    { text: inWords(response), mediaType: OUTPUT_MODES[0] },
    { data: response, mediaType: OUTPUT_MODES[1] },
  ];
  return {
    message: {
      messageId: crypto.randomUUID(),
      contextId: message.contextId || crypto.randomUUID(),
      role: "ROLE_AGENT",
      parts: parts.filter(({ mediaType }) => modes.includes(mediaType)),
    },
  };
}

/** Joins the text of all parts. Refuses a part that can't be read, rather than skipping it. */
function questionOf({ parts }: z.infer<typeof SendMessageParams>["message"]): string {
  const texts = parts.map(({ text, mediaType }, i) => {
    const type = bareMediaType(mediaType || INPUT_MODES[0]);
    if (text != null && type === INPUT_MODES[0]) return text.trim();
    const field = `params.message.parts.${i}`;
    const what = text == null ? "it is not text" : `it is ${show(type)}`;
    const message = `Cannot read ${field}: ${what}; send text/plain`;
    throw new A2aError("CONTENT_TYPE_NOT_SUPPORTED", message, { field });
  });
  const query = texts.filter((text) => text !== "").join("\n");
  if (query.length <= MAX_QUESTION) return query;
  const field = "params.message.parts";
  const message = `Cannot read ${field}: the question has more than ${MAX_QUESTION} characters`;
  throw new A2aError("INVALID_PARAMS", message, { field });
}

/** The output modes that the caller accepts; all of them when it names none. */
function outputModes(accepted: readonly string[]): string[] {
  const ranges = accepted.map(bareMediaType);
  const modes = OUTPUT_MODES.filter((mode) =>
    ranges.length === 0 ||
    ranges.some((range) => [mode, "*/*", mode.replace(/\/.*/, "/*")].includes(range))
  );
  if (modes.length > 0) return modes;
  const field = "params.configuration.acceptedOutputModes";
  const message = `Cannot answer in these output modes: the modes are ${
    OUTPUT_MODES.join(" and ")
  }`;
  throw new A2aError("CONTENT_TYPE_NOT_SUPPORTED", message, { field });
}

/** A media type in lower case, without its parameters. */
function bareMediaType(mediaType: string): string {
  return mediaType.split(";")[0]!.trim().toLowerCase();
}

function findTask(params: unknown): never {
  return refuseTask(readParams(TaskParams, params).id);
}

function listTasks(params: unknown = {}): unknown {
  const { pageSize } = readParams(ListTasksParams, params);
  return { tasks: [], nextPageToken: "", pageSize, totalSize: 0 };
}

function refuse(message: string): never {
  throw new A2aError("UNSUPPORTED_OPERATION", message);
}

function refuseTask(id: string): never {
  const taskId = show(id);
  const message =
    `Cannot find task ${taskId}: every message is answered at once and no task is kept`;
  throw new A2aError("TASK_NOT_FOUND", message, { metadata: { taskId } });
}

function refusePush(): never {
  const message = "Cannot push: every message is answered at once";
  throw new A2aError("PUSH_NOTIFICATION_NOT_SUPPORTED", message);
}
