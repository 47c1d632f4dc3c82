/**
 * `deno task bench:search`: how well and how fast carriers are found, beside Lucene, SQLite FTS5 and MiniSearch.
 *
 * @module
 */

import { note, print } from "../../pipeline/io.ts";
import {
  benchCommand,
  inTurn,
  openBenchSnapshot,
  printTable,
  quantile,
  runBench,
} from "./harness.ts";
import { type Engine, OurEngine } from "./search_engine.ts";
import { LuceneEngine } from "./search_lucene.ts";
import { MiniSearchEngine } from "./search_minisearch.ts";
import { GROUPS, KINDS, typedItems } from "./search_queries.ts";
import {
  type BenchQuestion,
  DEPTH,
  drawQuestions,
  keepCarriers,
  MOST_FITS,
  rankOf,
} from "./search_sample.ts";
import { SqliteEngine } from "./search_sqlite.ts";
import TYPED from "./search_typed.txt" with { type: "text" };

const HELP = `
Draws carriers from the snapshot (half weighted by fleet size among active ones, half evenly), makes
queries of ${KINDS.length} kinds for them, and asks every engine the same queries.

A dropped_word query, a name without one of its words, is used only if at most ${MOST_FITS} carriers have all
its words in their name or in their DBA, counted from the records.

  MRR   mean of 1 / rank of the first hit among ten, 0 without one. A hit is the carrier the query was made
        for, or a twin: the same name, in the same place when the query names one
  zero  queries without any answer
  ms    warm: each query asked once before
  cold  what a query fetches with only the dictionary cached; steps are fetches that wait for others

--other-names uses the carriers whose names come from a second, independent model: one in a thousand.
lucene is skipped if Java or Debian's liblucene8-java is missing. The indexes of lucene and sqlite and the
queries are kept below --dir; remove it when their code changes. minisearch indexes only --minisearch
carriers and those of the answers, which is easier; 2 million take 8 GB and about a second per query.

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
  otherNames?: boolean;
  peers: string;
  minisearch: string;
  misses: string;
}

/** What an engine said to all questions, in their order. */
interface Run {
  engine: Engine;
  bytes: number;
  dots: number[][];
  ms: number[];
}

/** An engine in memory or in one file is warm after one query in so many. */
const WARM_STEP = 8;

const command = benchCommand("search", "compare search engines on known-item queries", HELP)
  .option("--snapshot <dir>", "root of a snapshot", ".data/bench/4500000-1/ours")
  .option("--dir <dir>", "where queries and indexes are kept", ".data/bench")
  .option("--per-kind <n>", "queries of each kind", "200")
  .option("--seed <n>", "seed of the draw", "1")
  .option("--other-names", "draw the carriers named by the second model")
  .option("--peers <names>", "engines to ask", "ours,lucene,sqlite,minisearch")
  .option("--minisearch <n>", "carriers that minisearch indexes", "2000000")
  .option("--misses <n>", "queries of each kind to show that have no hit at rank 1", "0");

await runBench<Options>(command, async ({ snapshot, dir, peers, misses, ...options }) => {
  const opened = await openBenchSnapshot(snapshot);
  const kept = `${dir}/search-${opened.id}`;
  await Deno.mkdir(kept, { recursive: true });
  const carriers = await keepCarriers(`${kept}/carriers.jsonl`, opened);
  const otherNames = options.otherNames === true;
  const [perKind, seed] = [Number(options.perKind), Number(options.seed)];
  const questions = await keptQuestions(
    `${kept}/queries-${otherNames ? "other-" : ""}${seed}-${perKind}.json`,
    () => drawQuestions(carriers, { perKind, seed, otherNames, typed: typedItems(TYPED) }),
  );
  const engines: Record<string, () => Engine> = {
    ours: () => new OurEngine(snapshot),
    lucene: () => new LuceneEngine(`${kept}/lucene`),
    sqlite: () => new SqliteEngine(`${kept}/sqlite.db`),
    minisearch: () =>
      new MiniSearchEngine({
        share: Number(options.minisearch) / opened.manifest.counts.carriers,
        include: new Set(questions.flatMap(({ hits }) => hits)),
      }),
  };
  const cases = Object.fromEntries(
    peers.split(",").map((peer) => {
      const make = engines[peer];
      if (make === undefined) throw new Error(`give peers of ${Object.keys(engines).join(", ")}`);
      return [peer, async (): Promise<Run> => {
        const engine = make();
        note(`Running ${peer}`);
        const bytes = await engine.prepare(carriers);
        return { engine, bytes, ...await askAll(engine, questions) };
      }];
    }),
  );
  const runs = [...(await inTurn(cases, { rounds: 1 })).values()].flat();
  print(
    `Snapshot ${opened.id}, ${opened.manifest.counts.carriers} carriers, seed ${seed}${
      otherNames ? ", the second model of names" : ""
    }`,
  );
  printTable(tableRows(questions, runs));
  for (const { engine, bytes } of runs) {
    print(`${engine.name}: index ${(bytes / 1e6).toFixed(0)} MB`);
    if (engine instanceof OurEngine) await printCold(engine, questions);
  }
  for (const run of runs) showMisses(questions, run, Number(misses));
  return questions.map((question, at) => ({
    ...question,
    ranks: Object.fromEntries(
      runs.map(({ engine, dots }) => [engine.name, rankOf(question, dots[at]!)]),
    ),
  }));
});
// Java waits for more queries.
Deno.exit();

async function keptQuestions(
  file: string,
  draw: () => Promise<BenchQuestion[]>,
): Promise<BenchQuestion[]> {
  const text = await Deno.readTextFile(file).catch(() => null);
  if (text !== null) return JSON.parse(text) as BenchQuestion[];
  note("Drawing queries");
  const questions = await draw();
  await Deno.writeTextFile(file, JSON.stringify(questions));
  return questions;
}

async function askAll(
  engine: Engine,
  questions: readonly BenchQuestion[],
): Promise<Pick<Run, "dots" | "ms">> {
  const step = engine instanceof OurEngine ? 1 : WARM_STEP;
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

/** A row a kind and one for each group; engines side by side. */
function tableRows(questions: readonly BenchQuestion[], runs: readonly Run[]): string[][] {
  const header = ["zero", "p50 ms", "p95", "worst"];
  const rows = [["", "n", ...runs.flatMap(({ engine }) => [`${engine.name}: MRR`, ...header])]];
  const add = (label: string, kinds: readonly string[]): void => {
    const at = questions.flatMap(({ kind }, at) => kinds.includes(kind) ? [at] : []);
    if (at.length === 0) return;
    rows.push([
      label,
      String(at.length),
      ...runs.flatMap(({ dots, ms }) => {
        const ranks = at.map((n) => rankOf(questions[n]!, dots[n]!));
        const times = at.map((n) => ms[n]!);
        return [
          (ranks.reduce((sum, rank) => sum + (rank && 1 / rank), 0) / at.length).toFixed(3),
          String(at.filter((n) => dots[n]!.length === 0).length),
          ...[0.5, 0.95, 1].map((share) => quantile(times, share).toFixed(1)),
        ];
      }),
    ]);
  };
  for (const [group, kinds] of Object.entries(GROUPS)) {
    for (const kind of kinds) add(kind, [kind]);
    add(`all ${group}`, kinds);
  }
  return rows;
}

async function printCold(engine: OurEngine, questions: readonly BenchQuestion[]): Promise<void> {
  const rows = [["cold", "median", "p95", "most"]];
  const fetched = [];
  for (const { query } of questions) fetched.push(await engine.fetched(query, DEPTH));
  for (const member of ["steps", "files", "bytes"] as const) {
    const values = fetched.map((each) => each[member]);
    rows.push([member, ...[0.5, 0.95, 1].map((share) => String(quantile(values, share)))]);
  }
  printTable(rows);
}

function showMisses(questions: readonly BenchQuestion[], run: Run, most: number): void {
  for (const kind of most > 0 ? Object.values(GROUPS).flat() : []) {
    questions.flatMap((question, at) => {
      const rank = rankOf(question, run.dots[at]!);
      return question.kind === kind && rank !== 1 ? [{ question, rank, dots: run.dots[at]! }] : [];
    }).slice(0, most).forEach(({ question: { query, dot }, rank, dots }) =>
      print(
        `${run.engine.name}, ${kind}: "${query}" means ${dot}, place ${rank || "none"}: ${
          dots.slice(0, 3).join(" ")
        }`,
      )
    );
  }
}
