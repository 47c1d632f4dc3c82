/**
 * One engine under test, in a process of its own: reads a task, prepares the engine, asks it every
 * question, writes what it found.
 *
 * @module
 */

import { note } from "../../pipeline/io.ts";
import { openBenchSnapshot } from "./harness.ts";
import { peakBytes } from "./processes.ts";
import { type Engine, type Fetched, OurEngine } from "./search_engine.ts";
import type { EngineAnswer, EngineRun } from "./search_report.ts";
import type { BenchQuestion } from "./search_sample.ts";

/** What the process is to do. */
export interface EngineTask {
  engine: "ours" | "lucene" | "sqlite" | "sqlite_reranked" | "minisearch";
  /** Root of the snapshot. */
  snapshot: string;
  /** File of {@link BenchQuestion}s, JSON. */
  questions: string;
  limit: number;
  /** Path of SQLite's database. */
  database: string;
  /** Folder of Lucene's index. */
  lucene: string;
  /** Folder of our index, when the snapshot has none of its own. */
  index: string;
  /** Carriers that MiniSearch indexes. */
  size: number;
}

/** An engine in memory or in one file is warm after one query in so many. */
const WARM_STEP = 8;

async function run(task: EngineTask): Promise<EngineRun> {
  const questions = JSON.parse(await Deno.readTextFile(task.questions)) as BenchQuestion[];
  const { manifest, records } = await openBenchSnapshot(task.snapshot);
  const engine = await makeEngine(task, { questions, carriers: manifest.counts.carriers });
  const prepared = await engine.prepare(records());
  note(`${engine.name}: ready`);
  const answers = await askAll(engine, { questions, limit: task.limit });
  return { name: engine.name, prepared, answers, peakBytes: peakBytes() };
}

/** Loads the code of one peer only, so that no other's is in its memory. */
async function makeEngine(
  { engine, snapshot, database, lucene, index, size }: EngineTask,
  { questions, carriers }: { questions: BenchQuestion[]; carriers: number },
): Promise<Engine> {
  if (engine === "ours") {
    return new OurEngine(index, { snapshot });
  }
  if (engine === "lucene") {
    const { LuceneEngine } = await import("./search_lucene.ts");
    return new LuceneEngine(lucene);
  }
  if (engine !== "minisearch") {
    const { SqliteEngine } = await import("./search_sqlite.ts");
    return new SqliteEngine(database, { rerank: engine === "sqlite_reranked" });
  }
  const { MiniSearchEngine } = await import("./search_minisearch.ts");
  const include = new Set(questions.flatMap(({ hits }) => hits));
  return new MiniSearchEngine({ carriers, size: Math.min(size, carriers), include });
}

/** Asks cold where the engine can be made so, else a few to warm it; then each once against the clock. */
async function askAll(
  engine: Engine,
  { questions, limit }: { questions: BenchQuestion[]; limit: number },
): Promise<EngineAnswer[]> {
  const fetched: (Fetched | undefined)[] = [];
  for (const [at, { query }] of questions.entries()) {
    if (engine.stats === undefined && at % WARM_STEP !== 0) continue;
    if (engine.stats !== undefined) {
      engine.forget?.();
      await engine.search(query, limit);
      fetched.push(engine.stats());
    }
    await engine.search(query, limit);
  }
  const answers: EngineAnswer[] = [];
  for (const [at, { query }] of questions.entries()) {
    const began = performance.now();
    const dots = await engine.search(query, limit);
    const answer: EngineAnswer = { dots, ms: performance.now() - began };
    const cold = fetched[at];
    if (cold !== undefined) answer.fetched = cold;
    answers.push(answer);
  }
  return answers;
}

if (import.meta.main) {
  const [task, result] = Deno.args as [string, string];
  await Deno.writeTextFile(result, JSON.stringify(await run(JSON.parse(task) as EngineTask)));
  // Java waits for more queries.
  Deno.exit();
}
