/**
 * What every surface does to the JSON Schemas that zod makes before it publishes them.
 *
 * @module
 */

/** Drops, in place, what tells a reader nothing, and what would forbid members added later. */
export function dropNoise(schema: Record<string, unknown>): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // The pattern of a date is 180 characters and says what the format says.
  if (schema.format !== undefined) delete schema.pattern;
  // Clients hold on to a published schema and refuse answers that break it: members may be added.
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}
