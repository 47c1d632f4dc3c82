/**
 * The methods of A2A 1.0. Those for tasks, streams and push notifications answer as the
 * specification has it for an agent that offers none of them.
 *
 * @module
 */

import type { AskHttpDeps } from "../ask/http.ts";
import { show } from "../operations/numbers.ts";
import type { RpcMessage } from "../http/input.ts";
import { A2aError } from "./errors.ts";
import { ListTasksParams, readParams, TaskParams } from "./params.ts";
import { noPush, noTask, sendMessage } from "./send_message.ts";

type Method = (params: unknown, deps: AskHttpDeps) => unknown;

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
  GetExtendedAgentCard: () => refuse("Cannot give another agent card: the public one is all"),
};

/** The result of a method. @throws {A2aError} When it has none. */
export async function call({ method, params }: RpcMessage, deps: AskHttpDeps): Promise<unknown> {
  if (Object.hasOwn(METHODS, method)) return await METHODS[method]!(params, deps);
  throw new A2aError(
    "METHOD_NOT_FOUND",
    `Cannot find method ${show(method)}: send a question with SendMessage, as A2A 1.0 has it`,
  );
}

function findTask(params: unknown): never {
  throw noTask(readParams(TaskParams, params).id);
}

function listTasks(params: unknown = {}): unknown {
  const { pageSize } = readParams(ListTasksParams, params);
  return { tasks: [], nextPageToken: "", pageSize, totalSize: 0 };
}

function refuse(message: string): never {
  throw new A2aError("UNSUPPORTED_OPERATION", message);
}

function refusePush(): never {
  throw noPush();
}
