/**
 * `SendMessage`: a question in, the answer of `/ask` out, at once and as a message. No task is made
 * and nothing is kept.
 *
 * @module
 */

import { MAX_QUESTION } from "../ask/entities.ts";
import { type AskHttpDeps, collect } from "../ask/http.ts";
import { inWords } from "../ask/rendering.ts";
import { show } from "../operations/numbers.ts";
import { A2aError } from "./errors.ts";
import { readParams, SendMessageParams, type Sent } from "./params.ts";

/** Media types of the parts that are understood. */
export const INPUT_MODES = ["text/plain"] as const;

/** Media types of the parts of every answer. */
export const OUTPUT_MODES = ["text/plain", "application/json"] as const;

/** A part of an answer. */
export type AnswerPart =
  | { text: string; mediaType: typeof OUTPUT_MODES[0] }
  | { data: unknown; mediaType: typeof OUTPUT_MODES[1] };

/** An answer. */
export interface AgentMessage {
  messageId: string;
  contextId: string;
  role: "ROLE_AGENT";
  parts: AnswerPart[];
}

/**
 * Answers a message.
 *
 * @throws {A2aError} When it cannot be taken.
 * @throws As `collect`.
 */
export async function sendMessage(
  params: unknown,
  deps: AskHttpDeps,
): Promise<{ message: AgentMessage }> {
  const { message, configuration } = readParams(SendMessageParams, params);
  if (message.taskId) throw noTask(message.taskId);
  if (configuration?.taskPushNotificationConfig != null) throw noPush();
  const accepts = acceptance(configuration?.acceptedOutputModes ?? []);
  const query = questionOf(message);
  const prev = message.metadata?.prev ?? [];
  const response = await collect({ query, prev }, deps);
  const parts: AnswerPart[] = [
    { text: inWords(response), mediaType: "text/plain" },
    { data: response, mediaType: "application/json" },
  ];
  return {
    message: {
      messageId: crypto.randomUUID(),
      contextId: message.contextId || crypto.randomUUID(),
      role: "ROLE_AGENT",
      parts: parts.filter(({ mediaType }) => accepts(mediaType)),
    },
  };
}

/** The error for a task, of which there is none. */
export function noTask(id: string): A2aError {
  return new A2aError(
    "TASK_NOT_FOUND",
    `Cannot find task ${show(id)}: every message is answered at once and no task is kept`,
    { metadata: { taskId: show(id) } },
  );
}

/** The error for push notifications, which are not offered. */
export function noPush(): A2aError {
  return new A2aError(
    "PUSH_NOTIFICATION_NOT_SUPPORTED",
    "Cannot push: every message is answered at once",
  );
}

/** The text of all parts; a part that cannot be read is refused rather than passed over. */
function questionOf({ parts }: Sent): string {
  const texts = parts.map(({ text, mediaType }, i) => {
    const type = bare(mediaType || INPUT_MODES[0]);
    if (text == null || type !== INPUT_MODES[0]) {
      const what = text == null ? "it is no text" : `it is ${show(type)}`;
      throw new A2aError(
        "CONTENT_TYPE_NOT_SUPPORTED",
        `Cannot read params.message.parts.${i}: ${what}; send text/plain`,
        { field: `params.message.parts.${i}` },
      );
    }
    return text.trim();
  });
  const query = texts.filter((text) => text !== "").join("\n");
  if (query.length <= MAX_QUESTION) return query;
  throw new A2aError(
    "INVALID_PARAMS",
    `Cannot read params.message.parts: the question has more than ${MAX_QUESTION} characters`,
    { field: "params.message.parts" },
  );
}

/** Tells which media types the caller takes: all when it names none. */
function acceptance(modes: readonly string[]): (type: string) => boolean {
  const accepts = (type: string): boolean =>
    modes.length === 0 || modes.some((mode) => {
      const wanted = bare(mode);
      return wanted === type || wanted === "*/*" || wanted === `${type.split("/")[0]}/*`;
    });
  if (OUTPUT_MODES.some(accepts)) return accepts;
  throw new A2aError(
    "CONTENT_TYPE_NOT_SUPPORTED",
    `Cannot answer in these output modes: the modes are ${OUTPUT_MODES.join(" and ")}`,
    { field: "params.configuration.acceptedOutputModes" },
  );
}

/** A media type without its parameters, in lower case. */
function bare(mediaType: string): string {
  return mediaType.split(";")[0]!.trim().toLowerCase();
}
