/**
 * Example requests for the documents, with the answers that the service gives on the bundled sample.
 *
 * @module
 */

import type { Carrier } from "../rules/schemas.ts";
// Blocks of `id name: summary`, request and answer. To update the answers, run
// test/api/discovery/examples_test.ts with `UPDATE_GOLDEN=1`.
import TEXT from "./text/examples.txt" with { type: "text" };

/** The current day, New York time, in the example answers. */
export const EXAMPLE_DAY = "2026-10-16";

export const EXAMPLE_JOB = "8e03978e-40d5-43e8-bc93-6894a57f9324";

export interface Example {
  summary: string;
  value: unknown;
}

/** Examples by operation id, then by name. Where only one is shown, it is the first. */
export function answerExamples(baseUrl: string): Record<string, Record<string, Example>> {
  const examples: Record<string, Record<string, Example>> = {};
  for (const { id, name, summary, answer } of BLOCKS) {
    const value = JSON.parse(answer.replaceAll("{{base_url}}", baseUrl));
    (examples[id] ??= {})[name] = { summary, value };
  }
  return examples;
}

export function exampleCarrier(baseUrl: string): Carrier {
  return answerExamples(baseUrl).lookupCarrier!.real!.value as Carrier;
}

/** The request body of an operation's first example; null if it has none. */
export function exampleBody(id: string): unknown {
  return JSON.parse(requestOf(id).body ?? "null");
}

/** The request of an operation's first example, as a curl command. */
export function exampleCall(id: string, baseUrl: string): string {
  const { target, body } = requestOf(id);
  const url = baseUrl + target;
  return body === undefined ? curl(url) : [
    curl(url).replace("curl", "curl -X POST"),
    "-H 'Content-Type: application/json'",
    `-d '${body}'`,
  ]
    .join(" \\\n  ");
}

/** A GET as a curl command. */
export function curl(url: string): string {
  return /[?&]/.test(url) ? `curl '${url}'` : `curl ${url}`;
}

/** The path and query of an operation's first example. */
export function exampleTarget(id: string): string {
  return requestOf(id).target;
}

function requestOf(id: string): { target: string; body?: string } {
  const { request } = BLOCKS.find((block) => block.id === id)!;
  return /^\S+ (?<target>\S+)(?: < (?<body>.+))?$/.exec(request)!.groups as { target: string };
}

const BLOCKS = TEXT.trimEnd().split("\n\n").map((block) => {
  const [title, request, answer = "null"] = block.split("\n") as [string, string, string?];
  const [id, name, summary] = title.split(/ (\w+): (.+)/) as [string, string, string];
  return { id, name, summary, request, answer };
});
