/**
 * A bare `Deno.serve` that returns answers made before: no routing, no lookup. Its argument is a file
 * with a JSON list of `{headers, body}`.
 *
 * @module
 */

import { print } from "../../pipeline/io.ts";

const answers: { headers: [string, string][]; body: string }[] = JSON.parse(
  await Deno.readTextFile(Deno.args[0]!),
);
let next = 0;

Deno.serve({
  port: 0,
  onListen: ({ port }) => print(`Try  http://localhost:${port}/`),
}, () => {
  const { headers, body } = answers[next++ % answers.length]!;
  return new Response(body, { headers });
});
