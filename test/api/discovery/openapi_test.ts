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

Deno.test("every example of the OpenAPI document is valid by its schema, and every body has one", () => {
  let examples = 0;
  // Parameters, headers and bodies have a schema beside their examples, schemas have examples of themselves.
  JSON.stringify(DOCUMENT, (_, node) => {
    const { schema, example, examples: more = [] } = Object(node);
    const values = schema === undefined
      ? Array.isArray(more) ? more : []
      : [...Object.values<{ value: unknown }>(more).map(({ value }) => value), example]
        .filter((value) => value !== undefined);
    for (const value of values) {
      assert.equal(wrongBy(schema ?? node, value), null, JSON.stringify(value).slice(0, 200));
    }
    examples += values.length;
    for (const content of Object.values<{ schema: unknown }>(node?.content ?? {})) {
      const shown = JSON.stringify(content, (name, part) => name === "schema" ? undefined : part);
      assert.match(shown, /"(example|value)":/);
    }
    return node;
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
