import assert from "node:assert/strict";
import { ERROR_STATUS, type ErrorCode } from "../../../api/operations/errors.ts";
import { BATCH_OPERATIONS, OPERATIONS, SERVICE_OPERATIONS } from "../../../api/operations/table.ts";
import { npmTool } from "../../mcp/npm_tool.ts";
import { tempDir } from "../../pipeline/compile/files.ts";
import { DOCUMENT, resolve, wrongBy } from "./contract.ts";

const redocly = await npmTool("@redocly/cli@2.77.0");

Deno.test("openApi() describes every operation, and every one of its errors with an example", () => {
  const described = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method} ${path}`)
  );
  const all = [...OPERATIONS, ...BATCH_OPERATIONS, ...SERVICE_OPERATIONS];
  const wanted = all.map(({ id, method, path }) => `${id} ${method.toLowerCase()} ${path}`);
  wanted.push("ask post /ask", "askByAddress get /ask");
  assert.deepEqual(described.toSorted(), wanted.toSorted());
  for (const { path, method, errors } of all) {
    const { responses } = DOCUMENT.paths[path]![method.toLowerCase()]!;
    for (const code of [...errors, "rate_limited", "internal_error"] as ErrorCode[]) {
      const { examples } = resolve(responses[ERROR_STATUS[code]]).content["application/json"];
      assert.equal(examples[code].value.error.code, code, path);
    }
  }
});

Deno.test("every example of the OpenAPI document is valid by its schema", () => {
  let examples = 0;
  for (const [path, methods] of Object.entries(DOCUMENT.paths)) {
    for (const operation of Object.values(methods)) {
      for (const content of contentsOf(operation)) {
        for (const value of content.values) {
          examples++;
          assert.equal(wrongBy(content.schema, value), null, path);
        }
      }
      for (const parameter of operation.parameters.map(resolve)) {
        if (parameter.example === undefined) continue;
        examples++;
        assert.equal(wrongBy(parameter.schema, parameter.example), null, parameter.name);
      }
    }
  }
  for (const [name, header] of Object.entries(DOCUMENT.components.headers)) {
    const { schema, example } = header as { schema: unknown; example?: unknown };
    if (example === undefined) continue;
    examples++;
    assert.equal(wrongBy(schema, example), null, name);
  }
  // Examples inside the schemas themselves.
  JSON.stringify(DOCUMENT.components.schemas, (_, schema) => {
    for (const value of Array.isArray(schema?.examples) ? schema.examples : []) {
      examples++;
      assert.equal(wrongBy(schema, value), null, schema.description);
    }
    return schema;
  });
  assert.ok(examples > 100, String(examples));
});

Deno.test({
  name: "openApi() has nothing that Redocly's recommended rules find fault with",
  ignore: redocly.missing,
  async fn() {
    await using dir = await tempDir();
    const path = `${dir.path}/openapi.json`;
    await Deno.writeTextFile(path, JSON.stringify(DOCUMENT));
    // The rule asks for a licence, which is the owner's to give.
    const { code, text } = await redocly.run(["lint", "--skip-rule=info-license", path]);
    assert.equal(code, 0, text);
    assert.doesNotMatch(text, /warning/i, text);
  },
});

interface Content {
  schema: unknown;
  values: unknown[];
}

function contentsOf(operation: typeof DOCUMENT.paths[string][string]): Content[] {
  const contents = [
    operation.requestBody?.content["application/json"],
    ...Object.values(operation.responses).map((response) =>
      resolve(response).content?.["application/json"]
    ),
  ];
  return contents.filter((content) => content !== undefined).map((content) => {
    const { schema, example, examples = {} } = content;
    const named = Object.values(examples as Record<string, { value: unknown }>);
    const values = [
      ...(example === undefined ? [] : [example]),
      ...named.map(({ value }) => value),
    ];
    assert.ok(values.length > 0);
    return { schema, values };
  });
}
