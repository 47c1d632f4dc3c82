/**
 * Arbitrary requests generated from the OpenAPI document: allowed ones and others.
 *
 * @module
 */

import fc from "fast-check";
import { EXAMPLE_DAY } from "../../../api/discovery/examples.ts";
import type { OperationObject, ParameterObject } from "../../../api/discovery/openapi.ts";
import { posted, resolve, wrongBy } from "./contract.ts";

/** A request, and whether the document allows it. */
interface MadeRequest {
  target: string;
  init: RequestInit;
  /** Null when the document allows it. */
  wrong: string | null;
}

/** One part of a request: how it violates the document, if it does, and a function that adds the part. */
interface Part {
  wrong: string | null;
  put(request: { path: string; query: URLSearchParams; init: RequestInit; headers: Headers }): void;
}

/** Words for queries. Some of them find carriers of the sample. */
const WORD = fc.oneof(
  fc.constantFrom("general", "transport", "akron", "llc"),
  fc.stringMatching(/^[a-z]{2,12}$/),
);

/** Strings that are rarely valid. */
const ODD = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.constantFrom("-1", "1.5", "1e3", "0x10", "NaN", "null", "é", "9".repeat(16), "x".repeat(201)),
)
  // The description excludes 0, which a pattern of digits can't.
  .filter((text) => !/^(\.{1,2}|0+)$/.test(text))
  // White space around a query isn't counted, which minLength can't express.
  .filter((text) => text.length < 2 || text.trim().length > 1);

/** One of several arbitraries. The first has this weight, and each of the others has weight 1. */
function often<T>(weight: number, first: fc.Arbitrary<T>, ...rest: fc.Arbitrary<T>[]) {
  const others = rest.map((arbitrary) => ({ weight: 1, arbitrary }));
  return fc.oneof({ weight, arbitrary: first }, ...others);
}

/** Requests for an operation; `jobs` are ids of existing jobs. */
export function requestsFor(
  { path, method, operation }: { path: string; method: string; operation: OperationObject },
  jobs: readonly string[],
): fc.Arbitrary<MadeRequest> {
  const parameters: ParameterObject[] = operation.parameters.map(resolve);
  const parts: fc.Arbitrary<Part>[] = parameters.map((parameter) =>
    parameter.in === "header" ? headerPart(parameter) : parameterPart(parameter, jobs)
  );
  if (operation.requestBody !== undefined) {
    parts.push(bodyPart(operation.requestBody.content["application/json"]!.schema));
  }
  return fc.tuple(...parts).map((chosen) => {
    const headers = new Headers();
    const init: RequestInit = { method: method.toUpperCase(), headers };
    const request = { path, query: new URLSearchParams(), init, headers };
    for (const part of chosen) part.put(request);
    const query = String(request.query);
    const target = query === "" ? request.path : `${request.path}?${query}`;
    return { target, init, wrong: chosen.find(({ wrong }) => wrong !== null)?.wrong ?? null };
  });
}

/**
 * The request built from an operation's examples, which succeeds. With `isWrong`, each part in turn has a value
 * that the document doesn't allow.
 */
export function exampleRequest(
  { path, operation }: { path: string; operation: OperationObject },
  { job, isWrong = false }: { job: string; isWrong?: boolean },
): Pick<MadeRequest, "target" | "init"> {
  const query = new URLSearchParams();
  let target = path;
  for (const { in: place, name, schema, example } of operation.parameters.map(resolve)) {
    const text = String(schema.format === "uuid" ? job : example);
    if (place === "path") target = target.replace(`{${name}}`, isWrong ? "x" : text);
    if (place === "query") query.append(name, text);
    if (place === "query" && isWrong) query.append(name, text);
  }
  if (query.size > 0) target += `?${query}`;
  if (operation.requestBody === undefined) return { target, init: {} };
  const { example } = operation.requestBody.content["application/json"]!;
  return { target, init: posted(isWrong ? "{" : example) };
}

function parameterPart(parameter: ParameterObject, jobs: readonly string[]): fc.Arbitrary<Part> {
  const { name, schema, required } = parameter;
  const one = often(3, valid(schema, jobs), ODD);
  const texts = parameter.in === "path" ? one.map((text) => [text]) : fc.oneof(
    { weight: 8, arbitrary: one.map((text) => [text]) },
    // Optional parameters are often omitted. Otherwise an operation with many of them would rarely get a valid request.
    { weight: required ? 1 : 8, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.tuple(one, one) },
  );
  return texts.map((texts): Part => ({
    wrong: wrongWith(texts, { schema, required }),
    put(request) {
      if (parameter.in === "path") {
        request.path = request.path.replace(`{${name}}`, () => encodeURIComponent(texts[0]!));
      } else {
        for (const text of texts) request.query.append(name, text);
      }
    },
  }));
}

