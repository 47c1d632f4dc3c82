/**
 * Operations. REST routes, MCP tools and the OpenAPI document are generated from the same descriptions, and
 * every surface runs them through {@link perform}.
 *
 * @module
 */

import type { z } from "zod";
import type { Clock } from "../../pipeline/clock.ts";
import {
  type Snapshot,
  type SnapshotReader,
  SnapshotUnavailable,
} from "../../pipeline/snapshot/reader.ts";
import { useAsOf } from "./as_of.ts";
import { type ErrorCode, ServiceError } from "./errors.ts";

/** Text of an integer member of an input: at most 15 digits, which a JSON number represents exactly. */
export const INTEGER_PATTERN = /^-?\d{1,15}$/;

/** Where an HTTP request carries a member of the input, and the code for a bad one. */
export interface Parameter {
  in: "path" | "query";
  /** The text is a decimal integer in the input's JSON. */
  integer?: boolean;
  code: ErrorCode;
}

/** The context of every run of an operation. */
export interface OperationContext {
  /** The day in New York, or the one asked for with `as_of`, `YYYY-MM-DD`. */
  today: string;
  /** The day asked for, when one was. */
  asOf?: string | undefined;
  /** Address of the service, without a final slash. */
  baseUrl: string;
  /** Aborts the work when the client disconnects. */
  signal?: AbortSignal | undefined;
  /** Set when no other snapshot will be tried, so that a partial answer is better than none. */
  last?: boolean;
}

/** What a surface needs to run operations. */
export interface SurfaceDeps extends Pick<OperationContext, "baseUrl" | "signal"> {
  reader: SnapshotReader;
  clock: Clock;
  /** Called with a log line for faults of the service itself. */
  log: (line: string) => void;
}

interface Description<I extends z.ZodType, O extends z.ZodType> {
  /** camelCase; the OpenAPI operationId. */
  id: string;
  method: "GET" | "POST";
  /** With `{name}` for each path parameter. */
  path: string;
  summary: string;
  description: string;
  /** An object of JSON values; members of HTTP requests are listed in `parameters`. */
  input: I;
  parameters: Readonly<Record<string, Parameter>>;
  output: O;
  /** Media type of a text answer. @default {"application/json"} */
  type?: "text/csv";
  /** It can answer in part, so it runs again when no snapshot could answer in full. */
  partial?: true;
  /** Error codes besides those of any request (`rate_limited`, `internal_error`, ...). */
  errors: readonly ErrorCode[];
}

/** An operation that reads a snapshot; each run sees one pinned snapshot. */
export interface LookupOperation<I extends z.ZodType, O extends z.ZodType>
  extends Description<I, O> {
  reads: "snapshot";
  /** Must rethrow errors of the snapshot, and may run twice. */
  run(
    input: z.output<I>,
    context: OperationContext & { snapshot: Snapshot },
  ): Promise<z.output<O>>;
}

export interface CalculationOperation<I extends z.ZodType, O extends z.ZodType>
  extends Description<I, O> {
  reads: "nothing";
  run(input: z.output<I>, context: OperationContext): z.output<O>;
}

/** An operation on state in the store, which api/http/ runs. */
export interface StoreOperation extends Description<z.ZodType, z.ZodType> {
  reads: "store";
}

/** An operation that {@link perform} runs. */
export type Operation =
  | LookupOperation<z.ZodType, z.ZodType>
  | CalculationOperation<z.ZodType, z.ZodType>;

/** Describes an operation that reads a snapshot, with the types of its schemas checked. */
export function lookupOperation<I extends z.ZodType, O extends z.ZodType>(
  operation: Omit<LookupOperation<I, O>, "reads">,
): LookupOperation<I, O> {
  return { ...operation, reads: "snapshot" };
}

export function calculationOperation<I extends z.ZodType, O extends z.ZodType>(
  operation: Omit<CalculationOperation<I, O>, "reads">,
): CalculationOperation<I, O> {
  return { ...operation, reads: "nothing" };
}

