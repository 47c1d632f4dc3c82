/**
 * Every error of the service, for every surface, and validation issues in the same words.
 *
 * @module
 */

import { z } from "zod";
import TABLE from "./errors.json" with { type: "json" };

export type ErrorCode = keyof typeof TABLE;

/** For each error: its HTTP status, when it occurs, what to do, and the default message. */
export const ERRORS: Readonly<
  Record<ErrorCode, { status: number; when: string; message: string }>
> = TABLE;

export const ERROR_CODES = Object.keys(TABLE) as [ErrorCode, ...ErrorCode[]];

export const BATCH_ERRORS: readonly ErrorCode[] = [
  "invalid_body",
  "too_many_items",
  "payload_too_large",
  "unsupported_media_type",
  "idempotency_key_reused",
  "not_found",
  "upstream_unavailable",
];

export const ErrorBody = z.object({
  error: z.object({
    code: z.enum(ERROR_CODES).describe("What went wrong, for programs"),
    message: z.string().min(1).describe("What went wrong, for people"),
    last_seen: z.iso.date().optional().describe(
      "Of `not_found` for a carrier that left the census in the last 24 months: data date of the last snapshot that had it",
    ),
    first_day: z.iso.date().optional().describe(
      "Of `not_found` for an `as_of` before it: the first day that is kept",
    ),
  }),
}).meta({ id: "Error" });

export type ErrorBody = z.infer<typeof ErrorBody>;

interface ServiceErrorOptions {
  /** Seconds after which a retry makes sense. */
  retryAfter?: number;
  /** The snapshot that was read, if any. */
  snapshotId?: string;
  /** For a carrier that left the census: the last data date that had it. */
  lastSeen?: string | undefined;
  /** For a day that is no longer kept: the first day that is. */
  firstDay?: string | undefined;
  cause?: unknown;
}

/** An error for the caller: its message is shown as is. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly snapshotId: string | undefined;
  readonly lastSeen: string | undefined;
  readonly firstDay: string | undefined;

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = ERRORS[code].status;
    this.retryAfter = options.retryAfter;
    this.snapshotId = options.snapshotId;
    this.lastSeen = options.lastSeen;
    this.firstDay = options.firstDay;
  }

  body(): ErrorBody {
    const { code, message, lastSeen, firstDay } = this;
    return {
      error: {
        code,
        message,
        ...(lastSeen !== undefined && { last_seen: lastSeen }),
        ...(firstDay !== undefined && { first_day: firstDay }),
      },
    };
  }
}

/** Errors of known outages, logged without a stack. */
const OUTAGES: ReadonlySet<string> = new Set(["SnapshotUnavailable", "KvUnavailable"]);

/** The text to log for an error: that of its cause if it has one, with the stack unless it is an outage. */
export function faultDetail(error: unknown): string {
  const fault = error instanceof ServiceError ? error.cause ?? error.message : error;
  if (!(fault instanceof Error)) return String(fault);
  return OUTAGES.has(fault.name) ? fault.message : fault.stack ?? fault.message;
}

/** The first problem of a JSON value: where, as `a.b.0` (empty for the whole value), and what. */
export function firstIssue({ issues: [issue] }: z.ZodError): { path: string; what: string } {
  const { path, message } = issue!;
  const bare = message.replace(/^Invalid input: /, "");
  const missing = issue!.code === "invalid_type" && bare.endsWith(", received undefined");
  return {
    path: path.join("."),
    what: missing ? "it is missing" : bare.charAt(0).toLowerCase() + bare.slice(1),
  };
}
