/**
 * Every endpoint with its parameters, an example call, its response and its errors, from the OpenAPI document.
 *
 * @module
 */

import type { JsonSchema } from "../../../api/discovery/openapi.ts";
import { COMMON_ERRORS } from "../../../api/discovery/errors.ts";
import type { OpenApi, ParameterObject, ResponseObject } from "../../../api/discovery/openapi.ts";
import type { ErrorCode } from "../../../api/operations/errors.ts";
import { BATCH_OPERATIONS, OPERATIONS } from "../../../api/operations/table.ts";
import { Code, Json, Table } from "../../components/blocks.tsx";
import { Prose } from "../../components/text.tsx";
import { curl, exampleCall } from "../../../api/discovery/curl.ts";

type AnyOperation = typeof OPERATIONS[number] | typeof BATCH_OPERATIONS[number];

export function Endpoints({ document }: { document: OpenApi }) {
  return (
    <>
      {[...OPERATIONS, ...BATCH_OPERATIONS].map((operation) => (
        <Endpoint operation={operation} document={document} />
      ))}
    </>
  );
}

function Endpoint({ operation, document }: { operation: AnyOperation; document: OpenApi }) {
  const { id, method, path, summary, description, errors } = operation;
  const described = document.paths[path]![method.toLowerCase()]!;
  // Headers have their own section.
  const parameters = described.parameters.filter((one) => "name" in one);
  const success = (described.responses[200] ?? described.responses[202]) as ResponseObject;
  const { schema, examples } = success.content!["application/json"]!;
  const [example] = Object.values(examples);
  const body = described.requestBody?.content["application/json"]?.schema;
  const { schemas } = document.components;
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{summary}</h3>
      <p>
        <code class="route">{method} {path}</code>
      </p>
      <p>
        <Prose text={description} />
      </p>
      <Code text={curl(exampleCall(operation, document.servers[0]!.url))} copy />
      {parameters.length > 0 && (
        <Table
          caption={`Parameters: ${summary}`}
          heads={["Name", "Allowed", "What it is"]}
          rows={parameters.map(({ name, required, schema, description }) => [
            <>
              <code>{name}</code>
              {!required && <small>optional</small>}
            </>,
            allowed(schema),
            <Prose text={description} />,
          ])}
        />
      )}
      {body !== undefined && (
        <MemberTable caption={`Members of the body: ${summary}`} schema={body} schemas={schemas} />
      )}
      <details>
        <summary>The answer: {example!.summary}</summary>
        <Json value={example!.value} />
      </details>
      <details>
        <summary>Members of the answer</summary>
        <MemberTable
          caption={`Members of the answer: ${summary}`}
          schema={schema}
          schemas={schemas}
        />
      </details>
      <p>
        Errors: <ErrorLinks codes={[...errors, ...COMMON_ERRORS]} />
      </p>
    </section>
  );
}

interface MemberTableProps {
  caption: string;
  schema: JsonSchema;
  schemas: Schemas;
}

function MemberTable({ caption, schema, schemas }: MemberTableProps) {
  return (
    <Table
      caption={caption}
      heads={["Member", "Type", "What it is"]}
      rows={membersOf(schema, { schemas, prefix: "" }).map(({ path, type, description }) => [
        <code>{path}</code>,
        type,
        <Prose text={description} />,
      ])}
    />
  );
}

function ErrorLinks({ codes }: { codes: readonly ErrorCode[] }) {
  return (
    <>
      {codes.map((code, i) => (
        <>
          {i === 0 ? "" : ", "}
          <a href={`#${code}`}>
            <code>{code}</code>
          </a>
        </>
      ))}
    </>
  );
}

/** What a parameter may be, in words. */
function allowed(schema: ParameterObject["schema"]): string {
  const { type, pattern, minimum, maximum, minLength, maxLength, format } = schema;
  const words = schema.enum !== undefined
    ? (schema.enum as unknown[]).join(" or ")
    : pattern !== undefined
    ? `matches ${pattern}`
    : minLength !== undefined
    ? `${minLength} to ${maxLength} characters`
    : minimum !== undefined
    ? Number(maximum) < Number.MAX_SAFE_INTEGER / 10
      ? `${minimum} to ${maximum}`
      : `${minimum} or more`
    : String(format ?? type);
  return schema.default === undefined ? words : `${words}; ${schema.default} unless given`;
}

interface Member {
  /** From the top of the answer, e.g. `mcs150.next_due` or `results[].dot`. */
  path: string;
  /** What it may be, e.g. `string or null`. */
  type: string;
  description: string;
}

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Documented once, with the operation that returns it alone. */
const DOCUMENTED_ONCE = "Carrier";

/** Enum values listed at most; of more only the type is shown. */
const MOST_VALUES = 8;

interface Place {
  schemas: Schemas;
  prefix: string;
}

/** The members of a schema, each object followed by its own. */
function membersOf(schema: JsonSchema, { schemas, prefix }: Place): Member[] {
  const { properties = {}, required = [] } = resolved(schema, schemas);
  return Object.entries(properties).flatMap(([name, property]) => {
    const { core, words } = read(property, schemas);
    const found = resolved(core, schemas);
    const path = `${prefix}${name}`;
    const optional = required.includes(name) ? "" : ", optional";
    const description = String(property.description ?? found.description ?? "");
    const member = { path, type: words + optional, description };
    const inner = (found.items ?? core) as JsonSchema;
    if (idOf(inner) === DOCUMENTED_ONCE) return [member];
    const array = found.items === undefined ? "" : "[]";
    return [member, ...membersOf(inner, { schemas, prefix: `${path}${array}.` })];
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
  if (idOf(schema) === DOCUMENTED_ONCE) return "Carrier";
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
