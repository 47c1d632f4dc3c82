/**
 * `deno task bench:search`: quality and speed of search, compared with Lucene, SQLite FTS5 and MiniSearch.
 *
 * @module
 */

import { Command } from "commander";
import { note, print } from "../../pipeline/io.ts";
import { carrierShards, openBenchSnapshot, printTable, spread } from "./harness.ts";
import {
  type BenchCarrier,
  benchCarrier,
  type Engine,
  type Fetched,
  openOurs,
} from "./search_engine.ts";
import { missingForLucene, openLucene } from "./search_lucene.ts";
import { openMiniSearch } from "./search_minisearch.ts";
import { GROUPS, typedItems } from "./search_queries.ts";
import { type BenchQuestion, DEPTH, drawQuestions, MAX_FITS, rankOf } from "./search_sample.ts";
import { openSqlite } from "./search_sqlite.ts";
import TYPED from "./search_typed.txt" with { type: "text" };

const HELP = `
Draws carriers from the snapshot (half weighted by fleet size among active ones, half evenly), makes
queries of 29 kinds for them, and asks every engine the same queries.

The queries of 4 more kinds, "weighted", are for carriers drawn by their inspections: the first word, the
first two, these joined, the name with another word for trucking. One is used only if its carrier has at
least half of the inspections of all carriers that it may mean: those whose name or DBA begins so, or is
the same but for the trade. Only that carrier is a hit.

A dropped_word query, a name without one of its words, is used only if at most ${MAX_FITS} carriers have all
its words in their name or in their DBA, counted from the records.

  MRR   mean of 1 / rank of the first hit among ten, 0 without one. A hit is the carrier the query was made
        for, or a twin: the same name, in the same place when the query names one
  in ten  share of queries with a hit
  zero  queries without any answer
  ms    warm: each query asked once before
  cold  what a query fetches with only the dictionary cached; steps are fetches that wait for others

--other-names uses the carriers whose names come from a second, independent model: one in a thousand.
lucene needs Java and Debian's liblucene8-java. The indexes of lucene and sqlite and the queries are kept
below --dir; remove it when their code changes. minisearch indexes only two million carriers and those of
the answers, which is easier; it takes 8 GB and about a second per query.

Examples:
  $ deno task bench:build --rounds 1                               creates the data and its snapshot
  $ deno task bench:search --peers ours,lucene                     the fast ones
  $ deno task bench:search --peers sqlite --misses 5               with queries without a hit at rank 1
  $ deno task bench:search --snapshot .data/sample --per-kind 50   small, on the bundled sample`;

interface Options {
  snapshot: string;
  dir: string;
  perKind: string;
  seed: string;
  otherNames?: true;
  peers: string;
  misses: string;
}

/** An engine's answers to all questions, in order. */
interface Run {
  engine: Engine;
  dots: number[][];
  ms: number[];
}

/** To warm up, an engine in memory or in one file runs one query in this many. Ours runs all. */
const WARM_STEP = 8;

/** Carriers that MiniSearch indexes. */
const MINISEARCH = 2_000_000;

const options = new Command("bench:search")
  .description("compare search engines on known-item queries")
  .option("--snapshot <dir>", "root of a snapshot", ".data/bench/4500000-1/ours")
  .option("--dir <dir>", "where queries and indexes are kept", ".data/bench")
  .option("--per-kind <n>", "queries of each kind", "200")
  .option("--seed <n>", "seed of the draw", "1")
  .option("--other-names", "draw the carriers named by the second model")
  .option("--peers <names>", "engines to ask", "ours,lucene,sqlite,minisearch")
  .option("--misses <n>", "queries of each kind to show that have no hit at rank 1", "0")
  .addHelpText("after", HELP)
  .parse()
  .opts<Options>();

