/**
 * `deno task bench:search`: how well and how fast carriers are found, beside Lucene, SQLite FTS5 and MiniSearch.
 *
 * @module
 */

import { Command, InvalidArgumentError } from "commander";
import { parsePositive } from "../../pipeline/commands/shared.ts";
import { note, print } from "../../pipeline/io.ts";
import { type BenchSnapshot, openBenchSnapshot } from "./harness.ts";
import { missingForLucene } from "./search_lucene.ts";
import { type EngineRun, rankOf, reportLines } from "./search_report.ts";
import { type BenchQuestion, findTwins, MOST_FITS, pickItems } from "./search_sample.ts";
import type { EngineTask } from "./search_process.ts";
import { KINDS } from "./search_queries.ts";

const HELP = `
Draws carriers from the snapshot (half by the fleet of active ones, half evenly), makes queries of
${KINDS.length} kinds for them, and asks every engine the same ones. Each engine is a process of its own.

A dropped_word query, a name without one of its words, is asked only when at most ${MOST_FITS} carriers have
all its words in their name or in their DBA, counted from the records.

  MRR@10   mean of 1 / place of the first hit among ten, 0 without one. A hit is the carrier the query was
           made for, or a twin: the same name, in the same place when the query names one
  S@1      share of queries whose first answer is a hit
  zero %   share of queries without any answer
  ms       warm
  files, KB, trips  median/95th percentile of what a query fetches with nothing cached but the dictionary,
           and the 95th percentile of fetches that had to wait for others

The mixed kinds, and their mean "mixed", combine mistakes and places. --other-names asks for the carriers
whose names come from a second, independent model: one in a thousand.

lucene is Lucene 8 as tuned in LucenePeer.java; it is skipped where Java or Debian's liblucene8-java is missing.
ours reads the index of the snapshot; of one without an index it makes one each time.
sqlite is plain FTS5: all words, the last as a prefix, else the rarest trigrams; by bm25, then
active, then fleet. sqlite_reranked has our code put its best rows in order by their whole names.
Queries and the database of SQLite are kept below .data/bench and rebuilt when their code changes.
MiniSearch is built each time, over a part of the country that has every hit in it: easier than the whole.
It takes about a second a query: --per-kind 20 keeps it under five minutes. With --minisearch-size 4500000
--minisearch-heap 14000 it indexes the country, in 4 GB, and takes about three seconds.

Examples:
  $ deno task bench:build --rounds 1                        makes the country and its snapshot
  $ deno task bench:search --per-kind 20                    every engine on it
  $ deno task bench:search --peers ours,sqlite              the quick ones, 200 queries a kind
  $ deno task bench:search --peers sqlite --misses 5        with queries that found no hit at first place
  $ deno task bench:search --snapshot .data/sample --per-kind 50    small, on the bundled sample`;

const PEERS: readonly EngineTask["engine"][] = [
  "ours",
  "lucene",
  "sqlite",
  "sqlite_reranked",
  "minisearch",
];
const LOCK = `--lock=${new URL("../deno.lock", import.meta.url).pathname}`;

/** Files whose text decides what the queries are, and what the database is. */
const QUESTION_FILES = ["queries", "sample", "text"];
const LUCENE_FILES = ["lucene", "text"];
const DATABASE_FILES = ["sqlite", "text"];

interface Options {
  snapshot: string;
  dir: string;
  perKind: number;
  seed: number;
  otherNames: boolean;
  limit: number;
  peers: EngineTask["engine"][];
  minisearchSize: number;
  minisearchHeap: number;
  misses: number;
}

const program = new Command("bench:search")
  .description("known-item queries against every search engine")
  .option("--snapshot <dir>", "root of a snapshot", ".data/bench/4500000-1/ours")
  .option("--dir <dir>", "where queries and databases are kept", ".data/bench")
  .option("--per-kind <n>", "queries of each kind", parsePositive, 200)
  .option("--seed <n>", "seed of the draw", parsePositive, 1)
  .option("--other-names", "draw the carriers named by the second model of names", false)
  .option("--limit <n>", "results to ask for", parsePositive, 10)
  .option("--peers <names>", `of ${PEERS.join(", ")}`, parsePeers, [...PEERS])
  .option("--minisearch-size <n>", "carriers MiniSearch indexes", parseCount, 2_000_000)
  .option("--minisearch-heap <mb>", "heap of MiniSearch's process", parseCount, 8192)
  .option(
    "--misses <n>",
    "show so many queries of a kind without a hit at first place",
    parseCount,
    0,
  )
  .addHelpText("after", HELP)
  .parse(Deno.args, { from: "user" });