export interface PerformOptions<T> extends Omit<OperationContext, "asOf"> {
  reader: SnapshotReader;
  /** Converts the output to what the surface sends, e.g. JSON text. */
  finish(output: unknown): T;
  /** Keeps finished answers by snapshot, day and input, for one `baseUrl` and one `finish`. */
  keep?(key: string, make: () => Promise<T>): T | Promise<T>;
}

/** A finished answer and the snapshot it comes from, null for a calculation. */
export interface Performed<T> {
  answer: T;
  snapshotId: string | null;
  /** SHA-256 of the snapshot's manifest. */
  manifestSha256: string | null;
  /** The snapshot's data date. */
  dataDate: string | null;
  /** The day that was treated as today. */
  today: string;
  /** No snapshot published later will answer instead. */
  isFinal: boolean;
}

const RETRY_AFTER_SECONDS = 10;

/**
 * Validates the input, pins a snapshot if one is read, runs the operation and finishes its output.
 *
 * @throws {ServiceError} For anything the caller can act on.
 */
export async function perform<T>(
  operation: Operation,
  input: unknown,
  options: PerformOptions<T>,
): Promise<Performed<T>> {
  const parsed = operation.input.safeParse(input);
  if (!parsed.success) throw inputError(operation, parsed.error);
  const { data } = parsed;
  const { reader, today, baseUrl, signal, finish, keep } = options;
  if (operation.reads === "nothing") {
    const output = operation.run(data, { today, baseUrl });
    const none = { snapshotId: null, manifestSha256: null, dataDate: null };
    return { answer: finish(output), ...none, today, isFinal: false };
  }
  const { as_of: asOf } = data as { as_of?: string };
  const { code } = operation.parameters.as_of ?? { code: "invalid_body" };
  const work = (last: boolean): Promise<Performed<T>> =>
    useAsOf({ reader, today, asOf, code }, async (snapshot, { today, asOf }) => {
      const { id, manifestSha256, manifest } = snapshot;
      const context = { today, asOf, baseUrl, signal, snapshot, last };
      const make = async (): Promise<T> => finish(await operation.run(data, context));
      const answer = keep === undefined
        ? await make()
        : await keep(`${id} ${today} ${operation.id} ${JSON.stringify(data)}`, make);
      const { data_date: dataDate } = manifest;
      const isFinal = asOf !== undefined && (await reader.current()).manifest.data_date > asOf;
      return { answer, snapshotId: id, manifestSha256, dataDate, today, isFinal };
    });
  return await work(false).catch((error) => {
    if (operation.partial && error instanceof SnapshotUnavailable) return work(true);
    throw error;
  }).catch((error) => {
    throw forCaller(error);
  });
}

/** An error of the snapshot as a {@link ServiceError}; any other error unchanged. */
export function forCaller(error: unknown): unknown {
  if (!(error instanceof SnapshotUnavailable)) return error;
  return new ServiceError(
    "upstream_unavailable",
    "The carrier data cannot be read at the moment; try again later",
    { retryAfter: RETRY_AFTER_SECONDS, cause: error },
  );
}

function inputError(operation: Operation, error: z.ZodError): ServiceError {
  const issue = error.issues[0];
  const code = operation.parameters[String(issue?.path[0])]?.code ??
    (issue?.code === "too_big" ? "too_many_items" : "invalid_body");
  return new ServiceError(code, issue?.message ?? "Cannot read the input");
}

/** Removes from a JSON Schema, in place, what has no effect and what would forbid members added later. */
export function dropNoise(schema: Record<string, unknown>): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // The pattern of a date has 180 characters and means the same as the format.
  if (schema.format !== undefined) delete schema.pattern;
  // Clients cache a published schema and refuse answers that break it, so new members must be allowed.
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}
