/**
 * How pages ask: an operation run for a visit, and the snapshot that answers now.
 *
 * @module
 */

import type { z } from "zod";
import {
  type CalculationOperation,
  type LookupOperation,
  type Operation,
  perform,
  type Performed,
} from "../api/operations/operation.ts";
import { type SnapshotReader, SnapshotUnavailable } from "../pipeline/snapshot/reader.ts";
import type { Visit } from "./page.ts";

/**
 * Runs an operation for a visit.
 *
 * @throws {ServiceError} As the operation does.
 */
export async function lookUp<I extends z.ZodType, O extends z.ZodType>(
  { site, today }: Visit,
  operation: LookupOperation<I, O> | CalculationOperation<I, O>,
  input: unknown,
): Promise<Performed<z.output<O>>> {
  const { reader, baseUrl } = site;
  return await perform(operation as unknown as Operation, input, {
    today,
    baseUrl,
    reader,
    finish: (output) => output as z.output<O>,
  });
}

/** What is known of the snapshot without reading a shard of it. */
export interface CurrentData {
  id: string;
  /** The day it stands for, `YYYY-MM-DD`. */
  dataDate: string;
  /** What must be said of it, e.g. that it is made up. */
  notice: string | undefined;
}

/** The snapshot that answers now; null when none can be read. */
export async function currentData(reader: SnapshotReader): Promise<CurrentData | null> {
  try {
    return await reader.use(({ id, manifest }) =>
      Promise.resolve({ id, dataDate: manifest.data_date, notice: manifest.notice })
    );
  } catch (error) {
    if (error instanceof SnapshotUnavailable) return null;
    throw error;
  }
}