const snapshot = await openBenchSnapshot(options.snapshot);
const kept = `${options.dir}/search-${snapshot.id}`;
await Deno.mkdir(kept, { recursive: true });
const questions = await keptQuestions();
const engines: Record<string, () => Promise<Engine>> = {
  ours: () => openOurs(options.snapshot),
  lucene: () => openLucene(`${kept}/lucene`, carriers),
  sqlite: () => openSqlite(`${kept}/sqlite.db`, carriers),
  minisearch() {
    const share = MINISEARCH / snapshot.manifest.counts.carriers;
    const answers = new Set(questions.flatMap(({ hits }) => hits));
    return openMiniSearch({ share, answers }, carriers);
  },
};
const runs: Run[] = [];
for (const peer of options.peers.split(",")) {
  const missing = peer === "lucene" ? await missingForLucene() : undefined;
  if (missing !== undefined) {
    note(`Skipped lucene: ${missing}`);
    continue;
  }
  note(`Running ${peer}`);
  const engine = await engines[peer]!();
  print(`${engine.name}: index ${(engine.bytes / 1e6).toFixed(0)} MB`);
  runs.push({ engine, ...await askAll(engine) });
}
printTable(tableRows());
if (options.peers.split(",").includes("ours")) await printCold();
for (const run of runs) showMisses(run, Number(options.misses));
// The Java process waits for more queries.
Deno.exit();

async function* carriers(): AsyncGenerator<BenchCarrier> {
  for await (const { records } of carrierShards(snapshot)) yield* records.map(benchCarrier);
}

async function keptQuestions(): Promise<BenchQuestion[]> {
  const { otherNames = false, perKind, seed } = options;
  const file = `${kept}/queries-${otherNames ? "other-" : ""}${seed}-${perKind}.json`;
  const text = await Deno.readTextFile(file).catch(() => null);
  if (text !== null) return JSON.parse(text) as BenchQuestion[];
  note("Drawing queries");
  const typed = typedItems(TYPED);
  const draw = { perKind: Number(perKind), seed: Number(seed), otherNames, typed };
  const questions = await drawQuestions(carriers, draw);
  await Deno.writeTextFile(file, JSON.stringify(questions));
  return questions;
}

async function askAll(engine: Engine): Promise<Pick<Run, "dots" | "ms">> {
  const step = engine.name === "ours" ? 1 : WARM_STEP;
  for (let at = 0; at < questions.length; at += step) {
    await engine.search(questions[at]!.query, DEPTH);
  }
  const dots: number[][] = [];
  const ms: number[] = [];
  for (const { query } of questions) {
    const began = performance.now();
    dots.push(await engine.search(query, DEPTH));
    ms.push(performance.now() - began);
  }
  return { dots, ms };
}

/** A row per kind and one per group, with engines side by side. */
function tableRows(): string[][] {
  const header = ["in ten", "zero", "p50 ms", "p95", "worst"];
  const rows = [["", "n", ...runs.flatMap(({ engine }) => [`${engine.name}: MRR`, ...header])]];
  const add = (label: string, kinds: readonly string[]): void => {
    const at = questions.flatMap(({ kind }, at) => kinds.includes(kind) ? [at] : []);
    if (at.length === 0) return;
    const figures = runs.flatMap(({ dots, ms }) => {
      const ranks = at.map((n) => rankOf(questions[n]!, dots[n]!));
      return [
        (ranks.reduce((sum, rank) => sum + (rank && 1 / rank), 0) / at.length).toFixed(3),
        (ranks.filter((rank) => rank > 0).length / at.length).toFixed(3),
        String(at.filter((n) => dots[n]!.length === 0).length),
        ...spread(at.map((n) => ms[n]!)).map((value) => value.toFixed(1)),
      ];
    });
    rows.push([label, String(at.length), ...figures]);
  };
  for (const [group, kinds] of GROUPS) {
    for (const kind of kinds) add(kind, [kind]);
    add(`all ${group}`, kinds);
  }
  return rows;
}

async function printCold(): Promise<void> {
  const cold = await openOurs(options.snapshot, 0);
  const fetched: Fetched[] = [];
  for (const { query } of questions) {
    await cold.search(query, DEPTH);
    fetched.push(cold.fetched());
  }
  printTable([
    ["cold", "median", "p95", "most"],
    ...(["steps", "files", "bytes"] as const).map((member) => [
      member,
      ...spread(fetched.map((each) => each[member])).map(String),
    ]),
  ]);
}

function showMisses({ engine, dots }: Run, most: number): void {
  const ranked = questions.map((question, at) => ({
    ...question,
    rank: rankOf(question, dots[at]!),
    found: dots[at]!.slice(0, 3).join(" "),
  }));
  for (const kind of GROUPS.flatMap(([, kinds]) => kinds)) {
    const missed = ranked.filter((it) => it.kind === kind && it.rank !== 1).slice(0, most);
    for (const { query, dot, rank, found } of missed) {
      print(`${engine.name}, ${kind}: "${query}" means ${dot}, place ${rank || "none"}: ${found}`);
    }
  }
}
