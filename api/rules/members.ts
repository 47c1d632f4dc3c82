/**
 * Members of the API's schemas, each with its description and an example.
 *
 * @module
 */
import { z } from "zod";

type MemberOf<S extends z.ZodType> = (description: string, example: z.output<S>) => S;

function membersOf<S extends z.ZodType>(schema: S): MemberOf<S> {
  return (description, example) => schema.meta({ description, example });
}

export const text = membersOf(z.string());
/** Text as filed; null when blank. */
export const filed = membersOf(z.string().nullable());
export const flag = membersOf(z.boolean());
export const flagOrNull = membersOf(z.boolean().nullable());
/** 0 or more. */
export const count = membersOf(z.int().min(0));
export const countOrNull = membersOf(z.int().min(0).nullable());
export const integer = membersOf(z.int());
export const integerOrNull = membersOf(z.int().nullable());
export const decimalOrNull = membersOf(z.number().nullable());
/** `YYYY-MM-DD`. */
export const day = membersOf(z.iso.date());
export const dayOrNull = membersOf(z.iso.date().nullable());
export function oneOf<const W extends readonly string[]>(
  words: W,
  description: string,
  example: W[number],
) {
  return z.enum(words).meta({ description, example });
}