const options = program.opts<Options>();

try {
  await bench(options);
} catch (error) {
  note(`Cannot run the bench: ${error instanceof Error ? error.message : error}`);
  Deno.exitCode = 1;
}

async function bench({ snapshot, dir, limit, peers, misses, ...rest }: Options): Promise<void> {
  const opened = await openBenchSnapshot(snapshot);
  const kept = `${dir}/search-${opened.id}`;
  await Deno.mkdir(kept, { recursive: true });
  const drawn = `${rest.otherNames ? "other-" : ""}${rest.seed}-${rest.perKind}`;
  const file = `${kept}/queries-${drawn}-${await digest(QUESTION_FILES)}.json`;
  const questions = await keptQuestions(file, { opened, ...rest });
  print(
    `Snapshot ${opened.id}, ${opened.manifest.counts.carriers} carriers, seed ${rest.seed}${
      rest.otherNames ? ", the second model of names" : ""
    }`,
  );
  const runs: EngineRun[] = [];
  for (const engine of peers) {
    const missing = engine === "lucene" ? await missingForLucene() : undefined;
    if (missing !== undefined) {
      note(`Skipping lucene: there is no ${missing}`);
      continue;
    }
    note(`Running ${engine}`);
    const lucene = `${kept}/lucene-${await digest(LUCENE_FILES)}`;
    const database = `${kept}/sqlite-${await digest(DATABASE_FILES)}.db`;
    const index = `${kept}/ours`;
    const size = rest.minisearchSize;
    const task = { engine, snapshot, questions: file, limit, database, lucene, index, size };
    runs.push(await runEngine(task, engine === "minisearch" ? rest.minisearchHeap : null));
  }
  for (const line of reportLines(questions, runs)) print(line);
  for (const run of misses > 0 ? runs : []) showMisses(questions, run, misses);
}

async function keptQuestions(
  file: string,
  { opened, ...draw }: { opened: BenchSnapshot } & Parameters<typeof pickItems>[1],
): Promise<BenchQuestion[]> {
  try {
    return JSON.parse(await Deno.readTextFile(file)) as BenchQuestion[];
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  note("Drawing queries");
  const items = await pickItems(opened.records, draw);
  const questions = await findTwins(items, opened.records());
  await Deno.writeTextFile(`${file}.part`, JSON.stringify(questions));
  await Deno.rename(`${file}.part`, file);
  return questions;
}

async function runEngine(task: EngineTask, heapMegabytes: number | null): Promise<EngineRun> {
  const result = await Deno.makeTempFile({ suffix: ".json" });
  try {
    const flags = heapMegabytes === null
      ? []
      : [`--v8-flags=--max-old-space-size=${heapMegabytes}`];
    const program = new URL("./search_process.ts", import.meta.url).pathname;
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", LOCK, ...flags, program, JSON.stringify(task), result],
      stdout: "inherit",
      stderr: "inherit",
    }).spawn().status;
    if (!success) throw new Error(`the process of ${task.engine} failed`);
    return JSON.parse(await Deno.readTextFile(result)) as EngineRun;
  } finally {
    await Deno.remove(result);
  }
}

function showMisses(questions: readonly BenchQuestion[], run: EngineRun, most: number): void {
  print(`\n${run.name}, not at first place`);
  for (const kind of KINDS) {
    let shown = 0;
    questions.forEach((question, at) => {
      const { dots } = run.answers[at]!;
      const rank = rankOf(question, dots);
      if (question.kind !== kind || rank === 1 || shown++ >= most) return;
      const place = rank === 0 ? "none" : rank;
      const first = dots.slice(0, 3).join(" ");
      print(`  ${kind}: "${question.query}", expected ${question.dot}, place ${place}: ${first}`);
    });
  }
}

/** Distinguishes one state of the bench's files from another. */
async function digest(names: readonly string[]): Promise<string> {
  let text = "";
  for (const name of names) {
    text += await Deno.readTextFile(new URL(`./search_${name}.ts`, import.meta.url));
  }
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(bytes).toHex().slice(0, 8);
}

function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Give a whole number.");
  return Number(text);
}

function parsePeers(text: string): EngineTask["engine"][] {
  return text.split(",").map((name) => {
    const peer = PEERS.find((each) => each === name.trim());
    if (!peer) throw new InvalidArgumentError(`Give some of ${PEERS.join(", ")}.`);
    return peer;
  });
}
