/**
 * `/developers/{operation}`: its parameters, an example call, its answer and its errors, from the OpenAPI document.
 *
 * @module
 */

import { COMMON_ERRORS } from "../../../api/discovery/errors.ts";
import { exampleCall } from "../../../api/discovery/examples.ts";
import type {
  JsonSchema,
  OpenApi,
  ParameterObject,
  ResponseObject,
} from "../../../api/discovery/openapi.ts";
import { ERRORS, ServiceError } from "../../../api/operations/errors.ts";
import { BATCH_OPERATIONS, OPERATIONS } from "../../../api/operations/table.ts";
import { Code, Json, Table } from "../../components/blocks.tsx";
import type { Page } from "../../components/layout.tsx";
import { Prose } from "../../components/text.tsx";
import { cachedPage, type PageRoute, type Visit } from "../route.ts";

export const operationRoute: PageRoute = { path: "/developers/{operation}", answer };

type AnyOperation = typeof OPERATIONS[number] | typeof BATCH_OPERATIONS[number];

async function answer({ params, site, pageCache, openApi }: Visit): Promise<Page> {
  const operation = [...OPERATIONS, ...BATCH_OPERATIONS].find(({ id }) => id === params.operation);
  if (operation === undefined) throw new ServiceError("not_found", "There is no such operation");
  const { id, method, path, summary } = operation;
  return await cachedPage(pageCache, `operation ${id}`, () => ({
    title: summary,
    description: `${method} ${path}: ${summary}`,
    shared: true,
    scripts: ["copy.js"],
    body: <Described operation={operation} document={openApi()} baseUrl={site.baseUrl} />,
  }));
}

function Described(
  { operation, document, baseUrl }: {
    operation: AnyOperation;
    document: OpenApi;
    baseUrl: string;
  },
) {
  const { method, path, summary, description, errors } = operation;
  const described = document.paths[path]![method.toLowerCase()]!;
  const { schemas } = document.components;
  // Headers are on the page of all operations.
  const parameters = described.parameters.filter((one) => "name" in one);
  const success = (described.responses[200] ?? described.responses[202]) as ResponseObject;
  const { schema, examples } = success.content!["application/json"]!;
  const [example] = Object.values(examples);
  const body = described.requestBody?.content["application/json"]?.schema;
  return (
    <>
      <h1>{summary}</h1>
      <p>
        <code class="route">{method} {path}</code>
      </p>
      <p>
        <Prose text={description} />
      </p>
      <Code text={exampleCall(operation.id, baseUrl)} copy />
      {parameters.length > 0 && (
        <Table
          caption="Parameters"
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
      {body !== undefined && <MemberTable caption="Body" schema={body} schemas={schemas} />}
      <h2>Answer: {example!.summary}</h2>
      <Json value={example!.value} />
      <h2>Members</h2>
      <MemberTable caption="Members of the answer" schema={schema} schemas={schemas} />
      <h2>Errors</h2>
      <Table
        caption="Errors"
        heads={["Code", "When"]}
        rows={[...errors, ...COMMON_ERRORS].map((code) => [
          <code>{code}</code>,
          <Prose text={ERRORS[code].when} />,
        ])}
      />
      <p>
        <a href="/developers">For developers</a>
      </p>
    </>
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
