/**
 * How good and how fast the answers of an engine are, and the table that sets engines side by side.
 *
 * @module
 */

import type { Fetched, Prepared } from "./search_engine.ts";
import type { BenchQuestion } from "./search_sample.ts";
import { KINDS, MIXED, type QueryKind } from "./search_queries.ts";

/** What an engine said to one question. */
export interface EngineAnswer {
  /** USDOT numbers, best first. */
  dots: number[];
  /** Milliseconds, warm. */
  ms: number;
  /** What the same query fetched cold. */
  fetched?: Fetched;
}

/** What one engine did with all questions, in their order. */
export interface EngineRun {
  name: string;
  prepared: Prepared;
  answers: EngineAnswer[];
  /** Most resident memory of the process that answered. */
  peakBytes: number;
}

/** The figures of one engine over some questions. */
interface Figures {
  questions: number;
  mrr: number;
  successAt1: number;
  /** Share of queries without any result. */
  zero: number;
  p50: number;
  p95: number;
  max: number;
  fetched?: {
    files50: number;
    files95: number;
    bytes50: number;
    bytes95: number;
    trips95: number;
  };
}

const DEPTH = 10;

/** Figures of the answers to `questions`; both in the same order. */
export function figures(
  questions: readonly BenchQuestion[],
  answers: readonly EngineAnswer[],
): Figures {
  const ranks = questions.map((question, at) => rankOf(question, answers[at]!.dots));
  const ms = answers.map((answer) => answer.ms).sort((a, b) => a - b);
  const mean = (values: number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const result: Figures = {
    questions: questions.length,
    mrr: mean(ranks.map((rank) => rank === 0 ? 0 : 1 / rank)),
    successAt1: mean(ranks.map((rank) => rank === 1 ? 1 : 0)),
    zero: mean(answers.map(({ dots }) => dots.length === 0 ? 1 : 0)),
    p50: quantile(ms, 0.5),
    p95: quantile(ms, 0.95),
    max: ms.at(-1) ?? NaN,
  };
  const fetched = answers.flatMap((answer) => answer.fetched ?? []);
  if (fetched.length > 0) {
    const files = fetched.map((each) => each.files).sort((a, b) => a - b);
    const bytes = fetched.map((each) => each.bytes).sort((a, b) => a - b);
    const trips = fetched.map((each) => each.trips).sort((a, b) => a - b);
    result.fetched = {
      files50: quantile(files, 0.5),
      files95: quantile(files, 0.95),
      bytes50: quantile(bytes, 0.5),
      bytes95: quantile(bytes, 0.95),
      trips95: quantile(trips, 0.95),
    };
  }
  return result;
}

/** The place of the first hit among the first ten, from 1; 0 when there is none. */
export function rankOf({ hits }: BenchQuestion, dots: readonly number[]): number {
  return dots.slice(0, DEPTH).findIndex((dot) => hits.includes(dot)) + 1;
}

/** The value that a share of the values does not exceed (nearest rank); NaN of none. */
export function quantile(ascending: readonly number[], share: number): number {
  return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? NaN;
}

/** The lines of the report: a row a kind, engines side by side, then what each took to make. */
export function reportLines(
  questions: readonly BenchQuestion[],
  runs: readonly EngineRun[],
): string[] {
  const groups = runs.map((run) => ({
    name: run.name,
    columns: ["MRR@10", "S@1", "zero %", "p50 ms", "p95 ms", "max ms"],
    cells: (kind: RowKind): string[] => {
      const at = questions.flatMap((each, at) => isOf(each.kind, kind) ? [at] : []);
      const all = figures(at.map((n) => questions[n]!), at.map((n) => run.answers[n]!));
      return [
        all.mrr.toFixed(3),
        all.successAt1.toFixed(3),
        (all.zero * 100).toFixed(1),
        ...[all.p50, all.p95, all.max].map((ms) => ms.toFixed(ms < 10 ? 2 : 0)),
        ...(all.fetched
          ? [
            `${all.fetched.files50}/${all.fetched.files95}`,
            `${kilobytes(all.fetched.bytes50)}/${kilobytes(all.fetched.bytes95)}`,
            String(all.fetched.trips95),
          ]
          : []),
      ];
    },
    fetches: run.answers.some(({ fetched }) => fetched !== undefined),
  }));
  for (const group of groups) {
    if (group.fetches) group.columns.push("files", "KB", "trips");
  }
  const kinds = KINDS.filter((kind) => questions.some((question) => question.kind === kind));
  const order: RowKind[] = [
    ...kinds.filter((kind) => !MIXED.has(kind)),
    "all",
    ...kinds.filter((kind) => MIXED.has(kind)),
    "mixed",
  ];
  const rows = [
    ["kind", "n", ...groups.flatMap(({ columns }) => ["|", ...columns])],
    ...order.map((kind) => [
      kind,
      String(questions.filter((each) => isOf(each.kind, kind)).length),
      ...groups.flatMap(({ cells }) => ["|", ...cells(kind)]),
    ]),
  ];
  const lines = align(rows);
  return [engineLine(lines[0]!, runs), ...lines, "", ...align(costRows(runs))];
}

/** A row of the report: a kind, all that are not mixed, or all mixed ones. */
type RowKind = QueryKind | "all" | "mixed";

function isOf(kind: QueryKind, row: RowKind): boolean {
  if (row === "all") return !MIXED.has(kind);
  return row === "mixed" ? MIXED.has(kind) : kind === row;
}

/** Names of engines, each above its own columns. */
function engineLine(header: string, runs: readonly EngineRun[]): string {
  let line = "";
  let from = 0;
  for (const { name } of runs) {
    from = header.indexOf("|", from) + 1;
    line = `${line.padEnd(from)} ${name}`;
  }
  return line;
}

function costRows(runs: readonly EngineRun[]): string[][] {
  return [
    ["engine", "index MB", "build s", "build peak MB", "search peak MB"],
    ...runs.map(({ name, prepared, peakBytes }) => [
      name,
      megabytes(prepared.indexBytes),
      prepared.seconds?.toFixed(1) ?? "-",
      megabytes(prepared.peakBytes),
      megabytes(peakBytes),
    ]),
  ];
}

/** The first column flush left, the others flush right. */
function align(rows: readonly string[][]): string[] {
  const widths = rows[0]!.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0))
  );
  return rows.map((row) =>
    row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)
    ).join("  ")
  );
}

function megabytes(bytes: number | null): string {
  return bytes === null ? "-" : (bytes / 1e6).toFixed(0);
}

function kilobytes(bytes: number): string {
  return (bytes / 1e3).toFixed(0);
}
