/**
 * Every endpoint with its parameters, a call to copy, the answer to that call and its errors, all from
 * the OpenAPI document and what that is made from.
 *
 * @module
 */

import type { JsonSchema } from "../../api/discovery/components.ts";
import { COMMON_ERRORS } from "../../api/discovery/error_examples.ts";
import type { ParameterObject } from "../../api/discovery/header_components.ts";
import type { OpenApi } from "../../api/discovery/openapi.ts";
import type { OperationObject, ResponseObject } from "../../api/discovery/openapi_operation.ts";
import type { ErrorCode } from "../../api/operations/errors.ts";
import { BULK_OPERATIONS, OPERATIONS } from "../../api/operations/table.ts";
import { Code, Json } from "../parts/code.tsx";
import { Prose } from "../parts/prose.tsx";
import { Table } from "../parts/table.tsx";
import { curl, exampleCall } from "./curl.ts";
import { membersOf, type Schemas } from "./members.ts";

type AnyOperation = typeof OPERATIONS[number] | typeof BULK_OPERATIONS[number];

/** Every endpoint of a document. */
export function Endpoints({ document }: { document: OpenApi }) {
  return (
    <>
      {[...OPERATIONS, ...BULK_OPERATIONS].map((operation) => (
        <Endpoint operation={operation} document={document} />
      ))}
    </>
  );
}

function Endpoint({ operation, document }: { operation: AnyOperation; document: OpenApi }) {
  const { id, method, path, summary, description, errors } = operation;
  const described = document.paths[path]![method.toLowerCase()]!;
  const parameters = parametersOf(described);
  const { schema, examples } = successOf(described).content!["application/json"]!;
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
      rows={membersOf(schema, schemas).map(({ path, type, description }) => [
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

/** Parameters of the path and the query; headers are told once, for all. */
function parametersOf({ parameters }: OperationObject): ParameterObject[] {
  return parameters.filter((one) => "name" in one);
}

function successOf({ responses }: OperationObject): ResponseObject {
  return (responses[200] ?? responses[202]) as ResponseObject;
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
