/**
 * Requests and what the service answers them over the bundled sample, for the documents.
 *
 * @module
 */

import type { Carrier } from "../rules/schemas.ts";
// Blocks of `id name: summary`, request and answer; `UPDATE_GOLDEN=1` on test/api/discovery/examples_test.ts answers anew.
import TEXT from "./text/examples.txt" with { type: "text" };

/** The day in New York on which the examples were answered. */
export const EXAMPLE_DAY = "2026-10-16";

export const EXAMPLE_JOB = "8e03978e-40d5-43e8-bc93-6894a57f9324";

export interface Example {
  summary: string;
  value: unknown;
}

/** Examples by operation id, then by name; the first is the one to show alone. */
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

/** The body of the request that the first example of an operation answers. */
export function exampleBody(id: string): unknown {
  return JSON.parse(requestOf(id).body ?? "null");
}

/** That request as a command to copy. */
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

/** A GET as a command. */
export function curl(url: string): string {
  return /[?&]/.test(url) ? `curl '${url}'` : `curl ${url}`;
}

/** The path and query of that request. */
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