function wrongWith(
  texts: readonly string[],
  { schema, required }: Pick<ParameterObject, "schema" | "required">,
): string | null {
  if (texts.length === 0) return required ? "missing" : null;
  if (texts.length > 1) return "repeated";
  const [text] = texts as [string];
  const numeric = schema.type === "integer" || schema.type === "number";
  return wrongBy(schema, numeric && /^-?\d+$/.test(text) ? Number(text) : text);
}

/** Strings that a schema of the document allows and that make sense for the operation. */
function valid(schema: ParameterObject["schema"], jobs: readonly string[]): fc.Arbitrary<string> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum.map(String));
  if (schema.type === "integer") {
    const { minimum, maximum } = schema as { minimum: number; maximum: number };
    return fc.oneof(
      fc.integer({ min: minimum, max: Math.min(maximum, 100) }),
      fc.constantFrom(minimum, maximum),
    ).map(String);
  }
  // Days of the sample: the document can't limit values to them.
  if (schema.format === "date") return fc.constantFrom("2026-10-03", EXAMPLE_DAY, "2026-09-01");
  if (schema.format === "uuid") return fc.oneof(fc.uuid(), fc.constantFrom(...jobs));
  if (schema.pattern !== undefined) {
    return fc.oneof(
      fc.constantFrom("286764", "00286764", "90000193", "143229", "MC-143229", "FF-300003")
        .filter((text) => new RegExp(String(schema.pattern)).test(text)),
      // The description excludes 0, which a pattern of digits can't.
      fc.stringMatching(new RegExp(String(schema.pattern)))
        .filter((text) => Number(text.replace(/^\D+/, "")) !== 0),
    );
  }
  const { maxLength = Infinity } = schema as { maxLength?: number };
  return fc.array(WORD, { minLength: 1, maxLength: 12 })
    .map((words) => words.join(" ").slice(0, maxLength));
}

function headerPart({ name, schema }: ParameterObject): fc.Arbitrary<Part> {
  const value = name === "Idempotency-Key"
    ? fc.oneof(fc.uuid(), fc.constantFrom("k", '"quoted, with a comma"', "", "k".repeat(201)))
    : name === "If-None-Match"
    ? fc.constantFrom("*", 'W/"x"', "nonsense")
    : fc.stringMatching(/^[!-~]{1,70}$/);
  return fc.option(value, { nil: undefined, freq: 2 }).map((value): Part => ({
    wrong: value === undefined ? null : wrongBy(schema, value),
    put({ headers }) {
      if (value !== undefined) headers.set(name, value);
    },
  }));
}

function bodyPart(schema: ParameterObject["schema"]): fc.Arbitrary<Part> {
  const dots = resolve(schema).properties.dots as { maxItems: number };
  const known = fc.constantFrom("286764", "0", "90000193");
  const numbers = fc.oneof(known, fc.stringMatching(/^\d{1,8}$/));
  const list = fc.array(numbers, { minLength: 1, maxLength: 12 });
  const json = often<unknown>(
    5,
    list.map((dots) => ({ dots })),
    list.map((dots) => ({ dots, as_of: EXAMPLE_DAY })),
    fc.constantFrom("2026-02-30", "", 5).map((as_of) => ({ dots: ["1"], as_of })),
    fc.constant({ dots: Array(dots.maxItems + 1).fill("1") }),
    fc.constantFrom({ dots: [] }, { dots: ["12A"] }, { dots: [1] }, {}),
    fc.jsonValue(),
  ).map((value) => ({ text: JSON.stringify(value), wrong: wrongBy(schema, value) }));
  const broken = fc.constantFrom("", "{", '{"dots":["1"]', "x".repeat(200_000))
    .map((text): { text: string; wrong: string | null } => ({ text, wrong: "not JSON" }));
  const type = fc.constantFrom("application/json", "application/json; charset=utf-8", "text/plain");
  return fc.tuple(often(5, json, broken), type).map(([{ text, wrong }, type]): Part => ({
    wrong: type === "text/plain" ? "not JSON" : wrong,
    put({ init, headers }) {
      init.body = text;
      headers.set("content-type", type);
    },
  }));
}
