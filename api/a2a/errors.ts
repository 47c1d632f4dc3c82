/**
 * Errors of A2A 1.0 over JSON-RPC: codes, and details that programs read.
 *
 * @module
 */

import { RPC_CODES } from "../http/input.ts";

/** Codes by the reason that A2A names; those of A2A itself are above -32100. */
export const CODES = {
  ...RPC_CODES,
  TASK_NOT_FOUND: -32001,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32003,
  UNSUPPORTED_OPERATION: -32004,
  CONTENT_TYPE_NOT_SUPPORTED: -32005,
  VERSION_NOT_SUPPORTED: -32009,
} as const;

/** A key of {@link CODES}. */
export type Reason = keyof typeof CODES;

/** Facts of an {@link A2aError} beside its message. */
export interface A2aErrorOptions {
  /** HTTP status. @default {200} */
  status?: number;
  /** The member that is wrong, e.g. `message.parts`. */
  field?: string;
  /** Seconds after which trying again makes sense. */
  retryAfter?: number;
  /** More facts, as texts. */
  metadata?: Record<string, string>;
}

/** An error object of JSON-RPC. */
export interface RpcError {
  code: number;
  message: string;
  data?: ({ "@type": string } & Record<string, unknown>)[];
}

/** An error meant for the caller: its message is shown as it is. */
export class A2aError extends Error {
  override readonly name = "A2aError";

  /** The code follows from the reason. */
  constructor(
    readonly reason: Reason,
    message: string,
    readonly options: A2aErrorOptions = {},
  ) {
    super(message);
  }

  /** The error as it is sent. */
  body(): RpcError {
    const data = this.#details();
    return {
      code: CODES[this.reason],
      message: this.message,
      ...(data.length === 0 ? {} : { data }),
    };
  }

  #details(): NonNullable<RpcError["data"]> {
    const { field, retryAfter, metadata } = this.options;
    const details: NonNullable<RpcError["data"]> = [];
    if (CODES[this.reason] > -32100) {
      details.push({
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: this.reason,
        domain: "a2a-protocol.org",
        ...(metadata === undefined ? {} : { metadata }),
      });
    }
    if (field !== undefined) {
      details.push({
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        fieldViolations: [{ field, description: this.message }],
      });
    }
    if (retryAfter !== undefined) {
      details.push({
        "@type": "type.googleapis.com/google.rpc.RetryInfo",
        retryDelay: `${retryAfter}s`,
      });
    }
    return details;
  }
}
