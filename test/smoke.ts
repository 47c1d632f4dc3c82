/**
 * `deno task smoke URL`: checks what every deployment must answer.
 *
 * @module
 */

import { sleep } from "../pipeline/retry.ts";
import { messageOf } from "../pipeline/text.ts";
import { note, print } from "../pipeline/io.ts";

/** GENERAL TRANSPORT INC of Akron: in FMCSA's file and in the bundled sample. */
const DOT = "286764";
/** The answer to `--help`. */
const HELP = `Usage: deno task smoke URL

Sends a running service of this project the requests that every deployment must answer (health, OpenAPI, a lookup,
a search, a page, a malformed number), tries each again while an instance starts, and prints what is wrong.

Example: deno task smoke http://localhost:8000

Exit codes: 0 all as expected, 1 something is wrong, 2 wrong arguments.`;

const TRIES = 5;
const PAUSE_MS = 3_000;
const PATIENCE_MS = 10_000;

/** The expected answer to a path. */
interface Expectation {
  path: string;
  status: number;
  /** Part of the body. */
  says: string;
  /** A header that must be present. */
  header?: string;
}

const EXPECTED: Expectation[] = [
  { path: "/healthz", status: 200, says: `"alive":true` },
  { path: "/readyz", status: 200, says: `"ready":true` },
  { path: "/openapi.json", status: 200, says: `"openapi":` },
  { path: `/api/v1/mcs150-due-date?dot=${DOT}`, status: 200, says: `"next_due"` },
  {
    path: `/api/v1/carriers/${DOT}`,
    status: 200,
    says: "GENERAL TRANSPORT",
    header: "snapshot-id",
  },
  { path: "/api/v1/carriers?q=general%20transport", status: 200, says: DOT },
  { path: `/carriers/${DOT}`, status: 200, says: "GENERAL TRANSPORT", header: "etag" },
  { path: "/api/v1/carriers/12A", status: 400, says: "not a digit at position 3" },
];

/** The problems of a service, in words; empty when there are none. */
export async function smoke(
  address: string,
  { tries = TRIES, pauseMs = PAUSE_MS }: { tries?: number; pauseMs?: number } = {},
): Promise<string[]> {
  const root = address.replace(/\/+$/, "");
  const problems: string[] = [];
  for (const expected of EXPECTED) {
    let problem = await look(root, expected);
    // The first request may reach an instance that is still starting.
    for (let i = 1; i < tries && problem !== undefined; i++) {
      await sleep(pauseMs);
      problem = await look(root, expected);
    }
    if (problem !== undefined) problems.push(`${expected.path}: ${problem}`);
  }
  return problems;
}

async function look(
  root: string,
  { path, status, says, header }: Expectation,
): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch(root + path, { signal });
    const body = await answer.text();
    if (answer.status !== status) return `status ${answer.status}, expected ${status}`;
    if (!body.includes(says)) return `the body lacks ${says}`;
    if (header !== undefined && !answer.headers.has(header)) return `no header ${header}`;
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

if (import.meta.main) {
  const [address, ...more] = Deno.args;
  if (Deno.args.some((argument) => ["--help", "-h"].includes(argument))) {
    print(HELP);
    Deno.exit(0);
  }
  if (address === undefined || more.length > 0 || !/^https?:\/\//.test(address)) {
    note(HELP.split("\n")[0]!);
    Deno.exit(2);
  }
  const problems = await smoke(address);
  problems.forEach(print);
  if (problems.length > 0) Deno.exit(1);
  print(`${address} answers as it should: ${EXPECTED.length} requests`);
}
