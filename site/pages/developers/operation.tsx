/**
 * `/developers/{operation}`: its parameters, an example call, its answer and its errors, from the OpenAPI document.
 *
 * @module
 */

import { COMMON_ERRORS } from "../../../api/discovery/components.ts";
import { curl, exampleCall } from "../../../api/discovery/examples.ts";
import type {
  Content,
  JsonSchema,
  OpenApi,
  ParameterObject,
  ResponseObject,
} from "../../../api/discovery/openapi.ts";
import { carriersCsv, CSV_COLUMNS } from "../../../api/operations/carriers_csv.ts";
import { type ErrorCode, ERRORS, ServiceError } from "../../../api/operations/errors.ts";
import { changeIndex } from "../../../api/operations/changes.ts";
import { BATCH_OPERATIONS, OPERATIONS } from "../../../api/operations/table.ts";
import { Code, Prose, Table } from "../../components/blocks.tsx";
import type { Page } from "../../components/layout.tsx";
import { Markdown } from "../../components/markdown.tsx";
import SYNC_PY from "../../content/sync.py" with { type: "text" };
import SYNC_TS from "../../content/sync.ts" with { type: "text" };
import { currentSnapshot, type PageRoute, type Visit } from "../route.ts";
import { CallForm, type ExampleRun, isCallable, runExample, shownAnswer } from "./run.tsx";

export const operationRoute: PageRoute = { path: "/developers/{operation}", answer };

const DESCRIBED = [...OPERATIONS, ...BATCH_OPERATIONS, changeIndex];

type AnyOperation = typeof DESCRIBED[number];

/** Programs that keep a copy of all carriers. */
const CLIENTS =
  `## In TypeScript\n\n\`\`\`ts\n${SYNC_TS}\`\`\`\n\n## In Python\n\n\`\`\`python\n${SYNC_PY}\`\`\`\n`;

async function answer(visit: Visit): Promise<Page> {
  const { params, site, openApi } = visit;
  const operation = DESCRIBED.find(({ id }) => id === params.operation);
  if (operation === undefined) throw new ServiceError("not_found", "There is no such operation");
  const { id, method, path, summary } = operation;
  const run = isCallable(id) ? await runExample(id, path, visit) : undefined;
  return {
    title: summary,
    description: `${method} ${path}: ${summary}`,
    heading: summary,
    // An outage may be over a moment later, so shared caches must not store the page.
    shared: !run?.isOutage,
    snapshotId: run && (await currentSnapshot(site.reader))?.id,
    style: "guide",
    scripts: ["copy.js", "run.js"],
    body: <Described operation={operation} document={openApi()} baseUrl={site.baseUrl} run={run} />,
  };
}

function Described(
  { operation, document, baseUrl, run }: {
    operation: AnyOperation;
    document: OpenApi;
    baseUrl: string;
    /** Undefined for an operation that the page cannot run. */
    run: ExampleRun | undefined;
  },
) {
  const { id, method, path, description, errors } = operation;
  const described = document.paths[path]![method.toLowerCase()]!;
  const { schemas } = document.components;
  // Headers are documented on the page about errors and limits.
  const parameters = described.parameters.filter((one) => "name" in one);
  const success = (described.responses[200] ?? described.responses[202]) as ResponseObject;
  const [content] = Object.values(success.content!) as [Content[string]];
  const body = described.requestBody?.content["application/json"]?.schema;
  return (
    <>
      <p>
        <code class="route">{method} {path}</code>
      </p>
      <p>
        <Prose text={description} />
      </p>
      <div class="sides">
        <div>
          <h2>Request</h2>
          <Code
            text={run === undefined ? exampleCall(id, baseUrl) : curl(baseUrl + run.target)}
            copy
          />
          {run && <CallForm operation={operation} parameters={parameters} values={run.values} />}
        </div>
        <Answer content={content} run={run} />
      </div>
      {parameters.length > 0 && <ParameterTable parameters={parameters} />}
      {body !== undefined && <MemberTable caption="Body" schema={body} schemas={schemas} />}
      {operation.id === carriersCsv.id ? <ColumnTable /> : (
        <>
          <h2>Members</h2>
          <MemberTable caption="Members of the answer" schema={content.schema} schemas={schemas} />
        </>
      )}
      {operation === changeIndex && <Markdown text={CLIENTS} />}
      <h2>Errors</h2>
      <ErrorTable codes={[...errors, ...COMMON_ERRORS]} />
      <p>
        <a href="/developers/errors">What to do about errors and limits</a> ·{" "}
        <a href="/developers">For developers</a>
      </p>
    </>
  );
}

