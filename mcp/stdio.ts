/**
 * Serves the MCP tools to a desktop client over standard input and output. Standard output has only protocol messages;
 * text for people goes to standard error.
 *
 * @module
 */

import { PROTOCOL_VERSION_META_KEY, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import process from "node:process";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { parseArgs } from "node:util";
import { SYSTEM_CLOCK } from "../pipeline/clock.ts";
import { note, print } from "../pipeline/io.ts";
import { openSource } from "../pipeline/snapshot/sources/open_source.ts";
import { SnapshotReader } from "../pipeline/snapshot/reader.ts";
import { messageOf } from "../pipeline/text.ts";
import { PROTOCOL_VERSIONS } from "./card.ts";
import { serverFactory } from "./server.ts";
import HELP from "./stdio_help.txt" with { type: "text" };

const SAMPLE_FOLDER = `${import.meta.dirname}/../.data/sample`;

const OPTIONS = {
  sample: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  "base-url": { type: "string", default: "http://localhost:8000" },
} as const;

async function main(args: string[]): Promise<void> {
  const wanted = readOrExplain(args);
  if (wanted === null) return print(HELP.trimEnd());
  if (wanted.sample) {
    note("Building a snapshot from the bundled sample in .data/sample");
    // Imported only here, so that serving a snapshot does not load the build code.
    const { buildSample } = await import("../pipeline/sample/sample.ts");
    await buildSample(wanted.snapshot);
  }
  const reader = new SnapshotReader(wanted.source, {
    clock: SYSTEM_CLOCK,
    onStale: (error) => note(`Still using the older snapshot: ${messageOf(error)}`),
  });
  const { baseUrl } = wanted;
  serveStdio(serverFactory({ reader, clock: SYSTEM_CLOCK, baseUrl, log: note }), {
    onerror: (error) => note(`mcp: ${error.message}`),
    transport: new StdioServerTransport(Readable.from(acceptedLines(), { objectMode: false })),
  });
  note(`Serving ${wanted.snapshot} over standard input and output; ends when the input does`);
}

/** Yields the lines of standard input that the SDK handles correctly. Answers the others here. */
async function* acceptedLines(): AsyncGenerator<string> {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === "") continue;
    const refused = refusalOf(line);
    if (refused === null) yield `${line}\n`;
    else print(JSON.stringify(refused));
  }
}

/** Returns the error for a line that is not JSON or names an unknown revision. The SDK checks only the first line. */
function refusalOf(line: string): object | null {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    const code = ProtocolErrorCode.ParseError;
    return { jsonrpc: "2.0", error: { code, message: "Cannot parse: it is not JSON" } };
  }
  const requested = message?.params?._meta?.[PROTOCOL_VERSION_META_KEY];
  const isKnown = requested === undefined || PROTOCOL_VERSIONS.includes(requested);
  if (isKnown || message.id === undefined) return null;
  const code = ProtocolErrorCode.UnsupportedProtocolVersion;
  const data = { supported: PROTOCOL_VERSIONS, requested };
  const error = { code, message: "Unsupported protocol version", data };
  return { jsonrpc: "2.0", id: message.id, error };
}

/** Parses the arguments; null means `--help`. Wrong ones end the process with what is wrong and the help. */
function readOrExplain(args: string[]) {
  try {
    return read(args);
  } catch (error) {
    note(`${messageOf(error)}\n\n${HELP.trimEnd()}`);
    Deno.exit(2);
  }
}

function read(args: string[]) {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  if (values.help) return null;
  const { sample = false, "base-url": baseUrl } = values;
  if (sample ? positionals.length > 0 : positionals.length !== 1) {
    throw new TypeError("Cannot serve: give one snapshot, or --sample");
  }
  if (!/^https?:\/\/[^?#]+$/.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new TypeError(`Cannot use base URL ${baseUrl}: not an http(s) URL`);
  }
  const snapshot = positionals[0] ?? SAMPLE_FOLDER;
  const source = openSource(snapshot);
  return { snapshot, source, sample, baseUrl: baseUrl.replace(/\/+$/, "") };
}

if (import.meta.main) await main(Deno.args);
