/**
 * The members of an answer in a list, from the schemas of the OpenAPI document.
 *
 * @module
 */

import type { JsonSchema } from "../../api/discovery/components.ts";

/** One member. */
export interface Member {
  /** From the top of the answer, e.g. `mcs150.next_due` or `results[].dot`. */
  path: string;
  /** What it may be, e.g. `string or null`. */
  type: string;
  description: string;
}

/** Schemas of the document, by id. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

/** Told once, with the operation that answers with it alone. */
const TOLD_ELSEWHERE = "Carrier";

/** Values that are listed at most; of more only the type is told. */
const MOST_VALUES = 8;

/** The members of a schema, each object followed by its own. */
export function membersOf(schema: JsonSchema, schemas: Schemas): Member[] {
  return below(schema, { schemas, prefix: "" });
}

interface Place {
  schemas: Schemas;
  prefix: string;
}

function below(schema: JsonSchema, { schemas, prefix }: Place): Member[] {
  const { properties = {}, required = [] } = resolved(schema, schemas);
  return Object.entries(properties).flatMap(([name, property]) => {
    const { core, words } = read(property, schemas);
    const found = resolved(core, schemas);
    const path = `${prefix}${name}`;
    const optional = required.includes(name) ? "" : ", optional";
    const description = String(property.description ?? found.description ?? "");
    const member = { path, type: words + optional, description };
    const inner = (found.items ?? core) as JsonSchema;
    if (idOf(inner) === TOLD_ELSEWHERE) return [member];
    const array = found.items === undefined ? "" : "[]";
    return [member, ...below(inner, { schemas, prefix: `${path}${array}.` })];
  });
}

/** The schema without its null, and what it may be in words. */
function read(schema: JsonSchema, schemas: Schemas): { core: JsonSchema; words: string } {
  const options = schema.anyOf as JsonSchema[] | undefined;
  const core = options?.find(({ type }) => type !== "null") ?? schema;
  const nullable = [schema.type, ...options?.map(({ type }) => type) ?? []].flat().includes("null");
  const found = resolved(core, schemas);
  const values = (found.enum ?? []) as unknown[];
  const words = values.length > 0 && values.length <= MOST_VALUES
    ? values.join(", ")
    : found.items !== undefined
    ? `array of ${nameOf(found.items as JsonSchema, schemas)}`
    : nameOf(core, schemas);
  return { core, words: nullable ? `${words} or null` : words };
}

function nameOf(schema: JsonSchema, schemas: Schemas): string {
  if (idOf(schema) === TOLD_ELSEWHERE) return "Carrier";
  const { type, format } = resolved(schema, schemas);
  const base = [type].flat().find((one) => one !== "null");
  return format === undefined ? String(base) : `${base} (${format})`;
}

function resolved(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const id = idOf(schema);
  const found = id === undefined ? schema : schemas[id]!;
  const options = (found.oneOf ?? found.anyOf ?? []) as JsonSchema[];
  const objects = options.map((one) => resolved(one, schemas)).filter(({ type }) =>
    type === "object"
  );
  return objects.length < 2 ? found : eitherOf(objects);
}

/** An object that is one of several: what not all have is optional. */
function eitherOf(objects: JsonSchema[]): JsonSchema {
  return {
    type: "object",
    properties: Object.assign({}, ...objects.toReversed().map(({ properties }) => properties)),
    required: (objects[0]!.required ?? []).filter((name) =>
      objects.every(({ required }) => required?.includes(name))
    ),
  };
}

function idOf({ $ref }: JsonSchema): string | undefined {
  return $ref?.split("/").at(-1);
}