/** An example answer: from the service's data if the page can run the operation. */
function Answer({ content, run }: { content: Content[string]; run: ExampleRun | undefined }) {
  const { summary, value } = Object.values(content.examples)[0]!;
  return (
    <div id="answer">
      {run?.answer === undefined
        ? <h2>Answer: {summary}</h2>
        : <h2>Answer, from this service's data</h2>}
      <Code text={typeof value === "string" ? value : shownAnswer(run?.answer ?? value)} />
    </div>
  );
}

function ParameterTable({ parameters }: { parameters: readonly ParameterObject[] }) {
  return (
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
  );
}

/** The columns of `carriers.csv`. */
function ColumnTable() {
  return (
    <>
      <h2 id="columns">Columns</h2>
      <Table
        caption="Columns"
        heads={["Column", "What it contains"]}
        rows={CSV_COLUMNS.map(([name, what]) => [<code>{name}</code>, what])}
      />
    </>
  );
}

function ErrorTable({ codes }: { codes: readonly ErrorCode[] }) {
  return (
    <Table
      caption="Errors"
      heads={["Code", "Status", "When"]}
      rows={codes.map((code) => [
        <code>{code}</code>,
        ERRORS[code].status,
        <Prose text={ERRORS[code].when} />,
      ])}
    />
  );
}

function MemberTable(
  { caption, schema, schemas }: { caption: string; schema: JsonSchema; schemas: Schemas },
) {
  const members = membersOf(plainSchema(schemas[idOf(schema) ?? ""] ?? schema, schemas));
  return (
    <div class="stacked members">
      <Table
        caption={caption}
        heads={["Member", "Type", "What it is"]}
        rows={members.map(({ path, type, description }) => [
          <code>{path}</code>,
          type,
          <Prose text={description} />,
        ])}
      />
    </div>
  );
}

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
  return schema.default === undefined ? words : `${words}; default ${schema.default}`;
}

interface Member {
  /** From the top of the answer, e.g. `mcs150.next_due` or `results[].dot`. */
  path: string;
  /** What it may be, e.g. `string or null`. */
  type: string;
  description: string;
}

type Schemas = Readonly<Record<string, JsonSchema>>;

/** The schema that is documented only with the operation that returns nothing else. */
const DOCUMENTED_ONCE = "Carrier";

/** Maximum number of enum values to list. For a longer enum, only the type is shown. */
const MOST_VALUES = 8;

/** Returns the members of a schema that {@link plainSchema} returned. The members of an object follow it. */
function membersOf({ properties = {}, required = [] }: JsonSchema, prefix = ""): Member[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = prefix + name;
    const type = typeOf(schema) + (required.includes(name) ? "" : ", optional");
    const member = { path, type, description: String(schema.description ?? "") };
    const items = schema.items as JsonSchema | undefined;
    return [member, ...membersOf(items ?? schema, `${path}${items === undefined ? "" : "[]"}.`)];
  });
}

/**
 * Returns the schema with references resolved and alternatives merged. A member that not all
 * alternatives have is optional.
 */
function plainSchema(schema: JsonSchema, schemas: Schemas): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_, one) => {
    const id = idOf(one ?? {});
    if (id === DOCUMENTED_ONCE) {
      return { description: schemas[id]!.description, ...one, type: id };
    }
    if (id !== undefined) return { ...plainSchema(schemas[id]!, schemas), ...one };
    const options: JsonSchema[] = one?.oneOf ?? one?.anyOf ?? [];
    const [first, ...others] = options.filter(({ type }) => type !== "null");
    const nullable = first !== undefined && others.length + 1 < options.length ||
      Array.isArray(one?.type) && one.type.includes("null");
    if (first === undefined) return nullable ? { ...one, nullable } : one;
    return {
      ...first,
      ...one,
      ...others.some(({ type }) => type === "object") && {
        properties: Object.assign(
          {},
          ...[first, ...others].toReversed().map((it) => it.properties),
        ),
        required: first.required?.filter((name) =>
          others.every(({ required }) => required?.includes(name))
        ),
      },
      nullable,
    };
  });
}

function typeOf({ enum: values, items, nullable, ...schema }: JsonSchema): string {
  const listed = values as unknown[] | undefined;
  const words = listed !== undefined && listed.length <= MOST_VALUES
    ? listed.join(", ")
    : items === undefined
    ? nameOf(schema)
    : `array of ${nameOf(items as JsonSchema)}`;
  return nullable ? `${words} or null` : words;
}

function nameOf({ type, format }: JsonSchema): string {
  const base = [type].flat().find((one) => one !== "null");
  return format === undefined ? String(base) : `${base} (${format})`;
}

function idOf({ $ref }: JsonSchema): string | undefined {
  return $ref?.split("/").at(-1);
}
