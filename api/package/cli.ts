/**
 * The package's command: looks up, searches or matches carriers in a snapshot at a URL or in a folder.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import process from "node:process";
import { parseArgs } from "node:util";
import { isDate } from "../../pipeline/dates.ts";
import { parseDot } from "../../pipeline/fmcsa/number_text.ts";
import { checkObjectPath } from "../../pipeline/snapshot/paths.ts";
import type { Source } from "../../pipeline/snapshot/source.ts";
import { escapeInvisible, inert, messageOf } from "../../pipeline/text.ts";
import { type Carriers, openCarriers } from "./index.ts";
import HELP from "./help.txt" with { type: "text" };
import { dataLine, findingLine, stateWords, usdotStatusWord } from "./rules.ts";

const FIELDS = ["mc", "name", "city", "state", "phone", "zip"] as const;

const OPTIONS = {
  "snapshot": { type: "string" },
  "as-of": { type: "string" },
  "limit": { type: "string", default: "10" },
  "json": { type: "boolean", default: false },
  "help": { type: "boolean", short: "h", default: false },
  ...Object.fromEntries(FIELDS.map((field) => [field, { type: "string" }] as const)),
} as const;

type Given = Partial<Record<typeof FIELDS[number], string>>;

class UsageError extends Error {}

interface Answer {
  json: unknown;
  lines: string[];
  isFound: boolean;
}

/** Runs the command and returns its exit code: 0 found, 1 not found or failed, 2 invalid arguments. */
async function main(args: string[]): Promise<number> {
  try {
    const { values, positionals } = parsed(args);
    if (values.help || positionals.length === 0) {
      process.stdout.write(HELP);
      return values.help ? 0 : 2;
    }
    const location = values.snapshot ?? process.env.SNAPSHOT_URL;
    if (!location) throw new UsageError("Give --snapshot: an http(s) address or a folder");
    const asOf = values["as-of"];
    if (asOf !== undefined && !isDate(asOf)) throw new UsageError("Give --as-of as YYYY-MM-DD");
    const carriers = openCarriers(/^https?:/i.test(location) ? location : folderOf(location));
    const [command = "", ...rest] = positionals;
    const answer = command === "search"
      ? await search(carriers, rest.join(" "), { asOf, limit: Number(values.limit) })
      : command === "match"
      ? await match(carriers, dotOf(rest), { given: values as Given, asOf })
      : await show(carriers, dotOf(positionals), asOf);
    process.stdout.write(
      values.json
        ? `${JSON.stringify(answer.json, null, 2)}\n`
        : answer.lines.map((line) => `${escapeInvisible(line)}\n`).join(""),
    );
    return answer.isFound ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${escapeInvisible(messageOf(error))}\n`);
    return error instanceof UsageError || error instanceof RangeError ? 2 : 1;
  }
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

function dotOf([text = "", ...more]: string[]): number {
  if (more.length > 0) throw new UsageError(`Give one USDOT number, not ${more.length + 1}`);
  try {
    return parseDot(text);
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

async function show(carriers: Carriers, dot: number, asOf: string | undefined): Promise<Answer> {
  const json = await carriers.check(dot, { asOf });
  const { carrier, snapshot } = json;
  if (carrier === null) return absent(json, dot, snapshot.data_date);
  const { verdict, findings, checks, city, state } = carrier;
  return {
    json,
    isFound: true,
    lines: [
      `USDOT ${dot}: ${inert(carrier.name, 200)}, ${inert(`${city}, ${state}`, 60)}`,
      ...asOf === undefined ? [] : [`As of ${asOf}`],
      `Verdict: ${verdict}`,
      ...findings.map((finding) => `- ${findingLine(finding)}`),
      ...checks.map((check) => `${check.label}: ${stateWords(check)}. ${check.detail}`),
      dataLine(carrier.snapshot),
      `Snapshot ${snapshot.id}, manifest SHA-256 ${snapshot.manifest_sha256}`,
    ],
  };
}

async function search(
  carriers: Carriers,
  query: string,
  { asOf, limit }: { asOf: string | undefined; limit: number },
): Promise<Answer> {
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= 50)) {
    throw new UsageError("Give --limit from 1 to 50");
  }
  const json = await carriers.search(query, { asOf, limit });
  const { results, snapshot } = json;
  if (results === null) throw new Error(`Snapshot ${snapshot.id} is kept without its search index`);
  const lines = results.map((found) =>
    `${found.dot}  ${inert(found.name, 120)}  ${inert(`${found.city}, ${found.state}`, 60)}${
      found.active ? "" : `  ${usdotStatusWord(found)}`
    }`
  );
  const found = lines.length > 0 ? lines : ["No carrier found"];
  return { json, isFound: lines.length > 0, lines: found };
}

async function match(
  carriers: Carriers,
  dot: number,
  { asOf, given }: { asOf: string | undefined; given: Given },
): Promise<Answer> {
  const fields = Object.fromEntries(
    FIELDS.flatMap((field) => given[field] ? [[field, given[field]]] : []),
  );
  if (Object.keys(fields).length === 0) {
    throw new UsageError("Give --name, or another field to compare");
  }
  const json = await carriers.match(dot, fields, { asOf });
  if (json.match === null) return absent(json, dot, json.snapshot.data_date);
  const lines = json.match.fields.map(({ field, given, filed, result, note }) =>
    `${field}: ${result}. Given ${inert(given, 200)}, filed ${
      filed.map((text) => inert(text, 200)).join(" / ") || "not shown"
    }${note === null ? "" : `. ${note}`}`
  );
  return { json, isFound: true, lines: [`USDOT ${dot}: ${json.match.result}`, ...lines] };
}

function absent(json: unknown, dot: number, day: string): Answer {
  return { json, isFound: false, lines: [`USDOT number ${dot} is not in the census of ${day}`] };
}

/** A source that reads a snapshot from a local folder. */
function folderOf(folder: string): Source {
  return {
    name: folder,
    async get(path) {
      checkObjectPath(path);
      try {
        return new Uint8Array(await readFile(`${folder}/${path}`));
      } catch (error) {
        if (["ENOENT", "ENOTDIR"].includes((error as { code?: string }).code!)) return null;
        throw error;
      }
    },
  };
}

process.exitCode = await main(process.argv.slice(2));
