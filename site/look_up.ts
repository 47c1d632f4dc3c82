/**
 * How pages ask: an operation run for a visit.
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
